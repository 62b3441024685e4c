// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's operators.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/frontend/syntax/Operators.h"

using namespace tegula;
using namespace mlir;
namespace arith = mlir::arith;
using ast::BinaryOp;
using pl::Dim;
using pl::getDims;

/// A folded constant, or the error it says.
static Object reported(Emitter &emitter, Location loc, const Object &folded) {
  if (const auto *failure = folded.as<UnusableObject>())
    return emitter.fail(loc, failure->message, failure->notes);
  return folded;
}

/// True for an integer constant or an index scalar: index arithmetic.
bool OperatorEmitter::isIndexLike(const Object &object) {
  if (object.is<IntObject>())
    return true;
  Value scalar = object.asScalar();
  return scalar && scalar.getType().isIndex();
}

/// True if two scalars are combined as INDEX: an INDEX and another integer.
bool OperatorEmitter::combinesAsIndex(const Object &lhs, const Object &rhs) {
  auto isInteger = [](const Object &object) {
    Value scalar = object.asScalar();
    return object.is<IntObject>() ||
           (scalar &&
            (scalar.getType().isIndex() || (pl::isNumeric(scalar.getType()) &&
                                            !pl::isFloat(scalar.getType()))));
  };
  auto isFirmIndex = [](const Object &object) {
    Value scalar = object.asScalar();
    return scalar && scalar.getType().isIndex() &&
           !object.as<ValueObject>()->isWeak;
  };
  return isInteger(lhs) && isInteger(rhs) &&
         (isFirmIndex(lhs) || isFirmIndex(rhs));
}

Object OperatorEmitter::unary(Location loc, ast::UnaryOp op,
                              const Object &operand) {
  if (operand.isPoison())
    return operand;
  if (isConstant(operand))
    return reported(emitter, loc, foldUnary(op, operand));
  if (op == ast::UnaryOp::Not) {
    Value condition = emitter.scalars.toCondition(loc, operand);
    if (!condition)
      return Object::poison();
    Value yes = emitter.scalars.constant(loc, Object::boolean(true),
                                         builder.getI1Type());
    return Object(builder.createOrFold<arith::XOrIOp>(loc, condition, yes));
  }
  if (isIndexLike(operand)) {
    Value value = operand.asValue();
    if (op == ast::UnaryOp::Plus)
      return operand;
    if (op == ast::UnaryOp::Minus)
      return Object(emitter.scalars.indexBinary(
          loc, BinaryOp::Sub, emitter.scalars.index(0), value));
    return Object(emitter.scalars.indexBinary(loc, BinaryOp::BitXor, value,
                                              emitter.scalars.index(-1)));
  }
  if (op == ast::UnaryOp::Plus)
    return operand.asValue()
               ? operand
               : emitter.fail(loc, "cannot apply '+' to " + describe(operand));
  return emitter.elementwise.build(loc, ast::opOf(op), {operand},
                                   ast::spelling(op));
}

/// An INDEX shifted by as many bits as the data says: as INT64 is.
static Object shiftIndex(Emitter &emitter, Location loc, BinaryOp op,
                         const Object &lhs, const Object &rhs) {
  Type wide = emitter.builder.getI64Type();
  std::vector<Object> operands;
  for (const Object &operand : {lhs, rhs}) {
    Value number = emitter.scalars.toIndex(loc, operand, "the operand");
    if (!number)
      return Object::poison();
    operands.push_back(emitter.elementwise.cast(loc, Object(number), wide,
                                                pl::Rounding::None));
  }
  Object shifted = emitter.elementwise.build(loc, ast::opOf(op), operands,
                                             ast::spelling(op));
  return shifted.isPoison()
             ? shifted
             : emitter.elementwise.cast(loc, shifted,
                                        emitter.builder.getIndexType(),
                                        pl::Rounding::None);
}

