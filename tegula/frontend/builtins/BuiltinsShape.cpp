// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins about shapes: extents, reshaping, padding.
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/Dtypes.h"

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

static Object concat(BuiltinCall &call, Value lhs, Value rhs, unsigned axis) {
  unsigned rank = pl::getDims(lhs.getType()).size();
  if (pl::getDims(rhs.getType()).size() != rank)
    return call.fail("'concat' joins tiles of one rank, got " +
                     describe(lhs.getType()) + " and " +
                     describe(rhs.getType()));
  if (pl::getElementOrSelf(lhs.getType()) !=
      pl::getElementOrSelf(rhs.getType()))
    return call.fail("'concat' joins tiles of one dtype, got " +
                     describe(lhs.getType()) + " and " +
                     describe(rhs.getType()) + "; write pl.cast");
  for (unsigned other = 0; other < rank; ++other)
    if (other != axis &&
        !call.emitter.checkExtents(call.loc, lhs, other, rhs, other))
      return Object::poison();
  pl::ConcatOp::Properties properties;
  properties.axis = call.emitter.builder.getI64IntegerAttr(axis);
  Value result = call.emitter.create<pl::ConcatOp>(call.loc, "concat",
                                                   {lhs, rhs}, properties);
  return result ? Object(result) : Object::poison();
}

/// concat(a, b, ...), concat([a, b, ...]): one after the other along an axis,
/// the last one if it is left out
static Object buildConcat(BuiltinCall &call) {
  constexpr unsigned axisPosition = 8;
  std::vector<Object> parts;
  for (unsigned position = 0; position < axisPosition; ++position) {
    if (!call.has(position))
      continue;
    if (const std::vector<Object> *list = call[position].asTuple())
      llvm::append_range(parts, *list);
    else if (call[position].asInteger() && !call.has(axisPosition))
      call.arguments[axisPosition] = call.arguments[position];
    else
      parts.push_back(call[position]);
  }
  if (parts.empty())
    return call.fail("'concat' needs something to join");
  Object joined = parts.front();
  std::optional<unsigned> axis;
  for (const Object &part : parts) {
    Value tile =
        part.isPoison() ? Value() : call.emitter.toTile(call.loc, part);
    if (!tile)
      return call.fail("'concat' takes tensors and tiles, got " +
                       describe(part));
    if (!axis) {
      unsigned rank = pl::getDims(tile.getType()).size();
      if (rank == 0)
        return call.fail("'concat' joins along an axis, got " + describe(part));
      axis = call.has(axisPosition) ? call.axis(axisPosition, rank) : rank - 1;
      if (!axis)
        return Object::poison();
      joined = Object(tile);
      continue;
    }
    joined = concat(call, joined.asValue(), tile, *axis);
    if (joined.isPoison())
      return joined;
  }
  return joined;
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

llvm::ArrayRef<Builtin> tegula::shapeBuiltins() {
  static constexpr Builtin table[] = {
      {"dim", "x axis", buildDim, false,
       "the extent of an axis, as `x.shape[axis]`"},
      {"reshape", "x shape", buildReshape, false,
       "the same elements in another shape; one extent may be -1"},
      {"transpose", "x axis1? axis2?", buildTranspose, false,
       "two axes exchanged; those of a matrix if none are given"},
      {"concat", "a|src0 b|src1? c? d? e? f? g? h? axis?", buildConcat, false,
       "tiles, or a list of them, joined along an axis, the last if none is "
       "given"},
      {"set_validshape", "x rows cols?", buildSetValidShape, false,
       "the same tile or view, of which less is valid"},
  };
  return table;
}
