// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls that 128 threads do together in the background: 64 rows, 32 bytes of
/// elements summed up. A matmul is done when the last thread has begun it.
/// Until a thread has waited for it, its registers have a mark instead of
/// accumulators, which is NaN to whoever computes with it.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_WGMMAQUEUE_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_WGMMAQUEUE_H

#include "tegula/backends/cuda/emulator/Accesses.h"
#include "tegula/launch/gpu/abi/GpuOperandType.h"

#include <deque>

namespace tegula::emulator {

struct HopperBlock;

/// What the instruction says, in every thread.
struct WgmmaInstruction {
  int32_t columns;
  GpuOperandType type;
  /// Rows of the lhs, or columns of the right one, are contiguous.
  bool isLeftTransposed, isRightAcross;
  /// Adds to what was summed up before.
  bool adds;
  /// Bits that describe operands in shared memory; the left one may be in
  /// registers, four words of each thread.
  uint64_t left, right;
  bool isLeftInRegisters;

  bool operator==(const WgmmaInstruction &other) const;
  /// Elements that are summed up.
  int32_t getDepth() const { return 32 / getBytes(type); }
};

class WgmmaQueue {
public:
  WgmmaQueue(HopperBlock &block, int32_t firstThread)
      : block(&block), firstThread(firstThread), own(warpgroupThreads) {}

  // Called by threads of the group, with their numbers in the cluster.

  /// Registers can be read by matmuls from now on.
  void fence(int32_t thread) { of(thread).isFenced = true; }
  /// `sums` are the accumulator registers, and get marks; `left` is the operand
  /// in registers.
  void multiply(int32_t thread, const WgmmaInstruction &words, uint64_t *sums,
                const uint32_t *left);
  /// What was begun so far is a group.
  void endGroup(int32_t thread);
  /// Waits for all groups but the last ones; marks of matmuls that have ended
  /// become accumulators.
  void finish(int32_t thread, uint32_t allBut, uint64_t *sums, int32_t count);
  void leave(int32_t thread) const;

private:
  static constexpr int32_t rows = 64;

  /// Accumulators that matmuls add to, one after the other.
  struct Chain {
    uint32_t number;
    int32_t columns;
    /// As bits.
    std::vector<uint32_t> sums;
    /// The number of the last matmul that each thread has begun on it.
    std::array<uint64_t, warpgroupThreads> last = {};
  };
  /// One matmul.
  struct Step {
    WgmmaInstruction words;
    std::shared_ptr<Chain> chain;
    bool beginsChain;
    int32_t begun = 0;
    std::shared_ptr<WgmmaEnd> end;
    std::vector<float> left;
  };
  /// What a thread has begun, and waited for: numbers of matmuls.
  struct Progress {
    uint64_t begun = 0, ended = 0;
    std::vector<uint64_t> groups;
    bool isFenced = false;
  };
  struct StepWait;

  Progress &of(int32_t thread) { return own[thread - firstThread]; }
  std::shared_ptr<Chain> findChain(uint64_t sum) const;
  Step makeStep(const WgmmaInstruction &words, uint64_t firstSum);
  Step &findStep(int32_t thread, const WgmmaInstruction &words,
                 uint64_t firstSum);
  void checkOperands(int32_t thread, Step &step);
  void checkOperand(int32_t thread, const Step &step, uint64_t operand,
                    bool isAcross, int32_t length);
  template <typename Scalar>
  std::vector<Scalar> readOperand(const WgmmaInstruction &words,
                                  uint64_t operand, bool isAcross,
                                  int32_t length) const;
  template <typename Scalar>
  void add(Step &step, const std::vector<Scalar> &left) const;
  void compute(Step &step) const;

  HopperBlock *block;
  int32_t firstThread;
  std::vector<Progress> own;
  /// Matmuls that not all have waited for; the first has that number.
  std::deque<Step> steps;
  uint64_t firstStep = 0, done = 0;
  std::deque<std::shared_ptr<Chain>> chains;
  uint32_t nextChain = 0;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_WGMMAQUEUE_H