Object OperatorEmitter::indexOperator(Location loc, BinaryOp op,
                                      const Object &lhs, const Object &rhs) {
  if (op == BinaryOp::Div)
    return emitter.fail(loc,
                        "'/' of integers gives no integer; write // for the "
                        "rounded quotient, or pl.cast to a float first");
  if (op == BinaryOp::Pow)
    return power(loc, lhs, rhs);
  if (op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight) {
    std::optional<int64_t> count = rhs.asInteger();
    if (!count)
      return shiftIndex(emitter, loc, op, lhs, rhs);
    if (*count < 0 || *count > 62)
      return emitter.fail(loc, "an INDEX is shifted by 0 to 62 bits, got " +
                                   describe(rhs));
    Object factor = Object::integer(int64_t(1) << *count);
    return indexOperator(
        loc, op == BinaryOp::ShiftLeft ? BinaryOp::Mul : BinaryOp::FloorDiv,
        lhs, factor);
  }
  if ((op == BinaryOp::FloorDiv || op == BinaryOp::Mod) && rhs.asInteger() == 0)
    return emitter.fail(loc, "division by zero");
  Value left = emitter.scalars.toIndex(loc, lhs, "the operand"),
        right = emitter.scalars.toIndex(loc, rhs, "the operand");
  if (!left || !right)
    return Object::poison();
  Value result = emitter.scalars.indexBinary(loc, op, left, right);
  if (!result)
    return emitter.fail(loc,
                        "cannot apply '" + ast::spelling(op) + "' to INDEX");
  bool isWeak = (!lhs.asValue() || lhs.as<ValueObject>()->isWeak) &&
                (!rhs.asValue() || rhs.as<ValueObject>()->isWeak);
  return Object(ValueObject{result, isWeak});
}

/// The power of two INDEX values, computed as that of INT64.
static Object indexPower(Emitter &emitter, Location loc, const Object &lhs,
                         const Object &rhs) {
  OpBuilder &builder = emitter.builder;
  SmallVector<Object> wide;
  for (const Object *operand : {&lhs, &rhs}) {
    Value index = emitter.scalars.toIndex(loc, *operand, "the operand");
    if (!index)
      return Object::poison();
    wide.push_back(emitter.elementwise.cast(
        loc, Object(index), builder.getI64Type(), pl::Rounding::None));
  }
  return emitter.elementwise.cast(
      loc, emitter.elementwise.build(loc, "pow", wide, "**"),
      builder.getIndexType(), pl::Rounding::None);
}

/// Small constant powers are products.
Object OperatorEmitter::power(Location loc, const Object &lhs,
                              const Object &rhs) {
  std::optional<int64_t> exponent = rhs.asInteger();
  Value base = lhs.asValue();
  bool isFloatBase = base && pl::isFloat(pl::getElementOrSelf(base.getType()));
  if (exponent && *exponent >= 1 && *exponent <= (isFloatBase ? 3 : 16)) {
    Object result = lhs;
    for (int64_t i = 1; i < *exponent; ++i)
      result = binary(loc, BinaryOp::Mul, result, lhs);
    return result;
  }
  bool areIntegers = !holdsFloats(lhs) && !holdsFloats(rhs);
  if (areIntegers && exponent && *exponent < 0)
    return emitter.fail(loc,
                        "a negative power of an integer is no integer; write "
                        "pl.cast to a float first");
  if (isIndexLike(lhs) && isIndexLike(rhs))
    return indexPower(emitter, loc, lhs, rhs);
  return emitter.elementwise.build(loc, "pow", {lhs, rhs}, "**");
}

bool OperatorEmitter::holdsFloats(const Object &object) {
  Value value = object.asValue();
  return object.is<FloatObject>() ||
         (value && pl::isFloat(pl::getElementOrSelf(value.getType())));
}

static bool isOnBits(BinaryOp op) {
  return op == BinaryOp::BitAnd || op == BinaryOp::BitOr ||
         op == BinaryOp::BitXor || op == BinaryOp::ShiftLeft ||
         op == BinaryOp::ShiftRight;
}

