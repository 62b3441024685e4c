// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a user, and a simulator, can read about a kernel for an NPU: a JSON
/// text next to its code.

#ifndef TEGULA_BACKENDS_NPU_TRACE_DESCRIPTION_H
#define TEGULA_BACKENDS_NPU_TRACE_DESCRIPTION_H

#include "tegula/launch/call/Signature.h"
#include "tegula/sim/machine/Machine.h"
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
  Signature signature;
  sim::Machine machine;
  /// Symbols of the code that computes values, if there is any, and of the code
  /// that tells steps.
  std::string valueEntry;
  std::string traceEntry;
  /// Why steps can only be told in a run; empty if they can be without.
  std::string obstacle;
  /// The texts that TegulaCallState::site stands for.
  std::vector<std::string> sites;
  std::vector<NamedFormula> formulas;
  /// The ways to cut it: rows, columns and depth of matmuls, rows and columns
  /// of other tiles.
  std::vector<std::vector<int64_t>> tilings;
  /// The file next to it that has the code that tells steps, and the digest of
  /// what is in it, if any will not do. Of an image, whose code is in it, all
  /// of these are empty.
  std::string library;
  std::string libraryDigest;
  /// What that library needs of a processor, as LLVM calls it.
  std::string libraryFeatures;
};

/// The version of the format of the text.
inline constexpr int64_t descriptionVersion = 3;

/// The JSON text.
std::string writeDescription(const NpuDescription &description);

/// What was written; `path` is what messages call the text. Costs may have
/// been changed since, but nothing that the code relies on.
[[nodiscard]] Expected<NpuDescription> readDescription(llvm::StringRef text,
                                                       llvm::StringRef path);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_DESCRIPTION_H
