// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds the pass that changes what a module computes, by interpreting it
/// after every pass. Internal to the runtime.

#ifndef TEGULA_RUNTIME_CHECK_BISECT_H
#define TEGULA_RUNTIME_CHECK_BISECT_H

#include "tegula/runtime/Check.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/check/ArgumentCopies.h"
#include <memory>
#include <optional>

namespace tegula {

/// What a module computes before any pass, and the first pass that changed it.
class PassBisection {
public:
  /// Interprets the module of `compilation`, which must outlive this, on a
  /// copy of `arguments`.
  [[nodiscard]] static Expected<PassBisection>
  create(Compilation &compilation, llvm::ArrayRef<Argument> arguments);

  /// To be added to the pass manager that runs on the module. This must not
  /// move while it is in use.
  std::unique_ptr<mlir::PassInstrumentation> makeInstrumentation();

  /// The first pass after which an output differs, if there is one.
  const std::optional<Culprit> &getCulprit() const { return culprit; }

  /// The first output that differs from what is expected by more than its type
  /// or `tolerance` allows.
  std::optional<Comparison> compare(llvm::ArrayRef<Argument> found,
                                    double tolerance = 0) const;

  /// Interprets the module as it is after `pass`.
  void look(llvm::StringRef pass);

private:
  PassBisection(Compilation &compilation, Signature signature,
                ArgumentCopies original, ArgumentCopies expected)
      : compilation(&compilation), signature(std::move(signature)),
        original(std::move(original)), expected(std::move(expected)) {}

  Compilation *compilation;
  Signature signature;
  ArgumentCopies original;
  ArgumentCopies expected;
  std::optional<Culprit> culprit;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_CHECK_BISECT_H
