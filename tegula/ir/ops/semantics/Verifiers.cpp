// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tegula::pl;

LogicalResult BindOp::verify() {
  if (getTensors().empty())
    return emitOpError("needs at least one axis");
  if (getTensors().size() != getAxes().size())
    return emitOpError("has ") << getTensors().size() << " tensors but "
                               << getAxes().size() << " axes";
  for (auto [tensor, axis] : llvm::zip(getTensors(), getAxes())) {
    auto argument = dyn_cast<BlockArgument>(tensor);
    if (!argument ||
        !isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return emitOpError("binds extents of function arguments only");
    ArrayRef<Dim> dims = getDims(tensor.getType());
    if (axis < 0 || axis >= static_cast<int64_t>(dims.size()))
      return emitOpError("axis ")
             << axis << " is out of range for rank " << dims.size();
    if (dims[axis].isExact())
      return emitOpError("axis ")
             << axis << " is exactly " << dims[axis].getBound()
             << " and cannot be a symbol";
  }
  return success();
}

LogicalResult DimOp::verify() {
  size_t rank = getDims(getSource().getType()).size();
  if (getAxis() >= rank)
    return emitOpError("axis ")
           << getAxis() << " is out of range for rank " << rank;
  return success();
}

/// The extent that a constant size gives. Verifiers run all the time: what
/// follows from bounds is not for them.
static std::optional<int64_t> constantExtent(Value size) {
  llvm::APInt constant;
  if (!matchPattern(size, m_ConstantInt(&constant)))
    return std::nullopt;
  return std::max<int64_t>(0, constant.getSExtValue());
}

/// Sizes given as values must agree in number with the rank, and constants
/// among them with the type.
static LogicalResult verifySizes(Operation *op, ValueRange sizes,
                                 ArrayRef<Dim> dims) {
  if (sizes.size() != dims.size())
    return op->emitOpError("expects ")
           << dims.size() << " sizes, got " << sizes.size();
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    std::optional<int64_t> known = constantExtent(size);
    if (known && !Dim::exactly(*known).isWithin(dims[axis]))
      return op->emitOpError("size ") << *known << " of axis " << axis
                                      << " does not fit the result type";
  }
  return success();
}

LogicalResult CreateTensorOp::verify() {
  return verifySizes(*this, getSizes(), getResult().getType().getDims());
}

LogicalResult FullOp::verify() {
  if (getValue().getType() != getResult().getType().getElementType())
    return emitOpError("cannot fill a tile of ")
           << getTypeName(getResult().getType().getElementType()) << " with a "
           << getTypeName(getValue().getType());
  return verifySizes(*this, getSizes(), getResult().getType().getDims());
}

LogicalResult ArangeOp::verify() {
  if (getStart().getType() != getResult().getType().getElementType() ||
      !isNumeric(getStart().getType()))
    return emitOpError("start must be a number of the element type, got ")
           << getTypeName(getStart().getType());
  if (getSizes().empty())
    return emitOpError("needs at least one axis");
  return verifySizes(*this, getSizes(), getResult().getType().getDims());
}

LogicalResult SliceOp::verify() {
  size_t rank = getSource().getType().getRank();
  if (getOffsets().size() != rank || getSizes().size() != rank)
    return emitOpError("expects ")
           << rank << " offsets and sizes, got " << getOffsets().size()
           << " and " << getSizes().size();
  int64_t previous = -1;
  for (int64_t axis : getDrop()) {
    if (axis <= previous || axis >= static_cast<int64_t>(rank))
      return emitOpError("dropped axes must increase and be below ")
             << rank << ", got " << axis;
    if (constantExtent(getSizes()[axis]) != 1)
      return emitOpError("dropped axis ") << axis << " must have size 1";
    previous = axis;
  }
  if (getResult().getType().getRank() != rank - getDrop().size())
    return emitOpError("result must have rank ")
           << rank - getDrop().size() << ", got "
           << getResult().getType().getRank();
  if (getResult().getType().getElementType() !=
      getSource().getType().getElementType())
    return emitOpError("cannot change the element type");
  return success();
}

LogicalResult WindowOp::verify() {
  size_t rank = getSource().getType().getRank();
  if (getOffsets().size() != rank || getSizes().size() != rank)
    return emitOpError("expects ")
           << rank << " offsets and sizes, got " << getOffsets().size()
           << " and " << getSizes().size();
  if (getResult().getType().getRank() != rank)
    return emitOpError("result must have rank ")
           << rank << ", got " << getResult().getType().getRank();
  if (getResult().getType().getElementType() !=
      getSource().getType().getElementType())
    return emitOpError("cannot change the element type");
  return success();
}

LogicalResult StoreOp::verify() {
  TileType tile = getTile().getType();
  TensorViewType target = getTarget().getType();
  if (tile.getElementType() != target.getElementType())
    return emitOpError("cannot store ")
           << getTypeName(tile.getElementType()) << " in a tensor of "
           << getTypeName(target.getElementType());
  if (tile.getRank() != target.getRank())
    return emitOpError("cannot store a tile of rank ")
           << tile.getRank() << " in a view of rank " << target.getRank();
  return success();
}

