// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentRules.h"

using namespace mlir;
using namespace tegula::pl;

/// The type of an op on tiles of one shape, or on scalars.
static LogicalResult inferSameShape(std::optional<Location> loc,
                                    ValueRange operands, Type element,
                                    SmallVectorImpl<Type> &types) {
  auto first = dyn_cast<TileType>(operands.front().getType());
  for (Value operand : operands)
    if (isa<TileType>(operand.getType()) != static_cast<bool>(first))
      return emitOptionalError(loc, "operands must be all tiles or all "
                                    "scalars");
  if (!first) {
    types.push_back(element);
    return success();
  }
  for (Value operand : operands.drop_front())
    if (size_t rank = getDims(operand.getType()).size();
        rank != first.getRank())
      return emitOptionalError(loc, "ranks differ: ", first.getRank(), " and ",
                               rank);
  Dims dims;
  for (unsigned axis = 0; axis < first.getRank(); ++axis) {
    std::optional<Dim> dim = ExtentRule::meet(operands, axis).getDim(loc, axis);
    if (!dim)
      return failure();
    dims.push_back(*dim);
  }
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
  return inferSameShape(location, operands,
                        getElementOrSelf(operands.front().getType()), types);
}

LogicalResult
tegula::pl::detail::inferComparison(std::optional<Location> location,
                                    ValueRange operands,
                                    SmallVectorImpl<Type> &types) {
  if (failed(requireOneElementType(location, operands)))
    return failure();
  Type boolean = IntegerType::get(operands.front().getType().getContext(), 1);
  return inferSameShape(location, operands, boolean, types);
}

LogicalResult tegula::pl::detail::inferSelect(std::optional<Location> location,
                                              ValueRange operands,
                                              SmallVectorImpl<Type> &types) {
  if (failed(requireOneElementType(location, operands.drop_front())))
    return failure();
  return inferSameShape(location, operands,
                        getElementOrSelf(operands.back().getType()), types);
}

/// Adds the tile type whose dims follow from the rule of the op.
template <typename Op>
static LogicalResult inferTile(std::optional<Location> loc, const Op &op,
                               unsigned rank, Type element,
                               SmallVectorImpl<Type> &types) {
  Dims dims;
  if (failed(inferDims(loc, op, rank, dims)))
    return failure();
  types.push_back(TileType::get(element.getContext(), dims, element));
  return success();
}

LogicalResult LoadOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  Type source = operands.front().getType();
  return inferTile(loc, LoadOpAdaptor(operands), getDims(source).size(),
                   getElementOrSelf(source), types);
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
ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  ReduceOpAdaptor adaptor(operands, attributes, properties, regions);
  auto source = cast<TileType>(adaptor.getSource().getType());
  if (failed(checkAxis(loc, adaptor.getAxis(), source.getRank())))
    return failure();
  if (!isNumeric(source.getElementType()))
    return emitOptionalError(loc, "cannot reduce elements of type ",
                             getTypeName(source.getElementType()));
  return inferTile(loc, adaptor, source.getRank(), source.getElementType(),
                   types);
}

LogicalResult
TransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &types) {
  TransposeOpAdaptor adaptor(operands, attributes, properties, regions);
  auto source = cast<TileType>(adaptor.getSource().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  SmallVector<bool> seen(source.getRank());
  for (int64_t axis : permutation) {
    if (failed(checkAxis(loc, axis, source.getRank())))
      return failure();
    if (seen[axis])
      return emitOptionalError(loc, "axis ", axis, " appears twice");
    seen[axis] = true;
  }
  if (permutation.size() != source.getRank())
    return emitOptionalError(loc, "expected ", source.getRank(), " axes, got ",
                             permutation.size());
  return inferTile(loc, adaptor, source.getRank(), source.getElementType(),
                   types);
}

LogicalResult
ConcatOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
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
  return inferTile(loc, adaptor, lhs.getRank(), lhs.getElementType(), types);
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

LogicalResult FillPadOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &types) {
  auto source = cast<TileType>(operands[0].getType());
  if (operands[1].getType() != source.getElementType())
    return emitOptionalError(loc, "cannot fill a tile of ",
                             getTypeName(source.getElementType()), " with a ",
                             getTypeName(operands[1].getType()));
  for (auto [axis, dim] : llvm::enumerate(source.getDims()))
    if (!dim.hasBound())
      return emitOptionalError(loc, "axis ", axis,
                               " has no static bound to fill up to");
  return inferTile(loc, FillPadOpAdaptor(operands), source.getRank(),
                   source.getElementType(), types);
}
