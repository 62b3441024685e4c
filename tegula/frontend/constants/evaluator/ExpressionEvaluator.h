// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Expressions of ordinary Python: names, literals, operators, displays and
/// f-strings. What is made of calls is in FunctionCaller.h.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_EXPRESSIONEVALUATOR_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_EXPRESSIONEVALUATOR_H

#include "tegula/frontend/constants/evaluator/Frame.h"
#include "tegula/frontend/syntax/Ast.h"

namespace tegula {

class Evaluator;
class FunctionCaller;

/// Evaluates expressions.
class ExpressionEvaluator {
public:
  ExpressionEvaluator(Evaluator &evaluator, FunctionCaller &functions)
      : evaluator(evaluator), functions(functions) {}

  /// The value of an expression; stuck if there is none.
  Object evaluate(const ast::Expr &expr, Frame &frame);

private:
  Object visit(const ast::Name &node, const ast::Expr &expr, Frame &frame);
  Object visit(const ast::Attribute &node, const ast::Expr &expr, Frame &frame);
  Object visit(const ast::Integer &node, const ast::Expr &, Frame &);
  Object visit(const ast::Float &node, const ast::Expr &, Frame &);
  Object visit(const ast::String &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Bool &node, const ast::Expr &, Frame &);
  Object visit(const ast::None &, const ast::Expr &, Frame &);
  Object visit(const ast::Ellipsis &, const ast::Expr &, Frame &);
  Object visit(const ast::Unary &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Binary &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Compare &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::BoolOp &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Conditional &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Call &node, const ast::Expr &expr, Frame &frame);
  Object visit(const ast::Subscript &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::List &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Tuple &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Dict &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Set &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Starred &node, const ast::Expr &, Frame &);
  Object visit(const ast::DoubleStarred &node, const ast::Expr &, Frame &);
  Object visit(const ast::NamedExpr &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Comprehension &node, const ast::Expr &, Frame &frame);
  Object visit(const ast::Lambda &node, const ast::Expr &expr, Frame &frame);
  Object visit(const ast::Unsupported &node, const ast::Expr &, Frame &);

  std::optional<std::vector<Object>>
  evaluateAll(const std::vector<ast::ExprPtr> &exprs, Frame &frame,
              Object &problem);
  std::optional<std::string>
  formatParts(const std::vector<ast::FStringPart> &parts, Frame &frame,
              Object &problem);

  Evaluator &evaluator;
  FunctionCaller &functions;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_EXPRESSIONEVALUATOR_H
