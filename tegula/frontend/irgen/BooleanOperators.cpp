// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/BooleanOperators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/Branches.h"
#include "tegula/frontend/irgen/Expressions.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

/// True if evaluating the expression cannot go wrong and costs next to nothing:
/// names, numbers, and arithmetic and comparisons of them.
static bool isPlain(const ast::Expr &expr) {
  if (const auto *unary = std::get_if<ast::Unary>(&expr.node))
    return isPlain(*unary->operand);
  if (const auto *binary = std::get_if<ast::Binary>(&expr.node))
    return isPlain(*binary->lhs) && isPlain(*binary->rhs);
  if (const auto *compare = std::get_if<ast::Compare>(&expr.node))
    return isPlain(*compare->first) &&
           llvm::all_of(compare->links, [](const ast::CompareLink &link) {
             return isPlain(*link.operand);
           });
  return std::holds_alternative<ast::Name>(expr.node) ||
         std::holds_alternative<ast::Integer>(expr.node) ||
         std::holds_alternative<ast::Float>(expr.node) ||
         std::holds_alternative<ast::Bool>(expr.node);
}

/// An operand as a condition, or what it is while compiling.
Object BooleanOperators::evaluateOperand(const ast::BoolOp &node,
                                         const ast::Expr &operand) {
  Object object = expressions.evaluate(operand);
  if (object.isPoison() || isConstant(object))
    return object;
  bool isOr = node.op == ast::BoolOpKind::Or;
  if (!object.asScalar())
    return fail(locate(operand), "'" + ast::spelling(node.op) +
                                     "' takes scalars, got " +
                                     describe(object) + "; use " +
                                     (isOr ? "|" : "&") + " for elements");
  Value condition = emitter.toCondition(locate(operand), object);
  return condition ? Object(condition) : Object::poison();
}

/// The operand where `decided` does not decide already.
Object BooleanOperators::evaluateUndecided(const ast::BoolOp &node,
                                           const ast::Expr &operand,
                                           Value decided, Location loc) {
  bool isOr = node.op == ast::BoolOpKind::Or;
  auto decide = [&] {
    return Variable{Object::boolean(isOr), locate(operand)};
  };
  auto look = [&] {
    Object object = evaluateOperand(node, operand);
    if (isConstant(object))
      object = Object::boolean(isTrue(object));
    return Variable{object, locate(operand)};
  };
  return isOr ? branches.choose(decided, decide, look, loc)
              : branches.choose(decided, look, decide, loc);
}

Object BooleanOperators::evaluate(const ast::BoolOp &node, Location loc) {
  bool isOr = node.op == ast::BoolOpKind::Or;
  mlir::OpBuilder &builder = emitter.builder;
  Value result;
  Object last;
  for (const ast::ExprPtr &operand : node.operands) {
    if (result && !isPlain(*operand)) {
      Object joined = evaluateUndecided(node, *operand, result, loc);
      if (joined.isPoison() || isConstant(joined))
        return joined;
      result = joined.asValue();
      continue;
    }
    Object object = evaluateOperand(node, *operand);
    if (object.isPoison())
      return object;
    if (isConstant(object)) {
      last = object;
      if (isTrue(object) == isOr)
        return result ? Object::boolean(isOr) : object;
      continue;
    }
    Value condition = object.asValue();
    if (!result)
      result = condition;
    else if (isOr)
      result = builder.createOrFold<mlir::arith::OrIOp>(loc, result, condition);
    else
      result =
          builder.createOrFold<mlir::arith::AndIOp>(loc, result, condition);
  }
  return result ? Object(result) : last;
}
