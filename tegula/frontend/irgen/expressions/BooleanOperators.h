// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `and` and `or`: the right side counts only where the left one does not
/// decide.

#ifndef TEGULA_FRONTEND_IRGEN_EXPRESSIONS_BOOLEANOPERATORS_H
#define TEGULA_FRONTEND_IRGEN_EXPRESSIONS_BOOLEANOPERATORS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Branches;
class Expressions;

/// Evaluates `and` and `or`.
class BooleanOperators : FunctionPart {
public:
  BooleanOperators(FunctionState &state, Expressions &expressions,
                   Branches &branches)
      : FunctionPart(state), expressions(expressions), branches(branches) {}

  /// What the result is for: as in Python it is one of the operands, unless
  /// only its truth counts.
  enum class Purpose { Value, Truth };

  /// Operands known while compiling decide as in Python. Of the others all that
  /// are plain are evaluated, which has no effect but the time it takes.
  Object evaluate(const ast::BoolOp &node, mlir::Location loc,
                  Purpose purpose = Purpose::Value);

private:
  Object evaluateOperand(const ast::BoolOp &node, const ast::Expr &operand,
                         Purpose purpose);
  Object choose(const ast::BoolOp &node, const Object &left,
                llvm::function_ref<Object()> right, const ast::Expr &operand,
                mlir::Location loc);

  Expressions &expressions;
  Branches &branches;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_EXPRESSIONS_BOOLEANOPERATORS_H
