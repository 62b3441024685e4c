// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instructions of NVIDIA's chips as they are written in a program, taken
/// apart.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_PTXTEXT_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_PTXTEXT_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::emulator {

/// An operand of an instruction.
struct PtxOperand {
  /// `$1`, a number, a register such as `p` or `%tid.x`, `[...]`, or `{...}`.
  enum class Kind { Slot, Immediate, Name, Address, List };

  Kind kind = Kind::Name;
  int64_t number = 0;
  std::string name = {};
  std::vector<PtxOperand> parts = {};
};

/// One instruction: `@p mnemonic a, b;`. A label is one that has no mnemonic.
struct PtxInstruction {
  std::string label;
  /// The register that says whether it runs, and whether it must be false.
  std::string predicate;
  bool isNegated = false;
  std::string mnemonic;
  std::vector<PtxOperand> operands;

  /// Whether the mnemonic has these words, separated by dots, at its beginning.
  bool begins(std::string_view words) const;
  /// Whether it has that word somewhere.
  bool has(std::string_view word) const;
};

/// Takes the text apart. Braces around everything are left out.
std::vector<PtxInstruction> readPtx(std::string_view text);

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_PTXTEXT_H
