// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compares what a compiled kernel computes with the reference interpreter,
/// and finds the pass that changed a result.

#ifndef TEGULA_RUNTIME_CHECK_H
#define TEGULA_RUNTIME_CHECK_H

#include "tegula/runtime/Compiler.h"
#include "tegula/support/Array.h"
#include <string>
#include <vector>

namespace tegula {

/// How far one output is from what was expected.
struct Comparison {
  std::string name;
  /// The greatest |found - expected|.
  double absoluteError = 0;
  /// That divided by the largest finite magnitude among what was expected.
  double relativeError = 0;
  /// What `relativeError` may be.
  double tolerance = 0;
  int64_t numWrong = 0;
  int64_t numElements = 0;
  /// The first wrong element: "[3, 5] is 1.5, expected 2"; empty if all agree.
  std::string firstWrong;

  bool agrees() const { return numWrong == 0; }
};

/// The relative error that two orders of evaluation may differ by.
double getTolerance(DType dtype);

/// The same of a call of the kernel whose matmuls round operands, as the author
/// permits and the target may; else 0. Where sums are near 0 and their terms
/// are not, more than that may be right.
[[nodiscard]] Expected<double>
findRoundedTolerance(const Kernel &kernel, llvm::ArrayRef<Argument> arguments);

/// Compares element by element. Integers must be equal, a float must lie
/// within the tolerance of its type times the largest finite magnitude of
/// `expected`, or within `tolerance` if that is more; NaN equals NaN and
/// infinities equal themselves.
Comparison compareTensors(const std::string &name, const TensorView &found,
                          const TensorView &expected, double tolerance = 0);

/// One comparison per output of the kernel.
struct CheckReport {
  std::vector<Comparison> outputs;

  bool agrees() const;
};

/// Runs `kernel` and the interpreter on copies of `arguments`, and compares.
/// Fails if one of them reports an error.
[[nodiscard]] Expected<CheckReport>
checkCall(const Kernel &kernel, llvm::ArrayRef<Argument> arguments);

/// Who changed a result.
struct Culprit {
  /// The flag of the first pass after which the interpreter gives another
  /// result, or "the target cpu" if only its code does.
  std::string pass;
  /// The output that changed and by how much.
  Comparison output;
  /// The last op that writes this output after the pass, with its location;
  /// empty for the back end.
  std::string op;
};

/// Interprets `arguments` after every pass. Returns nothing if all agree.
[[nodiscard]] Expected<std::optional<Culprit>>
bisectCall(const Kernel &kernel, llvm::ArrayRef<Argument> arguments);

} // namespace tegula

#endif // TEGULA_RUNTIME_CHECK_H
