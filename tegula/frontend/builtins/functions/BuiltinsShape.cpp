// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins about shapes: extents, reshaping, padding.
#include "tegula/frontend/builtins/BuiltinCall.h"
#include "tegula/frontend/constants/Dtypes.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

Object tegula::buildDim(const DimCall &call) {
  std::optional<unsigned> axis =
      call.axis(pl::getDims(call.x().getType()).size());
  return axis ? call.emitter.extents.objectOf(call.loc, call.x(), *axis)
              : Object::poison();
}

Object tegula::buildIsUnit(const IsUnitCall &call) {
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(call.x().getType());
  std::optional<unsigned> axis = call.axis(dims.size());
  return axis ? Object::boolean(dims[*axis].isUnit()) : Object::poison();
}

Object tegula::buildIsKnown(const IsKnownCall &call) {
  return Object::boolean(call.x()->isNumeric());
}

Object tegula::buildIsInteger(const IsIntegerCall &call) {
  Value scalar = call.x()->asScalar();
  bool isIntegerScalar =
      scalar &&
      (scalar.getType().isIndex() ||
       (pl::isNumeric(scalar.getType()) && !pl::isFloat(scalar.getType())));
  return Object::boolean(call.x()->is<IntObject>() || isIntegerScalar);
}

Object tegula::buildIsTile(const IsTileCall &call) {
  Value value = call.x()->asValue();
  return Object::boolean(
      value && isa<pl::TileType, pl::TensorViewType>(value.getType()));
}

Object tegula::buildIsIndex(const IsIndexCall &call) {
  Value scalar = call.x()->asScalar();
  return Object::boolean(call.x()->is<IntObject>() ||
                         (scalar && scalar.getType().isIndex()));
}

Object tegula::buildAxes(const AxesCall &call) {
  unsigned rank = pl::getDims(call.x().getType()).size();
  std::optional<SmallVector<unsigned>> axes = call.axis().axes(rank);
  if (!axes)
    return Object::poison();
  std::vector<Object> numbers;
  for (unsigned axis : *axes)
    numbers.push_back(Object::integer(axis));
  return Object::tuple(std::move(numbers));
}

/// reshape(x, shape); one entry may be -1. A tensor stays a view of its memory.
Object tegula::buildReshape(const ReshapeCall &call) {
  const Object &shape = call.shape();
  std::vector<Object> entries =
      shape.asTuple() ? *shape.asTuple() : std::vector<Object>{shape};
  auto isOpen = [](const Object &entry) { return entry.asInteger() == -1; };
  if (llvm::count_if(entries, isOpen) > 1)
    return call.fail("-1 stands once in a shape");
  auto open = llvm::find_if(entries, isOpen);
  size_t position = open - entries.begin();
  bool hasOpen = open != entries.end();
  if (hasOpen)
    entries.erase(open);
  std::optional<CallArgument> known =
      CallArgument{Object::tuple(entries), call.shape().loc()};
  std::optional<SmallVector<Value>> sizes =
      BuiltinArgument(call, known).sizes();
  if (!sizes)
    return Object::poison();
  if (hasOpen)
    sizes->insert(sizes->begin() + position, Value());
  return call.emitter.reshapes.build(call.loc, call.x(), *sizes);
}

/// transpose(x, axis1, axis2): both axes exchanged
Object tegula::buildTranspose(const TransposeCall &call) {
  unsigned rank = pl::getDims(call.x().getType()).size();
  if (call.hasAxis1() != call.hasAxis2() || (!call.hasAxis1() && rank != 2))
    return call.fail("'transpose' takes the two axes to exchange");
  std::optional<unsigned> first = call.hasAxis1() ? call.axis1(rank) : 0;
  std::optional<unsigned> second = call.hasAxis2() ? call.axis2(rank) : 1;
  if (!first || !second)
    return Object::poison();
  if (*first == *second)
    return Object(call.x());
  SmallVector<int64_t> permutation;
  for (unsigned axis = 0; axis < rank; ++axis)
    permutation.push_back(axis);
  std::swap(permutation[*first], permutation[*second]);
  pl::TransposeOp::Properties properties;
  properties.permutation =
      call.emitter.builder.getDenseI64ArrayAttr(permutation);
  Value result = call.emitter.create<pl::TransposeOp>(call.loc, "transpose",
                                                      call.x(), properties);
  return result ? Object(result) : Object::poison();
}

static Object concat(const BuiltinCall &call, Value lhs, Value rhs,
                     unsigned axis) {
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
        !call.emitter.shapes.check(call.loc, lhs, other, rhs, other))
      return Object::poison();
  pl::ConcatOp::Properties properties;
  properties.axis = call.emitter.builder.getI64IntegerAttr(axis);
  Value result = call.emitter.create<pl::ConcatOp>(call.loc, "concat",
                                                   {lhs, rhs}, properties);
  return result ? Object(result) : Object::poison();
}

/// concat(a, b, ...), concat([a, b, ...]): one after the other along an axis,
/// the last one if it is left out
Object tegula::buildConcat(const ConcatCall &call) {
  std::vector<Object> parts;
  // An integer among the parts is the axis.
  std::optional<BuiltinArgument> along;
  if (call.axis().isGiven())
    along.emplace(call.axis());
  for (const BuiltinArgument &part : {call.a(), call.b(), call.c(), call.d(),
                                      call.e(), call.f(), call.g(), call.h()}) {
    if (!part.isGiven())
      continue;
    if (const std::vector<Object> *list = part->asTuple())
      llvm::append_range(parts, *list);
    else if (part->asInteger() && !along)
      along.emplace(part);
    else
      parts.push_back(part);
  }
  if (parts.empty())
    return call.fail("'concat' needs something to join");
  Object joined = parts.front();
  std::optional<unsigned> axis;
  for (const Object &part : parts) {
    Value tile =
        part.isPoison() ? Value() : call.emitter.memory.toTile(call.loc, part);
    if (!tile)
      return call.fail("'concat' takes tensors and tiles, got " +
                       describe(part));
    if (!axis) {
      unsigned rank = pl::getDims(tile.getType()).size();
      if (rank == 0)
        return call.fail("'concat' joins along an axis, got " + describe(part));
      axis = along ? along->axis(rank) : rank - 1;
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
Object tegula::buildSetValidShape(const SetValidShapeCall &call) {
  Value shaped = call.x();
  SmallVector<Value> sizes;
  for (const BuiltinArgument &argument : {call.rows(), call.cols()}) {
    if (!argument.isGiven())
      continue;
    if (argument->asTuple()) {
      std::optional<SmallVector<Value>> listed = argument.sizes();
      if (!listed)
        return Object::poison();
      llvm::append_range(sizes, *listed);
      continue;
    }
    sizes.push_back(argument.number("an extent"));
    if (!sizes.back())
      return Object::poison();
  }
  llvm::ArrayRef<pl::Dim> source = pl::getDims(shaped.getType());
  if (sizes.size() != source.size())
    return call.fail("'set_validshape' needs one extent for each of the " +
                     llvm::Twine(source.size()) + " axes, got " +
                     llvm::Twine(sizes.size()));
  pl::Dims bounds(source);
  SmallVector<Value> offsets(sizes.size(), call.emitter.scalars.index(0));
  Value result =
      call.emitter.memory.window(call.loc, shaped, offsets, sizes, {});
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
