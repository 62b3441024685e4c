// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is known of extents: where they come from and whether they are equal.

#ifndef TEGULA_FRONTEND_EMIT_EXTENTEMITTER_H
#define TEGULA_FRONTEND_EMIT_EXTENTEMITTER_H

#include "tegula/frontend/emit/EmitterPart.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula {

class ExtentEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  /// The extent of a tensor or tile along an axis.
  mlir::Value of(mlir::Location loc, mlir::Value shaped, unsigned axis);
  llvm::SmallVector<mlir::Value> allOf(mlir::Location loc, mlir::Value shaped);
  /// The same as an object: an integer where it is known.
  Object objectOf(mlir::Location loc, mlir::Value shaped, unsigned axis);
  /// An extent in terms of values as near to the parameters as possible.
  mlir::Value settled(mlir::Location loc, mlir::Value shaped, unsigned axis);
  /// Looks again at what was settled: an op is erased.
  void forgetSettled() { settledExtents.clear(); }
  /// True if a value of a called function depends on nothing but its arguments
  /// and their extents.
  static bool isImportable(mlir::Value value);
  /// Such a value in terms of the arguments of a call.
  mlir::Value importExtent(mlir::Location loc, mlir::Value value,
                           llvm::ArrayRef<mlir::Value> arguments) {
    llvm::DenseMap<mlir::Value, mlir::Value> imported;
    return importExtent(loc, value, arguments, imported);
  }
  /// True if a value can be used at the insertion point.
  bool isVisible(mlir::Value value);
  /// True if two index values are provably equal.
  bool isEqual(mlir::Value lhs, mlir::Value rhs);
  /// True if the extents are provably equal.
  bool isSameExtent(mlir::Location loc, mlir::Value lhs, unsigned lhsAxis,
                    mlir::Value rhs, unsigned rhsAxis);
  /// "M", "128" or "a run-time value", and where a symbol is declared.
  std::string describeExtent(mlir::Location loc, mlir::Value shaped,
                             unsigned axis, std::vector<Note> &notes);

private:
  mlir::Value importExtent(mlir::Location loc, mlir::Value value,
                           llvm::ArrayRef<mlir::Value> arguments,
                           llvm::DenseMap<mlir::Value, mlir::Value> &imported);
  mlir::Value rebuild(mlir::Operation *op,
                      llvm::ArrayRef<mlir::Value> operands);
  mlir::Value settle(mlir::Value value,
                     const llvm::SmallPtrSetImpl<mlir::Operation *> &made);

  /// What `settled` found, so that it need not look again.
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> settledExtents;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_EXTENTEMITTER_H
