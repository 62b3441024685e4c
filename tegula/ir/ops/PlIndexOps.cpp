// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlIndexOps.h"

#include "tegula/ir/extents/ExtentRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::pl;

bool BitcastOp::takesElement(Type element) { return isElementType(element); }
StringRef BitcastOp::getElementKind() { return "any element type"; }

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlIndexOps.cpp.inc"

void PlDialect::addIndexOps() {
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/ops/PlIndexOps.cpp.inc"
      >();
}

static LogicalResult checkIndexType(std::optional<Location> loc, Type index) {
  Type element = getElementOrSelf(index);
  if (isIntegerOrBool(element) && !isBool(element))
    return success();
  return emitOptionalError(loc, "indices must be integers, got ",
                           getTypeName(element));
}

static LogicalResult checkAxis(std::optional<Location> loc, int64_t axis,
                               size_t rank, size_t indexRank) {
  if (rank != indexRank)
    return emitOptionalError(loc,
                             "an index along an axis has the rank of what "
                             "it indexes: ",
                             rank, ", got ", indexRank);
  if (axis < 0 || axis >= static_cast<int64_t>(rank))
    return emitOptionalError(loc, "axis ", axis, " is out of range for rank ",
                             rank);
  return success();
}

/// There may be fewer indices along an axis than elements, but not more.
static LogicalResult checkCount(std::optional<Location> loc, unsigned axis,
                                Dim index, Dim source) {
  if (!index.isExact() || !source.isExact() ||
      index.getBound() <= source.getBound())
    return success();
  return emitOptionalError(loc, "axis ", axis, " has ", index.getBound(),
                           " indices and ", source.getBound(), " elements");
}

LogicalResult
GatherOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  GatherOpAdaptor adaptor(operands, attributes, properties, regions);
  auto source = cast<TileType>(adaptor.getSource().getType());
  auto index = cast<TileType>(adaptor.getIndex().getType());
  if (failed(checkIndexType(loc, index)))
    return failure();
  if (std::optional<int64_t> axis = adaptor.getAxis()) {
    if (failed(checkAxis(loc, *axis, source.getRank(), index.getRank())))
      return failure();
    for (unsigned other = 0; other < index.getRank(); ++other)
      if (other != *axis &&
          failed(checkCount(loc, other, index.getDims()[other],
                            source.getDims()[other])))
        return failure();
  }
  Dims dims;
  if (failed(inferDims(loc, adaptor, index.getRank(), dims)))
    return failure();
  types.push_back(TileType::get(context, dims, source.getElementType()));
  return success();
}

/// What both kinds of scatters ask of their operands.
static LogicalResult checkScatter(std::optional<Location> loc, Type source,
                                  Type target, Type index,
                                  std::optional<int64_t> axis) {
  if (failed(checkIndexType(loc, index)))
    return failure();
  if (getElementOrSelf(source) != getElementOrSelf(target))
    return emitOptionalError(loc, "cannot put elements of ",
                             getTypeName(getElementOrSelf(source)), " among ",
                             getTypeName(getElementOrSelf(target)));
  ArrayRef<Dim> from = getDims(source), at = getDims(index);
  if (from.size() != at.size())
    return emitOptionalError(loc,
                             "there must be one index for each element: "
                             "ranks ",
                             from.size(), " and ", at.size());
  for (unsigned other = 0; other < from.size(); ++other)
    if (!from[other].meet(at[other]))
      return emitOptionalError(loc, "axis ", other, " has ",
                               at[other].getBound(), " indices and ",
                               from[other].getBound(), " elements");
  if (!axis)
    return success();
  ArrayRef<Dim> into = getDims(target);
  if (failed(checkAxis(loc, *axis, into.size(), at.size())))
    return failure();
  for (unsigned other = 0; other < from.size(); ++other)
    if (other != *axis &&
        failed(checkCount(loc, other, at[other], into[other])))
      return failure();
  return success();
}

LogicalResult
ScatterOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                            ValueRange operands, DictionaryAttr attributes,
                            OpaqueProperties properties, RegionRange regions,
                            SmallVectorImpl<Type> &types) {
  ScatterOpAdaptor adaptor(operands, attributes, properties, regions);
  Type target = adaptor.getTarget().getType();
  types.push_back(target);
  return checkScatter(loc, adaptor.getSource().getType(), target,
                      adaptor.getIndex().getType(), adaptor.getAxis());
}

LogicalResult ScatterStoreOp::verify() {
  if (getAdd() && !isNumeric(getSource().getType().getElementType()))
    return emitOpError("cannot add elements of type ")
           << getTypeName(getSource().getType().getElementType());
  return checkScatter(getLoc(), getSource().getType(), getTarget().getType(),
                      getIndex().getType(), getAxis());
}

void ScatterStoreOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getAdd())
    effects.emplace_back(MemoryEffects::Read::get(), &getTargetMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

LogicalResult
FindOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                         ValueRange operands, DictionaryAttr attributes,
                         OpaqueProperties properties, RegionRange regions,
                         SmallVectorImpl<Type> &types) {
  FindOpAdaptor adaptor(operands, attributes, properties, regions);
  auto mask = cast<TileType>(adaptor.getMask().getType());
  if (!isBool(mask.getElementType()) || mask.getRank() == 0)
    return emitOptionalError(loc, "the mask must hold booleans along an axis");
  Dims dims;
  if (failed(inferDims(loc, adaptor, mask.getRank(), dims)))
    return failure();
  types.push_back(TileType::get(context, dims, IntegerType::get(context, 32)));
  return success();
}

LogicalResult
BitcastOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                            ValueRange operands, DictionaryAttr attributes,
                            OpaqueProperties properties, RegionRange regions,
                            SmallVectorImpl<Type> &types) {
  BitcastOpAdaptor adaptor(operands, attributes, properties, regions);
  Type from = getElementOrSelf(adaptor.getOperand().getType());
  Type to = adaptor.getElement();
  if (!isNumeric(from) || !isNumeric(to) ||
      from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOptionalError(loc, "cannot read the bits of ", getTypeName(from),
                             " as ", getTypeName(to));
  types.push_back(withElement(adaptor.getOperand().getType(), to));
  return success();
}

Value BitcastOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  Type to = getElement();
  if (auto integer = dyn_cast<IntegerType>(to))
    to = IntegerType::get(getContext(), integer.getWidth());
  if (scalars.front().getType() == to)
    return scalars.front();
  return arith::BitcastOp::create(builder, getLoc(), to, scalars.front());
}

Scalar BitcastOp::evaluate(ArrayRef<Scalar> scalars) {
  return Scalar::ofBits(*getDType(getElement()), scalars.front().getBits());
}
