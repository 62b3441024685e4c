// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, conversions of scalars, and index arithmetic.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/emit/Emitter.h"
#include <cmath>

using namespace tegula;
using namespace mlir;
namespace arith = mlir::arith;
Value ScalarEmitter::index(int64_t value) {
  Value &known = indices[value];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(emitter.entry);
  while (builder.getInsertionPoint() != emitter.entry->end() &&
         isa<arith::ConstantOp>(*builder.getInsertionPoint()))
    builder.setInsertionPointAfter(&*builder.getInsertionPoint());
  known =
      arith::ConstantIndexOp::create(builder, builder.getUnknownLoc(), value);
  return known;
}

/// The constants of an unsigned type are made from the signless one.
static Type signless(Type type) {
  return pl::isUnsigned(type)
             ? IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth())
             : type;
}

static bool fits(int64_t value, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (pl::isUnsigned(type))
    return value >= 0 && llvm::isUIntN(width, value);
  return llvm::isIntN(width, value);
}

Value ScalarEmitter::constant(Location loc, const Object &number, Type type) {
  if (pl::isFloat(type)) {
    double real = *number.asReal();
    auto attribute = builder.getFloatAttr(type, real);
    if (attribute.getValue().isNaN() && !std::isnan(real)) {
      emitter.fail(loc, describe(number) + " does not fit " + dtypeName(type) +
                            ", whose largest value is 448");
      return {};
    }
    return arith::ConstantOp::create(builder, loc, attribute);
  }
  if (pl::isBool(type)) {
    if (!number.is<BoolObject>()) {
      emitter.fail(loc, "expected a boolean, got " + describe(number) +
                            "; compare it with something or use True or False");
      return {};
    }
    return arith::ConstantOp::create(
        builder, loc, builder.getBoolAttr(number.as<BoolObject>()->value));
  }
  std::optional<int64_t> integer = number.asInteger();
  if (!integer) {
    emitter.fail(loc, "expected an integer for " + dtypeName(type) + ", got " +
                          describe(number) +
                          "; cast the other operand to a float");
    return {};
  }
  if (type.isIndex())
    return index(*integer);
  if (!fits(*integer, type)) {
    emitter.fail(loc,
                 llvm::Twine(*integer) + " does not fit " + dtypeName(type));
    return {};
  }
  auto attribute = builder.getIntegerAttr(signless(type), *integer);
  Value value = arith::ConstantOp::create(builder, loc, attribute);
  return convert(loc, value, type);
}

Value ScalarEmitter::convert(Location loc, Value scalar, Type type) {
  Type from = scalar.getType();
  if (from == type)
    return scalar;
  Type wide = builder.getI64Type();
  if (from.isIndex()) {
    bool isDirect = type.isSignlessInteger() && !pl::isBool(type);
    Value value = arith::IndexCastOp::create(builder, loc,
                                             isDirect ? type : wide, scalar);
    return convert(loc, value, type);
  }
  if (type.isIndex()) {
    Value value = convert(loc, scalar, wide);
    return arith::IndexCastOp::create(builder, loc, type, value);
  }
  return pl::CastOp::create(builder, loc, type, scalar, pl::Rounding::None);
}

Value ScalarEmitter::toScalar(Location loc, const Object &object, Type type) {
  if (object.isPoison())
    return {};
  if (object.isNumeric())
    return constant(loc, object, type);
  Value scalar = object.asScalar();
  if (!scalar) {
    emitter.fail(loc,
                 "expected " + describe(type) + ", got " + describe(object));
    return {};
  }
  if (pl::isFloat(scalar.getType()) && !pl::isFloat(type)) {
    emitter.fail(loc, "expected " + describe(type) + ", got " +
                          describe(object) + "; write pl.cast");
    return {};
  }
  return convert(loc, scalar, type);
}

Value ScalarEmitter::toIndex(Location loc, const Object &object,
                             StringRef what) {
  if (object.isPoison())
    return {};
  if (std::optional<int64_t> integer = object.asInteger())
    return index(*integer);
  Value scalar = object.asScalar();
  if (scalar && !pl::isFloat(scalar.getType()) && !pl::isBool(scalar.getType()))
    return convert(loc, scalar, builder.getIndexType());
  emitter.fail(loc, what + " must be an integer, got " + describe(object));
  return {};
}

Value ScalarEmitter::toCondition(Location loc, const Object &object) {
  if (object.isPoison())
    return {};
  if (isConstant(object))
    return constant(loc, Object::boolean(isTrue(object)), builder.getI1Type());
  Value scalar = object.asScalar();
  if (!scalar) {
    emitter.fail(loc, describe(object) +
                          " has no single truth value; "
                          "reduce it, or use pl.select to choose "
                          "elements");
    return {};
  }
  if (pl::isBool(scalar.getType()))
    return scalar;
  return emitter.operators
      .compare(loc, ast::CompareOp::Ne, object, Object::integer(0))
      .asValue();
}

