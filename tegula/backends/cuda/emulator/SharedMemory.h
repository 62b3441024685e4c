// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory that the threads of an emulated block share, by the addresses of
/// 32 bits that instructions have. What nobody wrote is NaN.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_SHAREDMEMORY_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_SHAREDMEMORY_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace tegula::emulator {

class SharedMemory {
public:
  /// What a kernel may ask for, what the chip keeps for itself before that, and
  /// what descriptions of operands can tell apart.
  static constexpr int64_t most = 232448, kept = 1024, window = 1 << 18;
  /// What kernels have besides, behind all that, counted from the start.
  static constexpr int64_t ownStart = most, ownBytes = window - kept - most;

  /// Takes a window of that many bytes, which begins at a multiple of them.
  void reset(char *storage, int64_t wanted) {
    memory = storage;
    bytes = wanted;
    std::memset(memory, 0xff, kept + bytes);
    std::memset(getStart() + ownStart, 0xff, ownBytes);
  }

  char *getStart() { return memory + kept; }
  /// The offset of an address, from the beginning of what the chip keeps on.
  uint32_t toOffset(uint32_t address) const { return address - toAddress(0); }
  uint32_t toAddress(uint32_t offset) const {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(memory)) + offset;
  }
  bool has(uint32_t offset, int64_t count) const {
    return offset >= kept && offset + count <= kept + bytes;
  }
  char *at(uint32_t offset) { return memory + offset; }

private:
  char *memory = nullptr;
  int64_t bytes = 0;
};

/// Windows for the memories of blocks, side by side: addresses of 32 bits tell
/// them apart.
class MemoryWindows {
public:
  void reserve(size_t wanted) {
    if (wanted <= count)
      return;
    count = wanted;
    memory.reset(static_cast<char *>(std::aligned_alloc(
        SharedMemory::window, count * SharedMemory::window)));
  }
  char *at(size_t number) {
    return memory.get() + number * SharedMemory::window;
  }

private:
  struct Free {
    void operator()(char *block) const { std::free(block); }
  };
  std::unique_ptr<char, Free> memory;
  size_t count = 0;
};

/// Where a byte is whose rows of 128 bytes are swizzled by chunks of 16.
inline uint32_t swizzle(uint32_t offset) {
  return offset ^ (offset >> 7 & 7) << 4;
}

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_SHAREDMEMORY_H
