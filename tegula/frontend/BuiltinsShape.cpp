// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins about shapes: extents, reshaping, padding.
#include "tegula/frontend/Builtins.h"
#include "tegula/frontend/Dtypes.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static Object buildDim(BuiltinCall &call) {
  Value shaped = call.shaped(0);
  if (!shaped)
    return Object::poison();
  std::optional<unsigned> axis =
      call.axis(1, pl::getDims(shaped.getType()).size());
  return axis ? call.emitter.extentObject(call.loc, shaped, *axis)
              : Object::poison();
}

/// reshape(x, shape); one entry may be -1. A tensor stays a view of its memory.
static Object buildReshape(BuiltinCall &call) {
  Value shaped = call.shaped(0);
  if (!shaped)
    return Object::poison();
  SmallVector<Value> sizes;
  std::vector<Object> entries =
      call[1].asTuple() ? *call[1].asTuple() : std::vector<Object>{call[1]};
  auto isOpen = [](const Object &entry) { return entry.asInteger() == -1; };
  if (llvm::count_if(entries, isOpen) > 1)
    return call.fail("-1 stands once in a shape");
  auto open = llvm::find_if(entries, isOpen);
  size_t position = open - entries.begin();
  bool hasOpen = open != entries.end();
  if (hasOpen)
    entries.erase(open);
  call.arguments[1]->object = Object::tuple(entries);
  if (!call.sizes(1, sizes))
    return Object::poison();
  if (hasOpen)
    sizes.insert(sizes.begin() + position, Value());
  return call.emitter.reshape(call.loc, shaped, sizes);
}

/// transpose(x, axis1, axis2): both axes exchanged
static Object buildTranspose(BuiltinCall &call) {
  Value tile = call.tile(0);
  if (!tile)
    return Object::poison();
  unsigned rank = pl::getDims(tile.getType()).size();
  if (call.has(1) != call.has(2) || (!call.has(1) && rank != 2))
    return call.fail("'transpose' takes the two axes to exchange");
  std::optional<unsigned> first = call.has(1) ? call.axis(1, rank) : 0;
  std::optional<unsigned> second = call.has(2) ? call.axis(2, rank) : 1;
  if (!first || !second)
    return Object::poison();
  SmallVector<int64_t> permutation;
  for (unsigned axis = 0; axis < rank; ++axis)
    permutation.push_back(axis);
  std::swap(permutation[*first], permutation[*second]);
  pl::TransposeOp::Properties properties;
  properties.permutation =
      call.emitter.builder.getDenseI64ArrayAttr(permutation);
  Value result = call.emitter.create<pl::TransposeOp>(call.loc, "transpose",
                                                      tile, properties);
  return result ? Object(result) : Object::poison();
}

static Object buildConcat(BuiltinCall &call) {
  Value lhs = call.tile(0);
  Value rhs = lhs ? call.tile(1) : Value();
  if (!rhs)
    return Object::poison();
  unsigned rank = pl::getDims(lhs.getType()).size();
  if (pl::getDims(rhs.getType()).size() != rank || rank == 0)
    return call.fail("'concat' joins tiles of one rank, got " +
                     describe(lhs.getType()) + " and " +
                     describe(rhs.getType()));
  std::optional<unsigned> axis = call.has(2) ? call.axis(2, rank) : rank - 1;
  if (!axis)
    return Object::poison();
  if (pl::getElementOrSelf(lhs.getType()) !=
      pl::getElementOrSelf(rhs.getType()))
    return call.fail("'concat' joins tiles of one dtype, got " +
                     describe(lhs.getType()) + " and " +
                     describe(rhs.getType()) + "; write pl.cast");
  for (unsigned other = 0; other < rank; ++other)
    if (other != *axis &&
        !call.emitter.checkExtents(call.loc, lhs, other, rhs, other))
      return Object::poison();
  pl::ConcatOp::Properties properties;
  properties.axis = call.emitter.builder.getI64IntegerAttr(*axis);
  Value result = call.emitter.create<pl::ConcatOp>(call.loc, "concat",
                                                   {lhs, rhs}, properties);
  return result ? Object(result) : Object::poison();
}

