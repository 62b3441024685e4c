// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a function does to the tensors it is given: which parameters it writes,
/// and which Out parameters it reads although nothing was written to them yet.

#ifndef TEGULA_FRONTEND_EMIT_TENSORUSE_H
#define TEGULA_FRONTEND_EMIT_TENSORUSE_H

#include "mlir/IR/Value.h"
#include "tegula/frontend/constants/Annotations.h"
#include "tegula/frontend/diagnostics/Reporter.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula {

/// The tensor a view is a part of: follows slices to a parameter or an
/// allocation; null if that depends on the run.
mlir::Value rootOf(mlir::Value tensor);

/// Follows reads and writes in program order.
class TensorUse {
public:
  /// Adds a tensor parameter. `mayWrite` is false if it is declared as In.
  void addParameter(mlir::Value value, const DeclaredParameter &declared,
                    bool mayWrite);

  /// The declaration behind a view, or null.
  const DeclaredParameter *declarationOf(mlir::Value tensor) const;
  /// True if the view belongs to a parameter that must not be written.
  bool isReadOnly(mlir::Value tensor) const;
  /// True if something was written to the parameter.
  bool isWritten(mlir::Value parameter) const;

  void read(mlir::Value tensor, mlir::Location loc);
  void write(mlir::Value tensor);

  /// Call around the body of a loop: what a later iteration reads may have been
  /// written by an earlier one.
  size_t beginLoop() const { return earlyReads.size(); }
  void endLoop(size_t begin);

  /// Reports Out parameters that are read too early.
  void reportEarlyReads(Reporter &reporter) const;
  /// Reports parameters that are declared to be written and never are. An Out
  /// that is only handed back keeps what it held.
  void
  reportUnwritten(Reporter &reporter,
                  llvm::function_ref<bool(mlir::Value)> isHandedBack) const;

  /// Warns of parameters that are written without being declared so.
  void warnUndeclared(Reporter &reporter) const;

private:
  struct Parameter {
    const DeclaredParameter *declared;
    bool mayWrite;
    bool isWritten = false;
  };
  struct EarlyRead {
    mlir::Value parameter;
    mlir::Location loc;
  };

  llvm::DenseMap<mlir::Value, Parameter> parameters;
  std::vector<mlir::Value> order;
  std::vector<EarlyRead> earlyReads;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_TENSORUSE_H
