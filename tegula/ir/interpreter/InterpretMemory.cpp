// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that touch memory or make views of it, on data.

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/InterpretedRanks.h"
#include "tegula/ir/interpreter/TouchRecord.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

#include <cstring>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

LogicalResult BindOp::interpret(Frame &frame) {
  auto extentOf = [&](unsigned index) {
    return frame.getTensor(getTensors()[index]).sizes[getAxes()[index]];
  };
  int64_t extent = extentOf(0);
  auto describe = [&](unsigned index) {
    auto argument = cast<BlockArgument>(getTensors()[index]);
    return ("axis " + Twine(getAxes()[index]) + " of argument " +
            Twine(argument.getArgNumber()) + " is " + Twine(extentOf(index)))
        .str();
  };
  for (unsigned index = 1; index < getTensors().size(); ++index)
    if (extentOf(index) != extent)
      return emitError("extents bound to '")
             << getSymbol() << "' differ: " << describe(0) << ", "
             << describe(index);
  return frame.set(getExtent(), Scalar::ofIndex(extent));
}

LogicalResult DimOp::interpret(Frame &frame) {
  int64_t extent = isa<TileType>(getSource().getType())
                       ? frame.getTile(getSource()).extents[getAxis()]
                       : frame.getTensor(getSource()).sizes[getAxis()];
  return frame.set(getExtent(), Scalar::ofIndex(extent));
}

/// Memory of a tensor. What was never written is the same in every run.
static FailureOr<std::shared_ptr<char[]>>
allocate(CreateTensorOp op, int64_t bytes, InterpreterState &state) {
  if (state.ranks && op->hasAttr(sharedAttrName))
    return state.ranks->allocateShared(op, state.rank, bytes);
  return std::shared_ptr<char[]>(new char[bytes]());
}

FailureOr<TensorView> Frame::makeView(Operation *op, TensorViewType type,
                                      ValueRange sizes) const {
  SmallVector<int64_t, 4> numbers = getIndices(sizes);
  for (int64_t &size : numbers)
    size = std::max<int64_t>(size, 0);
  if (numbers.size() > TensorView::maxRank)
    return op->emitError("cannot make a tensor of rank ")
           << numbers.size() << ": the limit is " << TensorView::maxRank;
  if (failed(checkSize(op, numbers)))
    return failure();
  return TensorView(nullptr, *getDType(type.getElementType()), numbers,
                    rowMajorStrides(numbers));
}

LogicalResult CreateTensorOp::interpret(Frame &frame) {
  FailureOr<TensorView> view =
      frame.makeView(*this, getResult().getType(), getSizes());
  if (failed(view))
    return failure();
  int64_t elements = view->getNumElements();
  FailureOr<std::shared_ptr<char[]>> memory =
      allocate(*this, getDenseBytes(elements, view->dtype), frame.getState());
  if (failed(memory))
    return failure();
  view->data = memory->get();
  char *first = view->getFirstElement();
  for (TouchRecord *loop : frame.getState().watched)
    loop->forget(first, first + elements * getSize(view->dtype));
  return frame.set(getResult(), Memory{*view, std::move(*memory)});
}

LogicalResult SliceOp::interpret(Frame &frame) {
  const auto &source = std::get<Memory>(frame.get(getSource()));
  SmallVector<int64_t, 4> offsets = frame.getIndices(getOffsets());
  SmallVector<int64_t, 4> sizes = frame.getIndices(getSizes());
  SmallVector<int64_t, 4> extents, strides;
  int64_t start = 0;
  bool isEmpty = false;
  for (unsigned axis = 0; axis < sizes.size(); ++axis) {
    int64_t offset = offsets[axis], whole = source.view.sizes[axis];
    if (offset < 0)
      return mlir::emitError(locationOfIndex(getLoc(), axis), "offset ")
             << offset << " on axis " << axis << " is negative";
    int64_t extent =
        offset >= whole
            ? 0
            : std::max<int64_t>(0, std::min(sizes[axis], whole - offset));
    bool isDropped = llvm::is_contained(getDrop(), static_cast<int64_t>(axis));
    if (isDropped && extent == 0)
      return mlir::emitError(locationOfIndex(getLoc(), axis), "index ")
             << offset << " on axis " << axis << " is out of range for extent "
             << whole;
    isEmpty |= extent == 0;
    start += extent == 0 ? 0 : offset * source.view.strides[axis];
    if (isDropped)
      continue;
    extents.push_back(extent);
    strides.push_back(source.view.strides[axis]);
  }
  DType dtype = source.view.dtype;
  char *data = source.view.getFirstElement();
  if (!isEmpty)
    data += start * static_cast<int64_t>(getSize(dtype));
  return frame.set(
      getResult(),
      Memory{TensorView(data, dtype, extents, strides), source.owner});
}

