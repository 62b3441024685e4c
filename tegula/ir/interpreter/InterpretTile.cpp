// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that make tiles or move their elements, on data.

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

using Extents = SmallVector<int64_t, 4>;

/// Sizes are given by the author and may be negative; extents may not.
static Extents extentsOfSizes(Frame &frame, ValueRange sizes) {
  Extents extents = frame.getIndices(sizes);
  for (int64_t &extent : extents)
    extent = std::max<int64_t>(extent, 0);
  return extents;
}

static Strided<Slot> rowMajor(Tile &tile) {
  return {tile.elements.data(), rowMajorStrides(tile.extents)};
}
static Strided<const Slot> rowMajor(const Tile &tile) {
  return {tile.elements.data(), rowMajorStrides(tile.extents)};
}

/// Sets the only result of `op` to the elements that `source` addresses.
static LogicalResult gather(Operation *op, Frame &frame, DType dtype,
                            ArrayRef<int64_t> extents,
                            const Strided<const Slot> &source) {
  FailureOr<Tile> tile = frame.makeTile(op, dtype, extents);
  if (failed(tile))
    return failure();
  copySlots(extents, source, rowMajor(*tile));
  return frame.set(op->getResult(0), std::move(*tile));
}

LogicalResult FullOp::interpret(Frame &frame) {
  Scalar value = frame.getScalar(getValue());
  FailureOr<Tile> tile = frame.makeTile(*this, value.getDType(),
                                        extentsOfSizes(frame, getSizes()));
  if (failed(tile))
    return failure();
  llvm::fill(tile->elements, value.getSlot());
  return frame.set(getResult(), std::move(*tile));
}

LogicalResult ArangeOp::interpret(Frame &frame) {
  Scalar start = frame.getScalar(getStart());
  DType dtype = start.getDType();
  FailureOr<Tile> tile =
      frame.makeTile(*this, dtype, extentsOfSizes(frame, getSizes()));
  if (failed(tile))
    return failure();
  int64_t length = tile->extents.back();
  for (auto [index, slot] : llvm::enumerate(tile->elements)) {
    auto column = static_cast<int64_t>(index) % length;
    auto wrapped = static_cast<uint64_t>(start.getSlot().integer) + column;
    slot = (isFloat(dtype)
                ? Scalar::ofReal(dtype, start.getReal() + column)
                : Scalar::ofInteger(dtype, static_cast<int64_t>(wrapped)))
               .getSlot();
  }
  return frame.set(getResult(), std::move(*tile));
}

LogicalResult BroadcastOp::interpret(Frame &frame) {
  const Tile &source = frame.getTile(getSource());
  Extents extents = extentsOfSizes(frame, getSizes());
  Extents sourceStrides = rowMajorStrides(source.extents);
  Strided<const Slot> repeated{source.elements.data(),
                               Extents(extents.size(), 0)};
  for (unsigned axis = 0; axis < extents.size(); ++axis)
    if (std::optional<unsigned> from = getSourceAxis(axis)) {
      extents[axis] = source.extents[*from];
      repeated.strides[axis] = sourceStrides[*from];
    } else if (std::optional<unsigned> optional = getOptionalAxis(axis)) {
      extents[axis] *= source.extents[*optional];
    }
  return gather(*this, frame, source.dtype, extents, repeated);
}

LogicalResult WithExtentsOp::interpret(Frame &frame) {
  ArrayRef<int64_t> found = isa<TileType>(getSource().getType())
                                ? frame.getTile(getSource()).extents
                                : frame.getTensor(getSource()).getSizes();
  Extents said = frame.getIndices(getExtents());
  for (auto [axis, extent] : llvm::enumerate(said))
    if (extent != found[axis])
      return emitError("axis ") << axis << " has extent " << found[axis]
                                << " and is said to have " << extent;
  return frame.set(getResult(), frame.get(getSource()));
}

LogicalResult ReshapeOp::interpret(Frame &frame) {
  Tile tile = frame.getTile(getSource());
  Extents kept;
  for (auto [dim, extent] :
       llvm::zip_equal(getSource().getType().getDims(), tile.extents))
    if (!dim.isExactly(1))
      kept.push_back(extent);
  // Exact extents may change; others keep their order among the axes of 1.
  Extents extents;
  auto next = kept.begin();
  bool isExact = getResult().getType().isExact();
  for (Dim dim : getResult().getType().getDims())
    extents.push_back(isExact || dim.isExactly(1) ? dim.getBound() : *next++);
  tile.extents = extents;
  return frame.set(getResult(), std::move(tile));
}

