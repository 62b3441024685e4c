// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Python's operators on objects.

#ifndef TEGULA_FRONTEND_EMIT_OPERATOREMITTER_H
#define TEGULA_FRONTEND_EMIT_OPERATOREMITTER_H

#include "tegula/frontend/emit/EmitterPart.h"

namespace tegula {

class OperatorEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  Object unary(mlir::Location loc, ast::UnaryOp op, const Object &operand);
  Object binary(mlir::Location loc, ast::BinaryOp op, const Object &lhs,
                const Object &rhs);
  Object compare(mlir::Location loc, ast::CompareOp op, const Object &lhs,
                 const Object &rhs);
  /// True for a float, and for what has floats as elements.
  static bool holdsFloats(const Object &object);
  /// The smaller or larger of two scalars or numbers.
  Object extreme(mlir::Location loc, bool isMax, const Object &lhs,
                 const Object &rhs);
  /// `target op= value`: of a tile, the part where the value is valid changes.
  Object update(mlir::Location loc, ast::BinaryOp op, const Object &target,
                const Object &value);

private:
  Object indexOperator(mlir::Location loc, ast::BinaryOp op, const Object &lhs,
                       const Object &rhs);
  Object power(mlir::Location loc, const Object &lhs, const Object &rhs);
  Object floorQuotient(mlir::Location loc, const Object &lhs,
                       const Object &rhs);
  bool isIndexLike(const Object &object);
  bool combinesAsIndex(const Object &lhs, const Object &rhs);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_OPERATOREMITTER_H
