// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops: one element type, one shape, and types the op accepts.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/ir/interpreter/EightBitFloat.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using namespace mlir;

unsigned ElementwiseEmitter::arityOf(StringRef mnemonic) {
  auto name = RegisteredOperationName::lookup(("pl." + mnemonic).str(),
                                              builder.getContext());
  if (!name || !name->hasInterface<pl::ElementwiseOpInterface>() ||
      !name->getAttributeNames().empty())
    return 0;
  if (name->hasTrait<OpTrait::OneOperand>())
    return 1;
  if (name->hasTrait<OpTrait::NOperands<2>::Impl>())
    return 2;
  return name->hasTrait<OpTrait::NOperands<3>::Impl>() ? 3 : 0;
}

/// The element type operands meet in: that of the tiles, or else that of the
/// scalars, or else that of the numbers.
Type ElementwiseEmitter::commonElement(Location loc,
                                       ArrayRef<Object> operands) {
  Type tiles, scalars, weak;
  auto join = [](Type &into, Type type) {
    into = into ? promote(into, type) : type;
  };
  for (const Object &operand : operands) {
    Value value = operand.asValue();
    if (!value)
      join(weak, emitter.scalars.defaultType(operand));
    else if (!operand.asScalar())
      join(tiles, pl::getElementOrSelf(value.getType()));
    else
      join(operand.as<ValueObject>()->isWeak ? weak : scalars, value.getType());
  }
  Type element = tiles ? tiles : scalars ? scalars : weak;
  for (const Object &operand : operands) {
    Value value = operand.asValue();
    bool isFloat = emitter.operators.holdsFloats(operand);
    // Few integers are 8-bit floats, so none becomes one unasked.
    bool isInteger =
        value && !isFloat && !pl::isBool(pl::getElementOrSelf(value.getType()));
    bool isRefused = isFloat ? !pl::isFloat(element)
                             : isInteger && pl::isEightBitFloat(element);
    if (!isRefused)
      continue;
    // Two integers never become floats because of a float scalar next to them.
    if (!tiles && weak && pl::isFloat(weak) && scalars.isIndex())
      return weak;
    emitter.fail(loc, "cannot combine " + describe(operand) +
                          " with elements of " + dtypeName(element) +
                          "; write pl.cast on one of them");
    return {};
  }
  return element;
}

/// Gives all operands one element type; tensors are loaded, scalars stay.
bool ElementwiseEmitter::unify(Location loc, StringRef name,
                               ArrayRef<Object> operands,
                               SmallVectorImpl<Value> &values) {
  for (const Object &operand : operands) {
    if (operand.isPoison())
      return false;
    if (!operand.isNumeric() && !operand.asValue()) {
      emitter.fail(loc, "'" + name +
                            "' takes tensors, tiles and numbers, got " +
                            describe(operand));
      return false;
    }
  }
  Type element = commonElement(loc, operands);
  if (!element)
    return false;
  bool allScalar = llvm::all_of(operands, [](const Object &operand) {
    return operand.isNumeric() || operand.asScalar();
  });
  if (allScalar && element.isIndex()) {
    // Numbers alone: an op of the dialect computes them as floats.
    bool allNumbers = llvm::all_of(
        operands, [](const Object &operand) { return operand.isNumeric(); });
    if (!allNumbers) {
      emitter.fail(loc, "'" + name +
                            "' does not take an INDEX scalar; write pl.cast");
      return false;
    }
    element = builder.getF32Type();
  }
  for (const Object &operand : operands) {
    Value value = emitter.memory.toTile(loc, operand);
    if (!value)
      value = emitter.scalars.toScalar(loc, operand, element);
    else if (pl::getElementOrSelf(value.getType()) != element)
      value = pl::CastOp::create(builder, loc,
                                 pl::withElement(value.getType(), element),
                                 value, pl::Rounding::None);
    if (!value)
      return false;
    values.push_back(value);
  }
  return true;
}

/// If there is a tile, makes all operands tiles of one shape.
bool ElementwiseEmitter::broadcastOperands(Location loc,
                                           MutableArrayRef<Value> values) {
  SmallVector<Value> tiles;
  for (Value value : values)
    if (isa<pl::TileType>(value.getType()))
      tiles.push_back(value);
  if (tiles.empty())
    return true;
  if (!emitter.shapes.broadcastTogether(loc, tiles))
    return false;
  unsigned next = 0;
  for (Value &value : values)
    value = isa<pl::TileType>(value.getType())
                ? tiles[next++]
                : emitter.shapes.fullLike(loc, value, tiles.front());
  return true;
}

/// True for ops on bits.
static bool takesBooleans(StringRef mnemonic) {
  return llvm::StringSwitch<bool>(mnemonic)
      .Cases({"and_", "or_", "xor", "not_", "shl", "shr"}, true)
      .Default(false);
}

Object ElementwiseEmitter::build(Location loc, StringRef mnemonic,
                                 ArrayRef<Object> operands, StringRef name) {
  if (name.empty())
    name = mnemonic;
  SmallVector<Object> counted(operands);
  if (!takesBooleans(mnemonic))
    counted = emitter.booleans.count(loc, operands);
  SmallVector<Value> values;
  if (!unify(loc, name, counted, values) || !broadcastOperands(loc, values))
    return Object::poison();
  OperationState state(loc, ("pl." + mnemonic).str());
  state.addOperands(values);
  auto *inference = state.name.getInterface<InferTypeOpInterface>();
  bool isInferred = succeeded(inference->inferReturnTypes(
      builder.getContext(), std::nullopt, values, {}, OpaqueProperties(nullptr),
      {}, state.types));
  if (!isInferred) {
    emitter.explain(loc, name, [&] {
      (void)inference->inferReturnTypes(builder.getContext(), loc, values, {},
                                        OpaqueProperties(nullptr), {},
                                        state.types);
    });
    return Object::poison();
  }
  Value result = emitter.verified(builder.create(state), name);
  return result ? Object(result) : Object::poison();
}