/// set_validshape(x, rows, cols): the same with a smaller valid region
static Object buildSetValidShape(BuiltinCall &call) {
  Value shaped = call.shaped(0);
  if (!shaped)
    return Object::poison();
  SmallVector<Value> sizes;
  for (unsigned position : {1u, 2u}) {
    if (!call.has(position))
      continue;
    if (call[position].asTuple()) {
      if (!call.sizes(position, sizes))
        return Object::poison();
      continue;
    }
    sizes.push_back(call.emitter.toIndex(call.locOf(position), call[position],
                                         "an extent"));
    if (!sizes.back())
      return Object::poison();
  }
  llvm::ArrayRef<pl::Dim> source = pl::getDims(shaped.getType());
  if (sizes.size() != source.size())
    return call.fail("'set_validshape' needs one extent for each of the " +
                     llvm::Twine(source.size()) + " axes, got " +
                     llvm::Twine(sizes.size()));
  pl::Dims bounds(source);
  SmallVector<Value> offsets(sizes.size(), call.emitter.index(0));
  Value result = call.emitter.window(call.loc, shaped, offsets, sizes, {});
  // What could be filled up before can be filled up after.
  for (auto [axis, dim] : llvm::enumerate(bounds))
    if (dim.hasBound() && pl::dimOfExtent(sizes[axis]) != dim)
      dim = pl::Dim::atMost(dim.getBound());
  mlir::Type element = pl::getElementOrSelf(result.getType());
  if (mlir::isa<pl::TileType>(result.getType()))
    result.setType(pl::TileType::get(element.getContext(), bounds, element));
  else
    result.setType(
        pl::TensorViewType::get(element.getContext(), bounds, element));
  return Object(result);
}

/// The number that `pad` means for an element type.
static Value padScalar(BuiltinCall &call, mlir::Type element) {
  Emitter &emitter = call.emitter;
  Object pad = call.has(1) ? call[1] : Object::integer(0);
  mlir::Location loc = call.has(1) ? call.locOf(1) : call.loc;
  int sign = 0;
  if (const std::string *path = pad.asLanguage()) {
    auto meant = llvm::StringSwitch<std::optional<int>>(*path)
                     .Case("PadValue.zero", 0)
                     .Case("PadValue.max", 1)
                     .Case("PadValue.min", -1)
                     .Default(std::nullopt);
    if (!meant) {
      emitter.fail(loc, "a pad is pl.PadValue.zero, pl.PadValue.max, "
                        "pl.PadValue.min or a number, got " +
                            describe(pad));
      return {};
    }
    sign = *meant;
    pad = Object::integer(0);
  } else if (const auto *real = pad.as<FloatObject>();
             real && std::isinf(real->value)) {
    sign = real->value > 0 ? 1 : -1;
    pad = Object::integer(0);
  }
  if (sign != 0 && pl::isFloat(element))
    pad = Object::real(
        pl::getExtreme(mlir::cast<mlir::FloatType>(element), sign < 0)
            .convertToDouble());
  if (pl::isBool(element))
    pad = Object::boolean(sign > 0);
  if (sign == 0 || pl::isFloat(element) || pl::isBool(element))
    return emitter.toScalar(loc, pad, element);
  IntegerRange range = getIntegerRange(toDType(element));
  int64_t end = sign > 0 ? static_cast<int64_t>(range.high) : range.low;
  if (toDType(element) == DType::UInt64 && sign > 0) {
    Value ones = emitter.constant(loc, Object::integer(-1),
                                  emitter.builder.getI64Type());
    return emitter.convert(loc, ones, element);
  }
  return emitter.constant(loc, Object::integer(end), element);
}

/// fillpad(x, pad): the tile grown to its bounds
static Object buildFillPad(BuiltinCall &call) {
  if (!call.has(1))
    call.arguments[1] = call.arguments[2];
  Value tile = call.tile(0);
  if (!tile)
    return Object::poison();
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(tile.getType())))
    if (!dim.hasBound())
      return call.fail("axis " + llvm::Twine(axis) + " of " +
                       describe(tile.getType()) +
                       " has no static bound to fill up to; load it with a "
                       "constant shape");
  Value value = padScalar(call, pl::getElementOrSelf(tile.getType()));
  if (!value)
    return Object::poison();
  Value result = call.emitter.create<pl::FillPadOp>(call.loc, "fillpad",
                                                    {tile, value}, {});
  return result ? Object(result) : Object::poison();
}

llvm::ArrayRef<Builtin> tegula::shapeBuiltins() {
  static constexpr Builtin table[] = {
      {"dim", "x axis", buildDim, false,
       "the extent of an axis, as `x.shape[axis]`"},
      {"reshape", "x shape", buildReshape, false,
       "the same elements in another shape; one extent may be -1"},
      {"transpose", "x axis1? axis2?", buildTranspose, false,
       "two axes exchanged; those of a matrix if none are given"},
      {"concat", "a b axis?", buildConcat, false,
       "two tiles joined along an axis, the last if none is given"},
      {"set_validshape", "x rows cols?", buildSetValidShape, false,
       "the same tile or view, of which less is valid"},
      {"fillpad", "x pad? pad_value?", buildFillPad, false,
       "the tile grown to its bounds with `pad` (0): a number, "
       "`pl.PadValue.zero`, `.max` or `.min`"},
  };
  return table;
}
