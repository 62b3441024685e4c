// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs the kernels of tegula/backends/cuda/device/tiles on this processor:
/// threads are fibers, copies land now as early and now as late as they may.
/// Included by one test.

#ifndef TEST_BACKENDS_CUDA_TILEMACHINE_H
#define TEST_BACKENDS_CUDA_TILEMACHINE_H

#include "tegula/backends/cuda/device/tiles/TileInstructions.h"
#include "tegula/launch/gpu/abi/TileAbi.h"
#include "tegula/support/Fiber.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <array>
#include <cstring>
#include <memory>
#include <vector>

namespace tegula {

/// What is copied in the background.
struct Copy {
  uint32_t to;
  uint64_t from;
  int32_t bytes, size;
};

/// A block that runs.
struct RunningBlock {
  int32_t number = 0, count = 1, current = 0;
  int32_t arrivals = 0;
  bool areCopiesLate = false, isUpwards = true;
  std::vector<std::unique_ptr<Fiber>> threads;
  std::vector<std::vector<std::vector<Copy>>> copies;
  /// What threads show each other.
  std::vector<std::array<uint32_t, 6>> shown;
  /// The memory of operands: nothing else is read.
  std::vector<std::pair<uint64_t, uint64_t>> operands;

  bool isInside(const Copy &copy) const {
    return copy.bytes == 0 || llvm::any_of(operands, [&](auto operand) {
             return copy.from >= operand.first &&
                    copy.from + copy.bytes <= operand.second;
           });
  }

  template <typename Parameters>
  void run(void (*kernel)(Parameters), const Parameters &numbers,
           int64_t numThreads = tegulaTileThreads) {
    copies.assign(numThreads, {{}});
    shown.assign(numThreads, {});
    threads.clear();
    for (int32_t i = 0; i < numThreads; ++i)
      threads.push_back(std::make_unique<Fiber>([&] { kernel(numbers); }));
    // Every thread waits at the same point, or has ended.
    while (!threads.front()->isDone()) {
      for (int32_t i = 0; i < numThreads; ++i) {
        current = static_cast<int32_t>(isUpwards ? i : numThreads - 1 - i);
        threads[current]->resume();
      }
      isUpwards = !isUpwards;
    }
  }
  void syncThreads() { threads[current]->stop(); }
};

inline RunningBlock running;

inline void land(const Copy &copy) {
  char *to = tegulaTileMemory + copy.to;
  std::memset(to, 0, copy.size);
  std::memcpy(to, reinterpret_cast<const void *>(copy.from), copy.bytes);
}

} // namespace tegula

alignas(128) char tegulaTileMemory[128 << 10];

namespace tegula::tiles {

inline int32_t threadOfBlock() { return running.current; }
inline int32_t block() { return running.number; }
inline int32_t countBlocks() { return running.count; }
inline void syncThreads() { running.syncThreads(); }

inline void begin(const Copy &copy) {
  EXPECT_GE(copy.bytes, 0);
  EXPECT_LE(copy.bytes, copy.size);
  EXPECT_EQ(copy.to % copy.size, 0u);
  EXPECT_TRUE(copy.bytes == 0 || copy.from % copy.size == 0);
  EXPECT_TRUE(running.isInside(copy));
  if (running.areCopiesLate)
    running.copies[running.current].back().push_back(copy);
  else
    land(copy);
}
inline void copyWord(uint32_t to, uint64_t from, int32_t bytes) {
  begin({to, from, bytes, 4});
}
inline void copyQuad(uint32_t to, uint64_t from, int32_t bytes) {
  begin({to, from, bytes, 16});
}
inline void endCopies() { running.copies[running.current].emplace_back(); }
template <int32_t Last> void awaitCopies() {
  auto &groups = running.copies[running.current];
  // The last one has not ended.
  for (size_t i = 0; i + 1 + Last < groups.size(); ++i) {
    for (const Copy &copy : groups[i])
      land(copy);
    groups[i].clear();
  }
}

inline int32_t countArrivals(uint32_t *arrivals) {
  syncThreads();
  if (threadOfBlock() == 0)
    running.arrivals = ++*arrivals;
  syncThreads();
  return running.arrivals;
}

template <bool IsTransposed>
void loadMatrices(uint32_t (&words)[4], uint32_t address) {
  int32_t self = running.current, warp = self / 32 * 32, lane = self % 32;
  EXPECT_EQ(address % 16, 0u);
  running.shown[self] = {address};
  syncThreads();
  for (int32_t matrix = 0; matrix < 4; ++matrix) {
    uint16_t halves[2];
    for (int32_t i = 0; i < 2; ++i) {
      int32_t row = IsTransposed ? lane % 4 * 2 + i : lane / 4;
      int32_t column = IsTransposed ? lane / 4 : lane % 4 * 2 + i;
      uint32_t from = running.shown[warp + 8 * matrix + row][0];
      std::memcpy(&halves[i], tegulaTileMemory + from + 2 * column, 2);
    }
    std::memcpy(&words[matrix], halves, 4);
  }
  syncThreads();
}

inline uint32_t roundToTf32(uint32_t bits) {
  return (bits + 0x1000) & ~0x1fffu;
}

/// An element of two bytes, of one, or of four.
template <OperandType Type> double valueOf(uint32_t word, int32_t position) {
  if (Type == OperandType::Tf32) {
    EXPECT_EQ(word % 0x2000, 0u);
    float value;
    std::memcpy(&value, &word, 4);
    return value;
  }
  if (Type == OperandType::Int8)
    return static_cast<int8_t>(word >> (8 * position));
  if (Type == OperandType::Uint8)
    return static_cast<uint8_t>(word >> (8 * position));
  auto half = static_cast<uint16_t>(word >> (16 * position));
  if (Type == OperandType::Bf16) {
    uint32_t wide = uint32_t(half) << 16;
    float value;
    std::memcpy(&value, &wide, 4);
    return value;
  }
  _Float16 value;
  std::memcpy(&value, &half, 2);
  return static_cast<double>(value);
}

template <OperandType Type, typename Sum>
void multiplyWarp(Sum (&d)[4], const uint32_t (&a)[4], uint32_t b0,
                  uint32_t b1) {
  constexpr int32_t perWord = Type == OperandType::Tf32    ? 1
                              : std::is_same_v<Sum, float> ? 2
                                                           : 4;
  int32_t self = running.current, warp = self / 32 * 32, lane = self % 32;
  running.shown[self] = {a[0], a[1], a[2], a[3], b0, b1};
  syncThreads();
  for (int32_t i = 0; i < 4; ++i) {
    int32_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
    double sum = d[i];
    for (int32_t k = 0; k < 8 * perWord; ++k) {
      int32_t word = k / perWord % 4, upper = k / (4 * perWord);
      const auto &left = running.shown[warp + row % 8 * 4 + word];
      const auto &right = running.shown[warp + column * 4 + word];
      sum += valueOf<Type>(left[row / 8 + 2 * upper], k % perWord) *
             valueOf<Type>(right[4 + upper], k % perWord);
    }
    if constexpr (perWord == 4)
      d[i] = static_cast<int32_t>(static_cast<int64_t>(sum));
    else
      d[i] = static_cast<float>(sum);
  }
  syncThreads();
}
template <OperandType Type>
void multiply(Sum<Type> (&d)[4], const uint32_t (&a)[4], uint32_t b0,
              uint32_t b1) {
  multiplyWarp<Type>(d, a, b0, b1);
}

} // namespace tegula::tiles

#endif // TEST_BACKENDS_CUDA_TILEMACHINE_H