Type ScalarEmitter::defaultType(const Object &number) {
  if (number.is<FloatObject>())
    return builder.getF32Type();
  return number.is<BoolObject>() ? Type(builder.getI1Type())
                                 : Type(builder.getIndexType());
}

Object ScalarEmitter::materialize(Location loc, const Object &object) {
  if (!object.isNumeric())
    return object;
  Value value = constant(loc, object, defaultType(object));
  bool isWeak = !object.is<BoolObject>();
  return value ? Object(ValueObject{value, isWeak}) : Object::poison();
}

/// An op equal to `op` that can be used here, if there is one not too far away;
/// then `op` is erased. What is found comes first next time: generated kernels
/// ask for the same few things again and again.
Value ScalarEmitter::shared(Operation *op) {
  constexpr unsigned mostUsers = 1000;
  unsigned numUsers = 0;
  for (Operation *user : op->getOperand(0).getUsers()) {
    if (++numUsers > mostUsers)
      break;
    if (user == op || user->getName() != op->getName() ||
        !OperationEquivalence::isEquivalentTo(
            user, op, OperationEquivalence::IgnoreLocations) ||
        !emitter.extents.isVisible(user->getResult(0)))
      continue;
    op->erase();
    user->setOperand(0, user->getOperand(0));
    return user->getResult(0);
  }
  return op->getResult(0);
}

static Value fold(OpBuilder &builder, Operation *op) {
  SmallVector<Value, 1> results;
  // Nothing comes back if the op was only brought into another order.
  if (failed(builder.tryFold(op, results)) || results.empty())
    return {};
  op->erase();
  return results.front();
}

/// A division whose divisor may be zero gives 0 then, as elements do.
static Value guardedDivision(OpBuilder &builder, Location loc, Value lhs,
                             Value rhs) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value isZero =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rhs, zero);
  Value divisor = arith::SelectOp::create(builder, loc, isZero, one, rhs);
  Value quotient = arith::FloorDivSIOp::create(builder, loc, lhs, divisor);
  return arith::SelectOp::create(builder, loc, isZero, zero, quotient);
}

Value ScalarEmitter::buildIndexBinary(Location loc, ast::BinaryOp op, Value lhs,
                                      Value rhs) {
  auto make = [&](auto created) -> Value {
    if (Value folded = fold(builder, created))
      return folded;
    return shared(created);
  };
  switch (op) {
  case ast::BinaryOp::Add:
    return make(arith::AddIOp::create(builder, loc, lhs, rhs));
  case ast::BinaryOp::Sub:
    return make(arith::SubIOp::create(builder, loc, lhs, rhs));
  case ast::BinaryOp::Mul:
    return make(arith::MulIOp::create(builder, loc, lhs, rhs));
  case ast::BinaryOp::FloorDiv:
    if (matchPattern(rhs, m_Constant()))
      return make(arith::FloorDivSIOp::create(builder, loc, lhs, rhs));
    return guardedDivision(builder, loc, lhs, rhs);
  case ast::BinaryOp::BitAnd:
    return make(arith::AndIOp::create(builder, loc, lhs, rhs));
  case ast::BinaryOp::BitOr:
    return make(arith::OrIOp::create(builder, loc, lhs, rhs));
  case ast::BinaryOp::BitXor:
    return make(arith::XOrIOp::create(builder, loc, lhs, rhs));
  default:
    return {};
  }
}

Value ScalarEmitter::indexBinary(Location loc, ast::BinaryOp op, Value lhs,
                                 Value rhs) {
  if (op != ast::BinaryOp::Mod)
    return buildIndexBinary(loc, op, lhs, rhs);
  Value quotient = buildIndexBinary(loc, ast::BinaryOp::FloorDiv, lhs, rhs);
  Value whole = buildIndexBinary(loc, ast::BinaryOp::Mul, quotient, rhs);
  return buildIndexBinary(loc, ast::BinaryOp::Sub, lhs, whole);
}

Value ScalarEmitter::indexExtreme(Location loc, bool isMax, Value lhs,
                                  Value rhs) {
  Operation *op =
      isMax ? arith::MaxSIOp::create(builder, loc, lhs, rhs).getOperation()
            : arith::MinSIOp::create(builder, loc, lhs, rhs).getOperation();
  if (Value folded = fold(builder, op))
    return folded;
  return shared(op);
}
