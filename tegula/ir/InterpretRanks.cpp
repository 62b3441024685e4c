// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of programs over ranks, on data.

#include "tegula/ir/Frame.h"
#include "tegula/ir/PlRankOps.h"
#include "tegula/ir/TileWalk.h"

#include <cstring>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

LogicalResult RankOp::interpret(Frame &frame) {
  return frame.set(getRank(), Number::ofIndex(0));
}

LogicalResult RankCountOp::interpret(Frame &frame) {
  return frame.set(getCount(), Number::ofIndex(1));
}

LogicalResult AllocWindowOp::interpret(Frame &frame) {
  SmallVector<int64_t, 1> sizes = {
      std::max<int64_t>(frame.getIndex(getBytes()), 0)};
  if (failed(frame.checkSize(*this, sizes)))
    return failure();
  std::shared_ptr<char[]> memory(new char[sizes.front() + 1]());
  TensorView view(memory.get(), DType::UInt8, sizes, rowMajorStrides(sizes));
  return frame.set(getResult(), Memory{view, std::move(memory)});
}

LogicalResult RetypeOp::interpret(Frame &frame) {
  const auto &source = std::get<Memory>(frame.get(getSource()));
  SmallVector<int64_t, 4> sizes = frame.getIndices(getSizes());
  for (int64_t &size : sizes)
    size = std::max<int64_t>(size, 0);
  if (sizes.size() > TensorView::maxRank)
    return emitError("cannot make a tensor of rank ")
           << sizes.size() << ": the limit is " << TensorView::maxRank;
  if (failed(frame.checkSize(*this, sizes)))
    return failure();
  DType dtype = *getDType(getResult().getType().getElementType());
  TensorView view(source.view.data, dtype, sizes, rowMajorStrides(sizes));
  auto wanted =
      static_cast<int64_t>(getDenseBytes(view.getNumElements(), dtype));
  if (wanted > source.view.sizes[0])
    return emitError("a tensor of ")
           << wanted << " bytes does not fit in a window of "
           << source.view.sizes[0];
  return frame.set(getResult(), Memory{view, source.owner});
}

/// Fails if there is no such rank.
static LogicalResult checkRank(Operation *op, int64_t rank) {
  if (rank != 0)
    return op->emitError("there is no rank ")
           << rank << ": the number of ranks is 1";
  return success();
}

LogicalResult PeerOp::interpret(Frame &frame) {
  if (failed(checkRank(*this, frame.getIndex(getPeer()))))
    return failure();
  return frame.set(getResult(), frame.get(getSource()));
}

LogicalResult PeerEndOp::interpret(Frame &) { return success(); }

/// Where a signal lies.
static FailureOr<char *> signalAt(Operation *op, const TensorView &view,
                                  ArrayRef<int64_t> indices) {
  int64_t offset = 0;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    if (index < 0 || index >= view.sizes[axis])
      return op->emitError("index ")
             << index << " on axis " << axis << " is out of range for extent "
             << view.sizes[axis];
    offset += index * view.strides[axis];
  }
  return view.getFirstElement() +
         offset * static_cast<int64_t>(sizeof(int32_t));
}

LogicalResult NotifyOp::interpret(Frame &frame) {
  if (failed(checkRank(*this, frame.getIndex(getPeer()))))
    return failure();
  FailureOr<char *> place = signalAt(*this, frame.getTensor(getSignal()),
                                     frame.getIndices(getIndices()));
  if (failed(place))
    return failure();
  int32_t value = 0;
  std::memcpy(&value, *place, sizeof(value));
  auto change = static_cast<int32_t>(frame.getIndex(getValue()));
  value = getKind() == NotifyKind::Set
              ? change
              : static_cast<int32_t>(static_cast<uint32_t>(value) +
                                     static_cast<uint32_t>(change));
  std::memcpy(*place, &value, sizeof(value));
  return success();
}

LogicalResult WaitOp::interpret(Frame &frame) {
  FailureOr<char *> place = signalAt(*this, frame.getTensor(getSignal()),
                                     frame.getIndices(getIndices()));
  if (failed(place))
    return failure();
  int32_t value = 0;
  std::memcpy(&value, *place, sizeof(value));
  auto expected = static_cast<int32_t>(frame.getIndex(getExpected()));
  bool holds =
      getKind() == WaitKind::Equal ? value == expected : value >= expected;
  if (!holds)
    return emitError("waits for ever: the signal is ")
           << value << ", expected "
           << (getKind() == WaitKind::Equal ? "" : "at least ") << expected;
  return success();
}

LogicalResult MeetOp::interpret(Frame &) { return success(); }

LogicalResult DispatchOp::interpret(Frame &frame) {
  int64_t device = frame.getIndex(getDevice());
  if (device != -1 && failed(checkRank(*this, device)))
    return failure();
  return frame.set(getMine(), Number::ofBool(true));
}

LogicalResult DispatchEndOp::interpret(Frame &) { return success(); }

LogicalResult HostEndOp::interpret(Frame &) { return success(); }
