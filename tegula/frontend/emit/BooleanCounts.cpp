// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Booleans used as numbers: 0 and 1, in the type that was compared.
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/emit/Emitter.h"

using namespace tegula;
using namespace mlir;

/// Masks made of masks are followed no deeper than this.
static constexpr unsigned maxDepth = 4;

/// The element type of what was compared to give `mask`; null if it is no
/// comparison, nor made of some.
static Type comparedType(Value mask, unsigned depth = 0) {
  Operation *op = mask.getDefiningOp();
  if (!op || depth == maxDepth)
    return {};
  if (auto comparison = dyn_cast<pl::CmpOp>(op)) {
    Type element = pl::getElementOrSelf(comparison.getLhs().getType());
    return pl::isBool(element) ? comparedType(comparison.getLhs(), depth + 1)
                               : element;
  }
  if (!isa<pl::AndOp, pl::OrOp, pl::XorOp, pl::NotOp>(op))
    return {};
  Type joined;
  for (Value operand : op->getOperands())
    if (Type type = comparedType(operand, depth + 1))
      joined = joined ? promote(joined, type) : type;
  return joined;
}

static bool isBoolean(const Object &object) {
  Value value = object.asValue();
  return value && pl::isBool(pl::getElementOrSelf(value.getType()));
}

/// The type in which booleans among `operands` are counted.
static Type typeOfCounts(ArrayRef<Object> operands, Builder &builder) {
  Type compared, scalar;
  for (const Object &operand : operands) {
    Value value = operand.asValue();
    Type type = operand.is<FloatObject>() ? Type(builder.getF32Type())
                : isBoolean(operand)      ? comparedType(value)
                : value                   ? value.getType()
                                          : Type();
    if (!type || type.isIndex())
      continue;
    Type &into = isBoolean(operand) ? compared : scalar;
    into = into ? promote(into, type) : type;
  }
  bool needsFloat = scalar && pl::isFloat(scalar);
  if (compared && (pl::isFloat(compared) || !needsFloat))
    return compared;
  return scalar ? scalar : Type(builder.getI32Type());
}

SmallVector<Object> BooleanCounts::count(Location loc,
                                         ArrayRef<Object> operands) {
  SmallVector<Object> counted(operands);
  // A tile of numbers says by itself what the others become; without tiles, a
  // scalar does.
  bool hasTile = llvm::any_of(operands, [](const Object &operand) {
    return operand.asValue() && !operand.asScalar();
  });
  bool isDecided = llvm::any_of(operands, [&](const Object &operand) {
    return operand.asValue() && !isBoolean(operand) &&
           (!hasTile || !operand.asScalar());
  });
  if (isDecided || llvm::none_of(operands, isBoolean))
    return counted;
  Type type = typeOfCounts(operands, builder);
  for (Object &operand : counted)
    if (isBoolean(operand))
      operand =
          emitter.elementwise.cast(loc, operand, type, pl::Rounding::None);
  return counted;
}

Value BooleanCounts::stored(Location loc, Value tile, Type element) {
  if (!pl::isBool(pl::getElementOrSelf(tile.getType())) || pl::isBool(element))
    return tile;
  return emitter.elementwise
      .cast(loc, Object(tile), element, pl::Rounding::None)
      .asValue();
}
