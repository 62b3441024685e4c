// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/PlOps.h"

using namespace mlir;
using namespace tegula::pl;

/// Narrows `dims` to where `other` is valid too.
static LogicalResult meetDims(std::optional<Location> loc, Dims &dims,
                              ArrayRef<Dim> other) {
  if (dims.size() != other.size())
    return emitOptionalError(loc, "ranks differ: ", dims.size(), " and ",
                             other.size());
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    std::optional<Dim> met = dim.meet(other[axis]);
    if (!met)
      return emitOptionalError(loc, "extents differ on axis ", axis, ": ",
                               dim.getBound(), " and ", other[axis].getBound());
    dim = *met;
  }
  return success();
}

static LogicalResult inferMet(std::optional<Location> loc, ValueRange operands,
                              Type element, SmallVectorImpl<Type> &types) {
  bool isTile = isa<TileType>(operands.front().getType());
  for (Value operand : operands)
    if (isa<TileType>(operand.getType()) != isTile)
      return emitOptionalError(loc, "operands must be all tiles or all "
                                    "scalars");
  if (!isTile) {
    types.push_back(element);
    return success();
  }
  Dims dims(getDims(operands.front().getType()));
  for (Value operand : operands.drop_front())
    if (failed(meetDims(loc, dims, getDims(operand.getType()))))
      return failure();
  types.push_back(TileType::get(element.getContext(), dims, element));
  return success();
}

static LogicalResult requireOneElementType(std::optional<Location> loc,
                                           ValueRange operands) {
  Type first = getElementOrSelf(operands.front().getType());
  for (Value operand : operands.drop_front()) {
    Type element = getElementOrSelf(operand.getType());
    if (element != first)
      return emitOptionalError(loc,
                               "element types differ: ", getTypeName(first),
                               " and ", getTypeName(element));
  }
  return success();
}

LogicalResult
tegula::pl::detail::inferElementwise(std::optional<Location> location,
                                     ValueRange operands,
                                     SmallVectorImpl<Type> &types) {
  if (failed(requireOneElementType(location, operands)))
    return failure();
  return inferMet(location, operands,
                  getElementOrSelf(operands.front().getType()), types);
}

LogicalResult
tegula::pl::detail::inferComparison(std::optional<Location> location,
                                    ValueRange operands,
                                    SmallVectorImpl<Type> &types) {
  if (failed(requireOneElementType(location, operands)))
    return failure();
  Type boolean = IntegerType::get(operands.front().getType().getContext(), 1);
  return inferMet(location, operands, boolean, types);
}

LogicalResult tegula::pl::detail::inferSelect(std::optional<Location> location,
                                              ValueRange operands,
                                              SmallVectorImpl<Type> &types) {
  if (failed(requireOneElementType(location, operands.drop_front())))
    return failure();
  return inferMet(location, operands,
                  getElementOrSelf(operands.back().getType()), types);
}

LogicalResult LoadOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  Type source = operands.front().getType();
  types.push_back(
      TileType::get(context, getDims(source), getElementOrSelf(source)));
  return success();
}

LogicalResult ReadOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(getElementOrSelf(operands.front().getType()));
  return success();
}

static LogicalResult checkAxis(std::optional<Location> loc, int64_t axis,
                               unsigned rank) {
  if (axis >= 0 && axis < static_cast<int64_t>(rank))
    return success();
  return emitOptionalError(loc, "axis ", axis, " is out of range for rank ",
                           rank);
}

LogicalResult
ReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  ReduceOpAdaptor adaptor(operands, attributes, properties, regions);
  auto source = cast<TileType>(adaptor.getSource().getType());
  if (failed(checkAxis(loc, adaptor.getAxis(), source.getRank())))
    return failure();
  if (!isNumber(source.getElementType()))
    return emitOptionalError(loc, "cannot reduce elements of type ",
                             getTypeName(source.getElementType()));
  Dims dims(source.getDims());
  dims[adaptor.getAxis()] = Dim::exactly(1);
  types.push_back(TileType::get(context, dims, source.getElementType()));
  return success();
}

LogicalResult
TransposeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &types) {
  TransposeOpAdaptor adaptor(operands, attributes, properties, regions);
  auto source = cast<TileType>(adaptor.getSource().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  SmallVector<bool> seen(source.getRank());
  Dims dims;
  for (int64_t axis : permutation) {
    if (failed(checkAxis(loc, axis, source.getRank())))
      return failure();
    if (seen[axis])
      return emitOptionalError(loc, "axis ", axis, " appears twice");
    seen[axis] = true;
    dims.push_back(source.getDims()[axis]);
  }
  if (dims.size() != source.getRank())
    return emitOptionalError(loc, "expected ", source.getRank(), " axes, got ",
                             dims.size());
  types.push_back(TileType::get(context, dims, source.getElementType()));
  return success();
}

LogicalResult
ConcatOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  ConcatOpAdaptor adaptor(operands, attributes, properties, regions);
  auto lhs = cast<TileType>(adaptor.getLhs().getType());
  auto rhs = cast<TileType>(adaptor.getRhs().getType());
  int64_t axis = adaptor.getAxis();
  if (failed(requireOneElementType(loc, operands)) ||
      failed(checkAxis(loc, axis, lhs.getRank())))
    return failure();
  if (lhs.getRank() != rhs.getRank())
    return emitOptionalError(loc, "ranks differ: ", lhs.getRank(), " and ",
                             rhs.getRank());
  Dim left = lhs.getDims()[axis], right = rhs.getDims()[axis];
  Dims dims(lhs.getDims()), other(rhs.getDims());
  dims[axis] = other[axis] = Dim::any();
  if (failed(meetDims(loc, dims, other)))
    return failure();
  if (left.isExact() && right.isExact())
    dims[axis] = Dim::exactly(left.getBound() + right.getBound());
  else if (left.hasBound() && right.hasBound())
    dims[axis] = Dim::atMost(left.getBound() + right.getBound());
  types.push_back(TileType::get(context, dims, lhs.getElementType()));
  return success();
}

LogicalResult
InsertOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  InsertOpAdaptor adaptor(operands, attributes, properties, regions);
  auto source = cast<TileType>(adaptor.getSource().getType());
  auto target = cast<TileType>(adaptor.getTarget().getType());
  if (failed(requireOneElementType(loc,
                                   {adaptor.getSource(), adaptor.getTarget()})))
    return failure();
  if (source.getRank() != target.getRank() ||
      adaptor.getOffsets().size() != target.getRank())
    return emitOptionalError(loc, "source of rank ", source.getRank(), " and ",
                             adaptor.getOffsets().size(),
                             " offsets do not fit a target of rank ",
                             target.getRank());
  types.push_back(target);
  return success();
}

LogicalResult FillPadOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &types) {
  auto source = cast<TileType>(operands[0].getType());
  if (operands[1].getType() != source.getElementType())
    return emitOptionalError(loc, "cannot fill a tile of ",
                             getTypeName(source.getElementType()), " with a ",
                             getTypeName(operands[1].getType()));
  Dims dims;
  for (auto [axis, dim] : llvm::enumerate(source.getDims())) {
    if (!dim.hasBound())
      return emitOptionalError(loc, "axis ", axis,
                               " has no static bound to fill up to");
    dims.push_back(Dim::exactly(dim.getBound()));
  }
  types.push_back(TileType::get(context, dims, source.getElementType()));
  return success();
}
