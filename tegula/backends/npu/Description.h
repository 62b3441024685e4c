// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a user, and a simulator, can read about a kernel for an NPU: a JSON
/// text beside its code.

#ifndef TEGULA_BACKENDS_NPU_DESCRIPTION_H
#define TEGULA_BACKENDS_NPU_DESCRIPTION_H

#include "tegula/launch/Signature.h"
#include "tegula/support/Error.h"
#include "tegula/support/TraceAbi.h"

#include <string>
#include <vector>

namespace tegula {

/// What a vector region costs, with a name of its own.
struct NamedFormula {
  std::string name;
  TegulaTraceFormula formula;
};

/// A kernel for an NPU, described.
struct NpuDescription {
  std::string kernel;
  /// The machine file.
  std::string machine;
  /// Symbols of the code that computes values and of the code that tells steps.
  std::string valueEntry;
  std::string traceEntry;
  /// Why steps can only be told in a run; empty if they can be without.
  std::string obstacle;
  std::vector<NamedFormula> formulas;
  /// The ways to cut it: rows, columns and depth of products, rows and columns
  /// of other tiles.
  std::vector<std::vector<int64_t>> tilings;
};

/// The JSON text. `signature` is written for readers and not read back.
std::string writeDescription(const NpuDescription &description,
                             const Signature &signature);
[[nodiscard]] Expected<NpuDescription> readDescription(const std::string &text);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_DESCRIPTION_H