Object OperatorEmitter::binary(Location loc, BinaryOp op, const Object &lhs,
                               const Object &rhs) {
  if (lhs.isPoison() || rhs.isPoison())
    return Object::poison();
  if (isConstant(lhs) && isConstant(rhs))
    return reported(emitter, loc, foldBinary(op, lhs, rhs));
  for (const Object *operand : {&lhs, &rhs})
    if (!operand->asValue() && !operand->isNumeric())
      return emitter.fail(loc, "cannot apply '" + ast::spelling(op) + "' to " +
                                   describe(*operand));
  if (op == BinaryOp::MatMul)
    return emitter.matmuls.build(loc, lhs, rhs, {});
  if (isIndexLike(lhs) && isIndexLike(rhs))
    return indexOperator(loc, op, lhs, rhs);
  if (!isOnBits(op)) {
    SmallVector<Object> counted = emitter.booleans.count(loc, {lhs, rhs});
    if (!isSame(counted[0], lhs) || !isSame(counted[1], rhs))
      return binary(loc, op, counted[0], counted[1]);
  }
  if (op == BinaryOp::Pow)
    return power(loc, lhs, rhs);
  bool hasFloat = holdsFloats(lhs) || holdsFloats(rhs);
  if (op == BinaryOp::Div && !hasFloat)
    return emitter.fail(loc,
                        "'/' of integers gives no integer; write // for the "
                        "rounded quotient, or pl.cast to a float first");
  if (combinesAsIndex(lhs, rhs))
    return indexOperator(loc, op, lhs, rhs);
  if (op == BinaryOp::FloorDiv && hasFloat)
    return floorQuotient(loc, lhs, rhs);
  return emitter.elementwise.build(loc, ast::opOf(op), {lhs, rhs},
                                   ast::spelling(op));
}

/// A number as an element of that type.
static double roundTo(Type element, const Object &number) {
  llvm::APFloat value(number.asReal().value_or(0));
  bool isLost;
  value.convert(cast<FloatType>(element).getFloatSemantics(),
                llvm::APFloat::rmNearestTiesToEven, &isLost);
  return value.convertToDouble();
}

/// The largest whole number whose product with `rhs` is not beyond `lhs`, as
/// NumPy computes it: of the exact quotient, not of the rounded one. What is
/// divided by zero is no integer; a zero has the sign of the quotient.
Object OperatorEmitter::floorQuotient(Location loc, const Object &lhs,
                                      const Object &rhs) {
  Object ratio = emitter.elementwise.build(loc, "div", {lhs, rhs}, "//");
  Value value = ratio.asValue();
  if (!value)
    return ratio;
  Type element = pl::getElementOrSelf(value.getType());
  if (element.getIntOrFloatBitWidth() < 32) {
    auto widen = [&](const Object &operand) {
      return operand.asValue()
                 ? emitter.elementwise.cast(loc, operand, builder.getF32Type(),
                                            pl::Rounding::None)
                 : Object::real(roundTo(element, operand));
    };
    Object wide = floorQuotient(loc, widen(lhs), widen(rhs));
    return emitter.elementwise.cast(loc, wide, element, pl::Rounding::None);
  }
  auto is = [&](const Object &a, ast::CompareOp op, const Object &b) {
    return compare(loc, op, a, b);
  };
  const Object zero = Object::real(0), one = Object::real(1);
  Object rest = emitter.elementwise.build(loc, "fmod", {lhs, rhs}, "//");
  Object exact =
      binary(loc, BinaryOp::Div, binary(loc, BinaryOp::Sub, lhs, rest), rhs);
  // The remainder has the sign of `lhs`: rounded to zero, not down.
  Object isBelow =
      binary(loc, BinaryOp::BitAnd, is(rest, ast::CompareOp::Ne, zero),
             is(is(rest, ast::CompareOp::Lt, zero), ast::CompareOp::Ne,
                is(rhs, ast::CompareOp::Lt, zero)));
  exact = emitter.elementwise.select(
      loc, isBelow, binary(loc, BinaryOp::Sub, exact, one), exact);
  Object whole = emitter.elementwise.build(loc, "floor", {exact});
  whole =
      emitter.elementwise.select(loc,
                                 is(binary(loc, BinaryOp::Sub, exact, whole),
                                    ast::CompareOp::Gt, Object::real(0.5)),
                                 binary(loc, BinaryOp::Add, whole, one), whole);
  whole = emitter.elementwise.select(loc, is(exact, ast::CompareOp::Eq, zero),
                                     binary(loc, BinaryOp::Mul, ratio, zero),
                                     whole);
  if (rhs.asReal() && *rhs.asReal() != 0)
    return whole;
  return emitter.elementwise.select(loc, is(rhs, ast::CompareOp::Eq, zero),
                                    ratio, whole);
}

