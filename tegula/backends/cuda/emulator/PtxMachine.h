// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs instructions for one thread of an emulated block.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_PTXMACHINE_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_PTXMACHINE_H

#include "tegula/backends/cuda/emulator/PtxText.h"

#include <map>

namespace tegula::emulator {

class PtxCall;

/// What an instruction does.
using PtxAction = void (*)(PtxCall &call, const PtxInstruction &instruction);

/// An instruction with what it does; null if that is not known.
struct PtxStep {
  PtxInstruction instruction;
  PtxAction action;
};
using PtxProgram = std::vector<PtxStep>;

/// A text that a thread runs: its operands, and the registers it has itself.
class PtxCall {
public:
  PtxCall(const PtxProgram &program, uint64_t *slots, int32_t numResults)
      : slots(slots), numResults(numResults), program(program) {}

  void run();

  uint64_t get(const PtxOperand &operand);
  uint32_t getWord(const PtxOperand &operand) {
    return static_cast<uint32_t>(get(operand));
  }
  /// The offset in shared memory that `[address]` means; it has so many bytes.
  uint32_t getOffset(const PtxOperand &address, int64_t bytes);
  void set(const PtxOperand &operand, uint64_t value);
  void jump(const std::string &label);

  /// All operands of the text in order, results first.
  uint64_t *const slots;
  const int32_t numResults;

private:
  const PtxProgram &program;
  size_t at = 0;
  std::map<std::string, uint64_t> registers;
};

/// What an instruction does, by its mnemonic, or null.
PtxAction findAction(const PtxInstruction &instruction);

} // namespace tegula::emulator

extern "C" {

/// Runs the instructions of a text for the thread that calls: `$0` and so on
/// are the operands, of which the first ones are results. `known` is a slot
/// where what is known of the text is kept, null at first.
void tegulaGpuInstruction(const char *text, void **known, uint64_t *operands,
                          int32_t numResults);

} // extern "C"

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_PTXMACHINE_H
