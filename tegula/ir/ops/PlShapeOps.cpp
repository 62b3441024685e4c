// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.reshape_elements of values and pl.view of memory: what they accept and
// what they mean on data.

#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/TouchRecord.h"
#include "tegula/support/ReshapeStrides.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

using Extents = SmallVector<int64_t, 4>;

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlShapeOps.cpp.inc"

static bool isExact(ArrayRef<Dim> dims) {
  return llvm::all_of(dims, [](Dim dim) { return dim.isExact(); });
}

/// Element types agree, and exact extents hold as many elements on both sides.
static LogicalResult verifyShapes(Operation *op, Type source, Type result,
                                  ValueRange sizes) {
  if (getElementOrSelf(source) != getElementOrSelf(result))
    return op->emitOpError("cannot change the element type");
  ArrayRef<Dim> from = getDims(source), to = getDims(result);
  if (sizes.size() != to.size())
    return op->emitOpError("expects ")
           << to.size() << " sizes, got " << sizes.size();
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (Dim known = dimOfExtent(size);
        known.isExact() && !known.isWithin(to[axis]))
      return op->emitOpError("size ") << known.getBound() << " of axis " << axis
                                      << " does not fit the result type";
  if (isExact(from) && isExact(to) && countElements(from) != countElements(to))
    return op->emitOpError("cannot turn ")
           << countElements(from) << " elements into " << countElements(to);
  return success();
}

LogicalResult ReshapeElementsOp::verify() {
  return verifyShapes(*this, getSource().getType(), getResult().getType(),
                      getSizes());
}

LogicalResult ViewOp::verify() {
  return verifyShapes(*this, getSource().getType(), getResult().getType(),
                      getSizes());
}

static int64_t countElements(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    if (__builtin_mul_overflow(count, extent, &count))
      return -1;
  return count;
}

/// The sizes as extents; fails if they do not hold what `source` does.
static FailureOr<Extents> checkedExtents(Operation *op, Frame &frame,
                                         ValueRange sizes,
                                         ArrayRef<int64_t> source) {
  Extents extents = frame.getIndices(sizes);
  for (int64_t &extent : extents)
    extent = std::max<int64_t>(extent, 0);
  if (llvm::is_contained(extents, 0) && llvm::is_contained(source, 0))
    return extents;
  int64_t found = countElements(source), wanted = countElements(extents);
  if (found != wanted)
    return op->emitError("cannot reshape ")
           << found << " elements into a shape of " << wanted;
  return extents;
}

LogicalResult ReshapeElementsOp::interpret(Frame &frame) {
  Tile tile = frame.getTile(getSource());
  FailureOr<Extents> extents =
      checkedExtents(*this, frame, getSizes(), tile.extents);
  if (failed(extents))
    return failure();
  tile.extents = *extents;
  return frame.set(getResult(), std::move(tile));
}

/// The elements of a view, packed in memory of their own.
static Memory packElements(const TensorView &source,
                           ArrayRef<int64_t> extents) {
  auto size = static_cast<int64_t>(getSize(source.dtype));
  int64_t bytes = getDenseBytes(source.getNumElements(), source.dtype);
  std::shared_ptr<char[]> owner(new char[bytes + 1]);
  TensorView packed(owner.get(), source.dtype, extents,
                    rowMajorStrides(extents));
  Strided<char> addresses{source.getFirstElement(), {}};
  for (int64_t stride : source.getStrides())
    addresses.strides.push_back(stride * size);
  char *next = packed.getFirstElement();
  forEachRow(source.getSizes(), [&](ArrayRef<int64_t> index, int64_t length) {
    auto [element, stride] = addresses.row(index);
    for (int64_t column = 0; column < length; ++column, next += size)
      copyElement(next, element + column * stride, source.dtype);
  });
  return Memory{packed, owner};
}

LogicalResult ViewOp::interpret(Frame &frame) {
  const auto &source = std::get<Memory>(frame.get(getSource()));
  const TensorView &from = source.view;
  FailureOr<Extents> extents =
      checkedExtents(*this, frame, getSizes(), from.getSizes());
  if (failed(extents))
    return failure();
  if (extents->size() > TensorView::maxRank)
    return emitError("cannot make a tensor of rank ")
           << extents->size() << ": the limit is " << TensorView::maxRank;
  Extents strides(extents->size());
  StridedShape shape{from.rank, from.sizes, from.strides};
  if (computeReshapedStrides(shape, extents->size(), extents->data(),
                             strides.data()))
    return frame.set(getResult(), Memory{TensorView(from.data, from.dtype,
                                                    *extents, strides),
                                         source.owner});
  if (getAliasing())
    return emitError("cannot view memory with gaps in another shape, because "
                     "it may be written; pass it contiguous, or load it "
                     "before the reshape");
  if (failed(frame.touch(*this, Touch::Read, from)))
    return failure();
  return frame.set(getResult(), packElements(from, *extents));
}