Object ElementwiseEmitter::comparison(Location loc, pl::Comparison comparison,
                                      const Object &lhs, const Object &rhs) {
  SmallVector<Value> values;
  // True and False are compared with 0 and 1; other numbers with counts.
  bool isCounted = llvm::any_of(ArrayRef{lhs, rhs}, [](const Object &operand) {
    return operand.is<FloatObject>() ||
           (operand.is<IntObject>() && operand.asInteger() != 0 &&
            operand.asInteger() != 1);
  });
  SmallVector<Object> operands = {lhs, rhs};
  if (isCounted)
    operands = emitter.booleans.count(loc, operands);
  // A comparison of an INDEX with another scalar happens in the other's type.
  if (!unify(loc, "cmp", operands, values) || !broadcastOperands(loc, values))
    return Object::poison();
  pl::CmpOp::Properties properties;
  properties.comparison =
      pl::ComparisonAttr::get(builder.getContext(), comparison);
  Value result = emitter.create<pl::CmpOp>(loc, "cmp", values, properties);
  return result ? Object(result) : Object::poison();
}

Object ElementwiseEmitter::select(Location loc, const Object &mask,
                                  const Object &lhs, const Object &rhs) {
  SmallVector<Value> values;
  if (mask.isPoison() || !unify(loc, "select", {lhs, rhs}, values))
    return Object::poison();
  Value condition = emitter.memory.toTile(loc, mask);
  if (!condition)
    condition = emitter.scalars.toCondition(loc, mask);
  if (!condition)
    return Object::poison();
  Type element = pl::getElementOrSelf(condition.getType());
  if (!pl::isBool(element))
    return emitter.fail(loc, "the mask of 'select' must hold BOOL, got " +
                                 dtypeName(element) +
                                 "; compare it with something");
  values.insert(values.begin(), condition);
  if (!broadcastOperands(loc, values))
    return Object::poison();
  Value result = emitter.create<pl::SelectOp>(loc, "select", values, {});
  return result ? Object(result) : Object::poison();
}

static llvm::RoundingMode modeOf(pl::Rounding rounding) {
  switch (rounding) {
  case pl::Rounding::Round:
    return llvm::RoundingMode::NearestTiesToAway;
  case pl::Rounding::Floor:
    return llvm::RoundingMode::TowardNegative;
  case pl::Rounding::Ceil:
    return llvm::RoundingMode::TowardPositive;
  case pl::Rounding::Trunc:
    return llvm::RoundingMode::TowardZero;
  default:
    return llvm::RoundingMode::NearestTiesToEven;
  }
}

/// A number in a float type, rounded once.
static FloatAttr roundNumber(const Object &number, FloatType type,
                             pl::Rounding rounding) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  if (std::optional<int64_t> integer = number.asInteger()) {
    llvm::APFloat value(semantics);
    value.convertFromAPInt(llvm::APInt(64, *integer, /*isSigned=*/true),
                           /*IsSigned=*/true, modeOf(rounding));
    return FloatAttr::get(type, value);
  }
  llvm::APFloat value(*number.asReal());
  bool losesInfo = false;
  value.convert(semantics, modeOf(rounding), &losesInfo);
  return FloatAttr::get(type, value);
}

Object ElementwiseEmitter::cast(Location loc, const Object &operand,
                                Type element, pl::Rounding rounding) {
  if (operand.isPoison())
    return operand;
  if (operand.isNumeric()) {
    Object number = operand;
    if (operand.is<FloatObject>() && !pl::isFloat(element))
      number =
          Object(emitter.scalars.constant(loc, operand, builder.getF64Type()));
    else if (pl::isBool(element))
      number = Object::boolean(*operand.asReal() != 0);
    if (number.isNumeric()) {
      Value value = emitter.scalars.constant(loc, number, element);
      if (!value || !pl::isFloat(element))
        return value ? Object(value) : Object::poison();
      return Object(Value(mlir::arith::ConstantOp::create(
          builder, loc,
          roundNumber(number, llvm::cast<FloatType>(element), rounding))));
    }
    return cast(loc, number, element, rounding);
  }
  Value value = emitter.memory.toTile(loc, operand);
  if (!value)
    value = operand.asScalar();
  if (!value)
    return emitter.fail(loc, "'cast' takes a tensor, a tile or a scalar, got " +
                                 describe(operand));
  bool isTile = isa<pl::TileType>(value.getType());
  // Tiles keep an INDEX in 64 bits.
  if (element.isIndex() && isTile)
    element = builder.getI64Type();
  Type from = pl::getElementOrSelf(value.getType());
  bool narrows =
      pl::isFloat(from) && pl::isFloat(element) && from != element &&
      from.getIntOrFloatBitWidth() >= element.getIntOrFloatBitWidth();
  if (rounding == pl::Rounding::Odd && !narrows)
    return emitter.fail(loc,
                        "mode 'odd' is for casts to a narrower float, got " +
                            dtypeName(from) + " to " + dtypeName(element));
  if (from == element)
    return Object(value);
  if (from.isIndex() && !pl::isFloat(element))
    return Object(emitter.scalars.convert(loc, value, element));
  if (from.isIndex())
    value = emitter.scalars.convert(loc, value, builder.getI64Type());
  Type target = element.isIndex() ? Type(builder.getI64Type()) : element;
  if (from != target)
    value = pl::CastOp::create(builder, loc,
                               pl::withElement(value.getType(), target), value,
                               rounding);
  return Object(isTile ? value : emitter.scalars.convert(loc, value, element));
}
