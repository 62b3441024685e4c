// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/Elementwise.h"
#include "tegula/frontend/syntax/Operators.h"
#include "tegula/ir/extents/IndexRange.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Value;

static bool isIndex(const Object &object) {
  Value scalar = object.asScalar();
  return scalar && scalar.getType().isIndex();
}

/// The quotient of two INDEX values, rounded toward zero: that of both parts of
/// lhs by the size of rhs, with the sign of rhs.
static Object indexQuotient(Emitter &emitter, mlir::Location loc, Value lhs,
                            Value rhs) {
  auto math = [&](ast::BinaryOp op, Value left, Value right) {
    return emitter.scalars.indexBinary(loc, op, left, right);
  };
  Value zero = emitter.scalars.index(0);
  auto larger = [&](Value left, Value right) {
    return emitter.scalars.indexExtreme(loc, /*isMax=*/true, left, right);
  };
  Value size = larger(rhs, math(ast::BinaryOp::Sub, zero, rhs));
  auto partOf = [&](Value value) {
    return math(ast::BinaryOp::FloorDiv, larger(value, zero), size);
  };
  Value quotient = math(ast::BinaryOp::Sub, partOf(lhs),
                        partOf(math(ast::BinaryOp::Sub, zero, lhs)));
  Value sign = larger(emitter.scalars.indexExtreme(loc, /*isMax=*/false, rhs,
                                                   emitter.scalars.index(1)),
                      emitter.scalars.index(-1));
  return Object(math(ast::BinaryOp::Mul, quotient, sign));
}

/// The quotient of two integers, rounded toward zero: `//` of what is left of
/// lhs without its remainder.
static Object truncatedQuotient(Emitter &emitter, mlir::Location loc,
                                const Object &lhs, const Object &rhs) {
  auto isInteger = [](const Object &object) {
    Value scalar = object.asScalar();
    return object.is<IntObject>() || isIndex(object) ||
           (scalar && pl::isNumeric(scalar.getType()));
  };
  bool areIndices =
      (isIndex(lhs) || isIndex(rhs)) && isInteger(lhs) && isInteger(rhs);
  if (areIndices && rhs.asInteger() != 0) {
    Value left = emitter.scalars.toIndex(loc, lhs, "the operand"),
          right = emitter.scalars.toIndex(loc, rhs, "the operand");
    if (!left || !right)
      return Object::poison();
    if (!pl::isNonNegative(left) || !pl::isNonNegative(right))
      return indexQuotient(emitter, loc, left, right);
  }
  if (areIndices)
    return emitter.operators.binary(loc, ast::BinaryOp::FloorDiv, lhs, rhs);
  Object rest = emitter.elementwise.build(loc, "fmod", {lhs, rhs}, "div");
  if (rest.isPoison())
    return rest;
  return emitter.operators.binary(
      loc, ast::BinaryOp::FloorDiv,
      emitter.operators.binary(loc, ast::BinaryOp::Sub, lhs, rest), rhs);
}

Object tegula::buildElementwise(BuiltinCall &&call, StringRef mnemonic) {
  Emitter &emitter = call.emitter;
  llvm::SmallVector<Object> operands;
  for (const std::optional<CallArgument> &argument : call.arguments)
    operands.push_back(argument->object);
  if (operands.size() == 2 && operands[0].isNumeric() &&
      operands[1].isNumeric())
    operands[0] = emitter.scalars.materialize(call.loc, operands[0]);
  if (mnemonic == "maximum" || mnemonic == "minimum")
    return emitter.operators.extreme(call.loc, mnemonic == "maximum",
                                     operands[0], operands[1]);
  bool hasFloat = llvm::any_of(operands, OperatorEmitter::holdsFloats);
  if (mnemonic == "div" && !hasFloat)
    return truncatedQuotient(emitter, call.loc, operands[0], operands[1]);
  if (auto op = ast::binaryOperatorOf(mnemonic, hasFloat))
    return emitter.operators.binary(call.loc, *op, operands[0], operands[1]);
  return emitter.elementwise.build(call.loc, mnemonic, operands);
}
