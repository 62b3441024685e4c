// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constants, conversions of scalars, and index arithmetic.

#ifndef TEGULA_FRONTEND_EMIT_SCALAREMITTER_H
#define TEGULA_FRONTEND_EMIT_SCALAREMITTER_H

#include "tegula/frontend/emit/EmitterPart.h"
#include <map>

namespace tegula {

class ScalarEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  /// An index constant, kept at the top of the function.
  mlir::Value index(int64_t value);
  /// A number known while compiling as a scalar of `type`; null if it does not
  /// fit.
  mlir::Value constant(mlir::Location loc, const Object &number,
                       mlir::Type type);
  /// A scalar as `type`, which keeps its value but for the loss of precision of
  /// narrower floats.
  mlir::Value convert(mlir::Location loc, mlir::Value scalar, mlir::Type type);
  /// A number or scalar as `type`. Floats do not become integers.
  mlir::Value toScalar(mlir::Location loc, const Object &object,
                       mlir::Type type);
  /// An integer or integer scalar as index; `what` names it in the error.
  mlir::Value toIndex(mlir::Location loc, const Object &object,
                      llvm::StringRef what);
  /// A number or scalar as i1.
  mlir::Value toCondition(mlir::Location loc, const Object &object);
  /// The type a number has if nothing else says: INDEX, FP32 or BOOL.
  mlir::Type defaultType(const Object &number);
  /// A number as a run-time value of its default type, anything else itself.
  Object materialize(mlir::Location loc, const Object &object);
  /// An operator on index values, folded as far as it goes and shared with
  /// equal ones before it.
  mlir::Value indexBinary(mlir::Location loc, ast::BinaryOp op, mlir::Value lhs,
                          mlir::Value rhs);
  mlir::Value indexExtreme(mlir::Location loc, bool isMax, mlir::Value lhs,
                           mlir::Value rhs);
  /// An op equal to `op` that can be used here, if there is one not too far
  /// away; then `op` is erased.
  mlir::Value shared(mlir::Operation *op);

private:
  mlir::Value buildIndexBinary(mlir::Location loc, ast::BinaryOp op,
                               mlir::Value lhs, mlir::Value rhs);

  /// A DenseMap could not hold the greatest and the least number.
  std::map<int64_t, mlir::Value> indices;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_SCALAREMITTER_H
