// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instructions that are left out on purpose.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_OMISSION_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_OMISSION_H

#include "tegula/backends/cuda/emulator/PtxText.h"

namespace tegula::emulator {

/// As long as one is there, some threads of the blocks that this thread
/// launches leave out the instructions that begin with these words: to see that
/// the emulator notices. There is one at a time.
class Omission {
public:
  Omission(std::string words, int32_t firstThread, int32_t lastThread);
  ~Omission();
  Omission(const Omission &) = delete;
  Omission &operator=(const Omission &) = delete;

  /// Whether that thread of a block leaves out the instruction.
  static bool isOmitted(const PtxInstruction &instruction, int32_t thread);

private:
  std::string words;
  int32_t firstThread, lastThread;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_OMISSION_H
