// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/ir/ops/PlShapeOps.h"

using namespace mlir;
using namespace tegula::pl;

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlSortOps.cpp.inc"

// The ops of PlShapeOps.td register here as well.
void PlDialect::addSortOps() {
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/ops/PlSortOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/ops/PlShapeOps.cpp.inc"
      >();
}

static LogicalResult verifyAxis(Operation *op, int64_t axis, unsigned rank) {
  if (axis >= 0 && axis < static_cast<int64_t>(rank))
    return success();
  return op->emitOpError("axis ")
         << axis << " is out of range for rank " << rank;
}

static LogicalResult verifyElement(Operation *op, StringRef what, Value tensor,
                                   bool fits) {
  if (fits)
    return success();
  return op->emitOpError() << what << " cannot hold "
                           << getElementOrSelf(tensor.getType());
}

static LogicalResult verifyRank(Operation *op, Value tensor, size_t rank) {
  size_t found = getDims(tensor.getType()).size();
  if (found == rank)
    return success();
  return op->emitOpError("all tensors must have rank ")
         << rank << ", got " << found;
}

static bool isInt32(Value tensor) {
  return getElementOrSelf(tensor.getType()).isSignlessInteger(32);
}

LogicalResult ArgReduceOp::verify() {
  unsigned rank = getSource().getType().getRank();
  if (getReduction() != Reduction::Max && getReduction() != Reduction::Min)
    return emitOpError("finds the max or the min only");
  if (failed(verifyAxis(*this, getAxis(), rank)) ||
      failed(verifyRank(*this, getTarget(), rank)) ||
      failed(verifyElement(*this, "source", getSource(),
                           isNumeric(getSource().getType().getElementType()))))
    return failure();
  return verifyElement(*this, "target", getTarget(), isInt32(getTarget()));
}

LogicalResult SortRowsOp::verify() {
  unsigned rank = getSource().getType().getRank();
  Type element = getSource().getType().getElementType();
  if (failed(verifyAxis(*this, getAxis(), rank)) ||
      failed(verifyRank(*this, getValues(), rank)) ||
      failed(verifyRank(*this, getIndices(), rank)) ||
      failed(verifyElement(*this, "source", getSource(), isNumeric(element))) ||
      failed(verifyElement(*this, "values", getValues(),
                           getValues().getType().getElementType() == element)))
    return failure();
  return verifyElement(*this, "indices", getIndices(), isInt32(getIndices()));
}

LogicalResult SortRunsOp::verify() {
  unsigned rank = getSource().getType().getRank();
  if (getRun() < 1 || rank == 0)
    return emitOpError("needs an axis and runs of at least 1");
  if (failed(verifyRank(*this, getIndices(), rank)) ||
      failed(verifyRank(*this, getTarget(), rank)) ||
      failed(verifyElement(*this, "source", getSource(),
                           getSource().getType().getElementType().isF32())) ||
      failed(
          verifyElement(*this, "indices", getIndices(),
                        getIndices().getType().getElementType().isInteger(32))))
    return failure();
  return verifyElement(*this, "target", getTarget(),
                       getTarget().getType().getElementType().isF32());
}

LogicalResult MergeRunsOp::verify() {
  unsigned rank = getTarget().getType().getRank();
  if (getSources().empty() || getSources().size() > 4 || rank == 0)
    return emitOpError("merges rows of 1 to 4 tensors, got ")
           << getSources().size();
  if ((getSources().size() == 1) != (getLength() != nullptr))
    return emitOpError("needs the length of its runs if it has one source");
  SmallVector<Value> tensors(getSources());
  tensors.push_back(getTarget());
  for (Value tensor : tensors)
    if (failed(verifyRank(*this, tensor, rank)) ||
        failed(verifyElement(*this, "tensor", tensor,
                             getElementOrSelf(tensor.getType()).isF32())))
      return failure();
  return success();
}

LogicalResult RunningSumOp::verify() {
  unsigned rank = getSource().getType().getRank();
  Type element = getSource().getType().getElementType();
  if (failed(verifyAxis(*this, getAxis(), rank)) ||
      failed(verifyRank(*this, getTarget(), rank)) ||
      failed(verifyElement(*this, "source", getSource(), isSummed(element))))
    return failure();
  return verifyElement(*this, "target", getTarget(),
                       getTarget().getType().getElementType() == element);
}

bool RunningSumOp::isSummed(Type element) {
  return element.isF32() || element.isF64() || element.isInteger(32) ||
         element.isInteger(64);
}

/// What picks and puts ask of their operands: indices for elements of `direct`
/// that point into `pointed`.
static LogicalResult verifyMove(Operation *op, Value direct, Value pointed,
                                Value index, int64_t axis) {
  size_t rank = getDims(pointed.getType()).size();
  Type element = getElementOrSelf(pointed.getType());
  Type indexElement = getElementOrSelf(index.getType());
  bool isIndex = isIntegerOrBool(indexElement) && !isBool(indexElement);
  if (failed(verifyAxis(op, axis, rank)) ||
      failed(verifyRank(op, direct, rank)) ||
      failed(verifyRank(op, index, rank)) ||
      failed(verifyElement(op, "index", index, isIndex)))
    return failure();
  return verifyElement(op, "tensor", direct,
                       getElementOrSelf(direct.getType()) == element);
}

LogicalResult PickOp::verify() {
  return verifyMove(*this, getTarget(), getSource(), getIndex(), getAxis());
}

LogicalResult PutOp::verify() {
  return verifyMove(*this, getSource(), getTarget(), getIndex(), getAxis());
}
