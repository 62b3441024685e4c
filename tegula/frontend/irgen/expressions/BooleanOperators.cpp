// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/expressions/BooleanOperators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/statements/Branches.h"

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

/// An operand, which is a scalar or known while compiling.
Object BooleanOperators::evaluateOperand(const ast::BoolOp &node,
                                         const ast::Expr &operand,
                                         Purpose purpose) {
  bool isForTruth = purpose == Purpose::Truth;
  Object object = isForTruth ? expressions.evaluateCondition(operand)
                             : expressions.evaluate(operand);
  if (object.isPoison() || isConstant(object))
    return object;
  bool isOr = node.op == ast::BoolOpKind::Or;
  if (!object.asScalar())
    return fail(locate(operand), "'" + ast::spelling(node.op) +
                                     "' takes scalars, got " +
                                     describe(object) + "; use " +
                                     (isOr ? "|" : "&") + " for elements");
  if (!isForTruth)
    return object;
  Value condition = emitter.scalars.toCondition(locate(operand), object);
  return condition ? Object(condition) : Object::poison();
}

/// True for what is its own truth.
static bool isBoolean(const Object &object) {
  Value scalar = object.asScalar();
  return object.is<BoolObject>() || (scalar && pl::isBool(scalar.getType()));
}

/// `left and right`, of booleans that have both been evaluated.
static Object combine(mlir::OpBuilder &builder, bool isOr, Value left,
                      const Object &right, Location loc) {
  if (isConstant(right))
    return isTrue(right) == isOr ? Object::boolean(isOr) : Object(left);
  Value value = right.asValue();
  if (isOr)
    return Object(builder.createOrFold<mlir::arith::OrIOp>(loc, left, value));
  return Object(builder.createOrFold<mlir::arith::AndIOp>(loc, left, value));
}

/// `left` where it decides, and the operand elsewhere.
Object BooleanOperators::choose(const ast::BoolOp &node, const Object &left,
                                llvm::function_ref<Object()> right,
                                const ast::Expr &operand, Location loc) {
  bool isOr = node.op == ast::BoolOpKind::Or;
  Value decided = emitter.scalars.toCondition(loc, left);
  if (!decided)
    return Object::poison();
  auto keep = [&] {
    return Variable{isBoolean(left) ? Object::boolean(isOr) : left, loc};
  };
  auto look = [&] { return Variable{right(), locate(operand)}; };
  Object result = isOr ? branches.choose(decided, keep, look, loc)
                       : branches.choose(decided, look, keep, loc);
  if (const auto *unusable = result.as<UnusableObject>())
    return fail(loc,
                "'" + ast::spelling(node.op) +
                    "' gives one of its operands, which must be alike; compare "
                    "them with something where their truth is meant",
                unusable->notes);
  return result;
}

Object BooleanOperators::evaluate(const ast::BoolOp &node, Location loc,
                                  Purpose purpose) {
  bool isOr = node.op == ast::BoolOpKind::Or;
  Object result = Object::boolean(!isOr);
  for (const ast::ExprPtr &operand : node.operands) {
    if (isConstant(result)) {
      if (isTrue(result) == isOr)
        return result;
      result = evaluateOperand(node, *operand, purpose);
      if (result.isPoison())
        return result;
      continue;
    }
    auto look = [&] {
      Object object = evaluateOperand(node, *operand, purpose);
      bool isForTruth = purpose == Purpose::Truth && isConstant(object);
      return isForTruth ? Object::boolean(isTrue(object)) : object;
    };
    if (isPlain(*operand)) {
      Object right = look();
      if (right.isPoison())
        return right;
      result =
          isBoolean(result) && isBoolean(right)
              ? combine(emitter.builder, isOr, result.asValue(), right, loc)
              : choose(node, result, [&] { return right; }, *operand, loc);
    } else {
      result = choose(node, result, look, *operand, loc);
    }
    if (result.isPoison())
      return result;
  }
  return result;
}