LogicalResult TransposeOp::interpret(Frame &frame) {
  const Tile &source = frame.getTile(getSource());
  Extents strides = rowMajorStrides(source.extents);
  Extents extents;
  Strided<const Slot> permuted{source.elements.data(), {}};
  for (int64_t axis : getPermutation()) {
    extents.push_back(source.extents[axis]);
    permuted.strides.push_back(strides[axis]);
  }
  return gather(*this, frame, source.dtype, extents, permuted);
}

LogicalResult ConcatOp::interpret(Frame &frame) {
  const Tile &lhs = frame.getTile(getLhs()), &rhs = frame.getTile(getRhs());
  Extents first(lhs.extents), second(rhs.extents);
  for (unsigned axis = 0; axis < first.size(); ++axis)
    if (axis != getAxis())
      first[axis] = second[axis] = std::min(first[axis], second[axis]);
  Extents extents(first);
  extents[getAxis()] += second[getAxis()];
  FailureOr<Tile> tile = frame.makeTile(*this, lhs.dtype, extents);
  if (failed(tile))
    return failure();
  // There is no memory to point into.
  if (tile->elements.empty())
    return frame.set(getResult(), std::move(*tile));
  Strided<Slot> target = rowMajor(*tile);
  copySlots(first, rowMajor(lhs), target);
  target.origin += first[getAxis()] * target.strides[getAxis()];
  copySlots(second, rowMajor(rhs), target);
  return frame.set(getResult(), std::move(*tile));
}

static LogicalResult checkOffsets(Operation *op, ArrayRef<int64_t> offsets) {
  for (auto [axis, offset] : llvm::enumerate(offsets))
    if (offset < 0)
      return mlir::emitError(locationOfIndex(op->getLoc(), axis), "offset ")
             << offset << " on axis " << axis << " is negative";
  return success();
}

/// max(0, min(size, whole - offset)) for an offset that is not negative.
static int64_t clampWindow(int64_t size, int64_t whole, int64_t offset) {
  return std::max<int64_t>(0, std::min(size, whole - offset));
}

LogicalResult WindowOp::interpret(Frame &frame) {
  const Tile &source = frame.getTile(getSource());
  Extents offsets = frame.getIndices(getOffsets());
  Extents sizes = frame.getIndices(getSizes());
  if (failed(checkOffsets(*this, offsets)))
    return failure();
  for (auto [axis, dim] : llvm::enumerate(getResult().getType().getDims())) {
    sizes[axis] = clampWindow(sizes[axis], source.extents[axis], offsets[axis]);
    if (dim.isExact() && sizes[axis] < dim.getBound())
      return mlir::emitError(locationOfIndex(getLoc(), axis), "index ")
             << offsets[axis] + dim.getBound() - 1 << " on axis " << axis
             << " is out of range for extent " << source.extents[axis];
  }
  Strided<const Slot> window = rowMajor(source);
  if (!llvm::is_contained(sizes, 0))
    window.origin += flatIndex(source, offsets);
  return gather(*this, frame, source.dtype, sizes, window);
}

LogicalResult InsertOp::interpret(Frame &frame) {
  const Tile &source = frame.getTile(getSource());
  Tile result = frame.getTile(getTarget());
  Extents offsets = frame.getIndices(getOffsets());
  if (failed(checkOffsets(*this, offsets)))
    return failure();
  Extents part;
  for (unsigned axis = 0; axis < offsets.size(); ++axis)
    part.push_back(
        clampWindow(source.extents[axis], result.extents[axis], offsets[axis]));
  if (!llvm::is_contained(part, 0)) {
    Strided<Slot> target = rowMajor(result);
    target.origin += flatIndex(result, offsets);
    copySlots(part, rowMajor(source), target);
  }
  return frame.set(getResult(), std::move(result));
}

LogicalResult FillPadOp::interpret(Frame &frame) {
  const Tile &source = frame.getTile(getSource());
  Extents bounds;
  for (Dim dim : getResult().getType().getDims())
    bounds.push_back(dim.getBound());
  FailureOr<Tile> tile = frame.makeTile(*this, source.dtype, bounds);
  if (failed(tile))
    return failure();
  llvm::fill(tile->elements, frame.getScalar(getValue()).getSlot());
  copySlots(source.extents, rowMajor(source), rowMajor(*tile));
  return frame.set(getResult(), std::move(*tile));
}

LogicalResult RelaxOp::interpret(Frame &frame) {
  return frame.set(getResult(), frame.get(getSource()));
}
