// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of programs over ranks, on data.

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/InterpretedRanks.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/support/HostCallbacks.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

LogicalResult RankOp::interpret(Frame &frame) {
  return frame.set(getRank(), Scalar::ofIndex(frame.getState().rank));
}

LogicalResult RankCountOp::interpret(Frame &frame) {
  InterpretedRanks *ranks = frame.getState().ranks;
  return frame.set(getCount(), Scalar::ofIndex(ranks ? ranks->getCount() : 1));
}

LogicalResult AllocWindowOp::interpret(Frame &frame) {
  SmallVector<int64_t, 1> sizes = {
      std::max<int64_t>(frame.getIndex(getBytes()), 0)};
  if (failed(frame.checkSize(*this, sizes)))
    return failure();
  InterpreterState &state = frame.getState();
  if (state.ranks) {
    FailureOr<Memory> window =
        state.ranks->allocateWindow(*this, state.rank, sizes.front());
    return failed(window) ? failure() : frame.set(getResult(), *window);
  }
  std::shared_ptr<char[]> memory(new char[sizes.front() + 1]());
  TensorView view(memory.get(), DType::UInt8, sizes, rowMajorStrides(sizes));
  return frame.set(getResult(), Memory{view, std::move(memory)});
}

LogicalResult RetypeOp::interpret(Frame &frame) {
  const auto &source = std::get<Memory>(frame.get(getSource()));
  FailureOr<TensorView> view =
      frame.makeView(*this, getResult().getType(), getSizes());
  if (failed(view))
    return failure();
  view->data = source.view.data;
  auto wanted =
      static_cast<int64_t>(getDenseBytes(view->getNumElements(), view->dtype));
  if (wanted > source.view.sizes[0])
    return emitError("a tensor does not fit in a window: its size in bytes is ")
           << wanted << ", that of the window is " << source.view.sizes[0];
  return frame.set(getResult(), Memory{*view, source.owner});
}

/// Fails if there is no such rank.
static LogicalResult checkOnlyRank(Operation *op, int64_t rank) {
  if (rank != 0)
    return op->emitError("there is no rank ")
           << rank << ": the number of ranks is 1";
  return success();
}

LogicalResult PeerOp::interpret(Frame &frame) {
  const auto &part = std::get<Memory>(frame.get(getSource()));
  int64_t peer = frame.getIndex(getPeer());
  InterpreterState &state = frame.getState();
  if (!state.ranks)
    return failed(checkOnlyRank(*this, peer)) ? failure()
                                              : frame.set(getResult(), part);
  FailureOr<Memory> found =
      state.ranks->beginPeer(*this, state.rank, part, peer);
  return failed(found) ? failure() : frame.set(getResult(), *found);
}

LogicalResult PeerEndOp::interpret(Frame &frame) {
  InterpreterState &state = frame.getState();
  if (!state.ranks)
    return success();
  return state.ranks->endPeer(*this, state.rank, frame.getTensor(getMemory()));
}

/// The signal as a tensor without axes.
static FailureOr<Memory> signalAt(Operation *op, const Memory &memory,
                                  ArrayRef<int64_t> indices) {
  const TensorView &view = memory.view;
  int64_t offset = 0;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    if (index < 0 || index >= view.sizes[axis])
      return op->emitError("index ")
             << index << " on axis " << axis << " is out of range for extent "
             << view.sizes[axis];
    offset += index * view.strides[axis];
  }
  char *address =
      view.getFirstElement() + offset * static_cast<int64_t>(sizeof(int32_t));
  return Memory{TensorView(address, DType::Int32, {}), memory.owner};
}

LogicalResult NotifyOp::interpret(Frame &frame) {
  FailureOr<Memory> signal =
      signalAt(*this, std::get<Memory>(frame.get(getSignal())),
               frame.getIndices(getIndices()));
  if (failed(signal))
    return failure();
  int64_t peer = frame.getIndex(getPeer());
  auto change = static_cast<int32_t>(frame.getIndex(getValue()));
  InterpreterState &state = frame.getState();
  if (state.ranks)
    return state.ranks->notify(*this, state.rank, *signal, peer, change);
  if (failed(checkOnlyRank(*this, peer)))
    return failure();
  changeSignal(signal->view.getFirstElement(), getKind(), change);
  return success();
}

static LogicalResult awaitSignal(WaitOp op, InterpreterState &state,
                                 const Memory &signal, int32_t expected) {
  if (state.ranks)
    return state.ranks->wait(op, state.rank, signal.view, expected);
  int32_t value = readSignal(signal.view.getFirstElement());
  bool isEqual = op.getKind() == WaitKind::Equal;
  if (!isReached(op.getKind(), value, expected))
    return op.emitError("waits for ever: the signal is ")
           << value << ", expected " << (isEqual ? "" : "at least ")
           << expected;
  return success();
}

LogicalResult WaitOp::interpret(Frame &frame) {
  FailureOr<Memory> signal =
      signalAt(*this, std::get<Memory>(frame.get(getSignal())),
               frame.getIndices(getIndices()));
  if (failed(signal))
    return failure();
  auto expected = static_cast<int32_t>(frame.getIndex(getExpected()));
  InterpreterState &state = frame.getState();
  if (!getDeferred() || !state.isInDispatch)
    return awaitSignal(*this, state, *signal, expected);
  state.deferred.push_back([op = *this, &state, signal = *signal, expected] {
    return awaitSignal(op, state, signal, expected);
  });
  return success();
}

LogicalResult MeetOp::interpret(Frame &frame) {
  InterpreterState &state = frame.getState();
  if (!state.ranks)
    return success();
  return state.ranks->barrier(*this, state.rank, getPurpose(),
                              frame.getIndices(getNumbers()));
}

LogicalResult DispatchOp::interpret(Frame &frame) {
  int64_t device = frame.getIndex(getDevice());
  InterpreterState &state = frame.getState();
  if (!state.ranks) {
    if (device != -1 && failed(checkOnlyRank(*this, device)))
      return failure();
    state.isInDispatch = true;
    return frame.set(getMine(), Scalar::ofBool(true));
  }
  std::vector<TensorUse> uses;
  for (auto [tensor, isWritten] : llvm::zip_equal(getTensors(), getWrites())) {
    const TensorView &view = frame.getTensor(tensor);
    if (!state.ranks->isWindow(view))
      uses.push_back({getByteRanges(view), isWritten});
  }
  FailureOr<bool> isMine =
      state.ranks->beginDispatch(*this, state.rank, device, std::move(uses));
  if (failed(isMine))
    return failure();
  state.isInDispatch = *isMine;
  return frame.set(getMine(), Scalar::ofBool(*isMine));
}

LogicalResult DispatchEndOp::interpret(Frame &frame) {
  InterpreterState &state = frame.getState();
  for (const auto &wait : state.deferred)
    if (failed(wait()))
      return failure();
  state.deferred.clear();
  state.isInDispatch = false;
  if (state.ranks)
    state.ranks->endDispatch(state.rank);
  return success();
}

LogicalResult CallbackOp::interpret(Frame &frame) {
  SmallVector<TensorView> tensors;
  for (Value tensor : getTensors())
    tensors.push_back(frame.getTensor(tensor));
  if (!runHostCallback(hashCallbackName(getName()), tensors))
    return emitError(describeFailure(*this));
  return success();
}

LogicalResult HostEndOp::interpret(Frame &frame) {
  InterpreterState &state = frame.getState();
  if (!state.ranks)
    return success();
  return state.ranks->barrier(*this, state.rank, "the end of the program", {});
}