static arith::CmpIPredicate predicateOf(ast::CompareOp op) {
  switch (op) {
  case ast::CompareOp::Lt:
    return arith::CmpIPredicate::slt;
  case ast::CompareOp::Le:
    return arith::CmpIPredicate::sle;
  case ast::CompareOp::Gt:
    return arith::CmpIPredicate::sgt;
  case ast::CompareOp::Ge:
    return arith::CmpIPredicate::sge;
  case ast::CompareOp::Eq:
    return arith::CmpIPredicate::eq;
  default:
    return arith::CmpIPredicate::ne;
  }
}

Object OperatorEmitter::compare(Location loc, ast::CompareOp op,
                                const Object &lhs, const Object &rhs) {
  if (lhs.isPoison() || rhs.isPoison())
    return Object::poison();
  bool isIdentity = op == ast::CompareOp::Is || op == ast::CompareOp::IsNot;
  bool withNone = lhs.is<NoneObject>() || rhs.is<NoneObject>();
  if ((isConstant(lhs) && isConstant(rhs)) || (isIdentity && withNone))
    return reported(emitter, loc, foldCompare(op, lhs, rhs));
  if (isIdentity || op == ast::CompareOp::In || op == ast::CompareOp::NotIn)
    return emitter.fail(loc,
                        "'" + ast::spelling(op) +
                            "' is for values known at compile time; write == "
                            "or !=");
  if ((isIndexLike(lhs) && isIndexLike(rhs)) || combinesAsIndex(lhs, rhs)) {
    Value left = emitter.scalars.toIndex(loc, lhs, "the operand"),
          right = emitter.scalars.toIndex(loc, rhs, "the operand");
    return Object(
        builder.createOrFold<arith::CmpIOp>(loc, predicateOf(op), left, right));
  }
  return emitter.elementwise.comparison(
      loc, *pl::symbolizeComparison(ast::opOf(op)), lhs, rhs);
}

Object OperatorEmitter::extreme(Location loc, bool isMax, const Object &lhs,
                                const Object &rhs) {
  if (lhs.isPoison() || rhs.isPoison())
    return Object::poison();
  if (lhs.isNumeric() && rhs.isNumeric())
    return *foldCall(isMax ? "max" : "min", {lhs, rhs});
  if ((isIndexLike(lhs) && isIndexLike(rhs)) || combinesAsIndex(lhs, rhs))
    return Object(emitter.scalars.indexExtreme(
        loc, isMax, emitter.scalars.toIndex(loc, lhs, "the operand"),
        emitter.scalars.toIndex(loc, rhs, "the operand")));
  return emitter.elementwise.build(loc, isMax ? "maximum" : "minimum",
                                   {lhs, rhs});
}

Object OperatorEmitter::update(Location loc, ast::BinaryOp op,
                               const Object &target, const Object &value) {
  Value tile = target.asTile();
  Value other = tile ? emitter.memory.toTile(loc, value) : Value();
  if (!other ||
      getDims(other.getType()).size() > getDims(tile.getType()).size())
    return binary(loc, op, target, value);
  ArrayRef<Dim> dims = getDims(tile.getType());
  ArrayRef<Dim> others = getDims(other.getType());
  SmallVector<Value> offsets(dims.size(), emitter.scalars.index(0));
  SmallVector<Value> sizes = emitter.extents.allOf(loc, tile);
  bool isShorter = false;
  for (unsigned own = 0; own < others.size(); ++own) {
    unsigned axis = own + dims.size() - others.size();
    if (!dims[axis].hasBound() || !others[own].hasBound() ||
        others[own].getBound() == 1 ||
        emitter.shapes.isProvedEqual(loc, tile, axis, other, own))
      continue;
    sizes[axis] = emitter.extents.of(loc, other, own);
    isShorter = true;
  }
  if (!isShorter)
    return binary(loc, op, target, Object(other));
  Value part = pl::WindowOp::create(builder, loc, tile, offsets, sizes);
  Object changed = binary(loc, op, Object(part), Object(other));
  Value result = changed.asTile();
  if (!result)
    return changed;
  Object whole(tile);
  Type element = pl::getElementOrSelf(result.getType());
  if (element != pl::getElementOrSelf(tile.getType()))
    whole = emitter.elementwise.cast(loc, whole, element, pl::Rounding::Rint);
  if (whole.isPoison())
    return whole;
  SmallVector<Value> operands = {result, whole.asValue()};
  llvm::append_range(operands, offsets);
  Value updated = emitter.create<pl::InsertOp>(loc, "insert", operands, {});
  return updated ? Object(updated) : Object::poison();
}