/// The element at `indices`, a view of nothing else.
static TensorView elementOf(const TensorView &view, ArrayRef<int64_t> indices) {
  int64_t offset = 0;
  for (auto [axis, index] : llvm::enumerate(indices))
    offset += index * view.strides[axis];
  char *data = view.getFirstElement() +
               offset * static_cast<int64_t>(getSize(view.dtype));
  return TensorView(data, view.dtype, {});
}

/// The addresses of a view's elements.
static Strided<char> addressesOf(const TensorView &view) {
  Strided<char> addresses{view.getFirstElement(), {}};
  for (int64_t stride : view.getStrides())
    addresses.strides.push_back(stride *
                                static_cast<int64_t>(getSize(view.dtype)));
  return addresses;
}

LogicalResult LoadOp::interpret(Frame &frame) {
  const TensorView &source = frame.getTensor(getSource());
  FailureOr<Tile> tile = frame.makeTile(*this, source.dtype, source.getSizes());
  if (failed(tile) || failed(frame.touch(*this, Touch::Read, source)))
    return failure();
  Strided<char> addresses = addressesOf(source);
  Slot *next = tile->elements.data();
  forEachRow(source.getSizes(), [&](ArrayRef<int64_t> index, int64_t length) {
    auto [element, stride] = addresses.row(index);
    for (int64_t column = 0; column < length; ++column)
      *next++ = Scalar::read(source.dtype, element + column * stride).getSlot();
  });
  return frame.set(getResult(), std::move(*tile));
}

LogicalResult StoreOp::interpret(Frame &frame) {
  const Tile &tile = frame.getTile(getTile());
  const TensorView &target = frame.getTensor(getTarget());
  SmallVector<int64_t, 4> extents;
  for (auto [tileExtent, viewExtent] :
       llvm::zip_equal(tile.extents, target.getSizes()))
    extents.push_back(std::min(tileExtent, viewExtent));
  if (failed(frame.touch(*this, Touch::Write, target, extents)))
    return failure();
  Strided<const Slot> slots{tile.elements.data(),
                            rowMajorStrides(tile.extents)};
  Strided<char> addresses = addressesOf(target);
  forEachRow(extents, [&](ArrayRef<int64_t> index, int64_t length) {
    auto [slot, slotStride] = slots.row(index);
    auto [element, stride] = addresses.row(index);
    for (int64_t column = 0; column < length; ++column)
      Scalar(tile.dtype, slot[column * slotStride])
          .write(element + column * stride);
  });
  return success();
}

static LogicalResult checkIndices(Operation *op, ArrayRef<int64_t> indices,
                                  ArrayRef<int64_t> extents) {
  for (auto [axis, index] : llvm::enumerate(indices))
    if (index < 0 || index >= extents[axis])
      return mlir::emitError(locationOfIndex(op->getLoc(), axis), "index ")
             << index << " on axis " << axis << " is out of range for extent "
             << extents[axis];
  return success();
}

LogicalResult ReadOp::interpret(Frame &frame) {
  SmallVector<int64_t, 4> indices = frame.getIndices(getIndices());
  if (isa<TileType>(getSource().getType())) {
    const Tile &tile = frame.getTile(getSource());
    if (failed(checkIndices(*this, indices, tile.extents)))
      return failure();
    return frame.set(
        getResult(),
        Scalar(tile.dtype, tile.elements[flatIndex(tile, indices)]));
  }
  const TensorView &view = frame.getTensor(getSource());
  if (failed(checkIndices(*this, indices, view.getSizes())))
    return failure();
  TensorView element = elementOf(view, indices);
  if (failed(frame.touch(*this, Touch::Read, element)))
    return failure();
  return frame.set(
      getResult(),
      Scalar::read(view.dtype, static_cast<const char *>(element.data)));
}

LogicalResult WriteOp::interpret(Frame &frame) {
  SmallVector<int64_t, 4> indices = frame.getIndices(getIndices());
  const TensorView &view = frame.getTensor(getTarget());
  if (failed(checkIndices(*this, indices, view.getSizes())))
    return failure();
  TensorView element = elementOf(view, indices);
  if (failed(frame.touch(*this, Touch::Write, element)))
    return failure();
  frame.getScalar(getValue()).write(static_cast<char *>(element.data));
  return success();
}