static LogicalResult verifyIndices(Operation *op, size_t found, size_t rank) {
  if (found == rank)
    return success();
  return op->emitOpError("expects ") << rank << " indices, got " << found;
}

LogicalResult ReadOp::verify() {
  return verifyIndices(*this, getIndices().size(),
                       getDims(getSource().getType()).size());
}

LogicalResult WriteOp::verify() {
  if (getValue().getType() != getTarget().getType().getElementType())
    return emitOpError("cannot write ")
           << getTypeName(getValue().getType()) << " to a tensor of "
           << getTypeName(getTarget().getType().getElementType());
  return verifyIndices(*this, getIndices().size(),
                       getTarget().getType().getRank());
}

LogicalResult CastOp::verify() {
  auto tile = dyn_cast<TileType>(getOperand().getType());
  auto result = dyn_cast<TileType>(getResult().getType());
  if (!tile != !result || (tile && tile.getDims() != result.getDims()))
    return emitOpError("changes the element type only");
  Type from = getElementOrSelf(getOperand().getType());
  Type to = getElementOrSelf(getResult().getType());
  bool narrowsFloat =
      isFloat(from) && isFloat(to) &&
      from.getIntOrFloatBitWidth() >= to.getIntOrFloatBitWidth();
  if (getRounding() == Rounding::Odd && !narrowsFloat)
    return emitOpError("mode odd is for casts to a narrower float, got ")
           << getTypeName(from) << " to " << getTypeName(to);
  return success();
}

LogicalResult BroadcastOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("cannot change the element type");
  if (source.getRank() > result.getRank())
    return emitOpError("cannot remove axes: source has rank ")
           << source.getRank() << ", result " << result.getRank();
  if (failed(verifySizes(*this, getSizes(), result.getDims())))
    return failure();
  for (auto [axis, dim] : llvm::enumerate(result.getDims())) {
    std::optional<unsigned> from = getSourceAxis(axis);
    if (from && source.getDims()[*from] != dim)
      return emitOpError("axis ")
             << axis << " is not of extent 1 and must keep its extent";
    if (getOptionalAxis(axis) && dim.isExact())
      return emitOpError("axis ")
             << axis << " is repeated from at most 1 and cannot be exactly "
             << dim.getBound();
  }
  return success();
}

LogicalResult ReshapeOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("cannot change the element type");
  if (failed(verifySizes(*this, getSizes(), result.getDims())))
    return failure();
  if (source.isExact() && result.isExact()) {
    int64_t from = countElements(source.getDims());
    int64_t to = countElements(result.getDims());
    if (from == to)
      return success();
    return emitOpError("cannot turn ") << from << " elements into " << to;
  }
  auto withoutUnits = [](ArrayRef<Dim> dims) {
    Dims kept;
    llvm::copy_if(dims, std::back_inserter(kept),
                  [](Dim dim) { return !dim.isExactly(1); });
    return kept;
  };
  if (withoutUnits(source.getDims()) != withoutUnits(result.getDims()))
    return emitOpError("with run-time extents may only add and remove axes of "
                       "extent 1");
  return success();
}

LogicalResult WithExtentsOp::verify() {
  return verifySizes(*this, getExtents(), getDims(getType()));
}

LogicalResult RelaxOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType() ||
      source.getRank() != result.getRank())
    return emitOpError("changes what is known of the extents only");
  for (auto [axis, dim] : llvm::enumerate(source.getDims()))
    if (!dim.isWithin(result.getDims()[axis]))
      return emitOpError("result says more of axis ")
             << axis << " than the source";
  return success();
}

/// What ends the region; null if something else does, which is reported
/// elsewhere.
static YieldOp yieldOf(Region &region) {
  Block &body = region.front();
  return body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
}

LogicalResult AtOp::verify() {
  YieldOp yield = yieldOf(getBody());
  if (yield && yield.getValues().getTypes() != getResultTypes())
    return emitOpError("yields ")
           << yield.getValues().size() << " values that do not match its "
           << getNumResults() << " results";
  return success();
}

LogicalResult BarrierOp::verify() {
  if (getKind() == LoopKind::AnyOrder)
    return emitOpError("is among blocks of a grid or among lanes");
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("launches '")
           << getCallee() << "', which is no function";
  FunctionType type = callee.getFunctionType();
  if (TypeRange(type.getInputs()) != TypeRange(getOperands()) ||
      TypeRange(type.getResults()) != TypeRange(getResultTypes()))
    return emitOpError("does not fit the type of '")
           << getCallee() << "', " << type;
  return success();
}

LogicalResult ParallelOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 1 || !body.getArgument(0).getType().isIndex())
    return emitOpError("body must have one index argument");
  YieldOp yield = yieldOf(getBody());
  if (yield && !yield.getValues().empty())
    return emitOpError("carries no values from one iteration to the next");
  return success();
}
