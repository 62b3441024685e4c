// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/DecodeOps.h"

#include "tegula/support/HalfBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

/// Ranges beyond what an operation has room for are merged into the last of
/// their memory.
static void addRange(TegulaTraceRange *ranges, uint8_t &count, size_t room,
                     const int64_t *numbers) {
  TegulaTraceRange range{};
  range.space = uint8_t(numbers[0]);
  range.begin = uint32_t(numbers[1]);
  range.size = uint32_t(numbers[2]);
  if (range.size == 0)
    return;
  if (count < room) {
    ranges[count++] = range;
    return;
  }
  for (size_t index = room; index-- > 0;) {
    TegulaTraceRange &last = ranges[index];
    if (last.space != range.space)
      continue;
    uint32_t end = std::max(last.begin + last.size, range.begin + range.size);
    last.begin = std::min(last.begin, range.begin);
    last.size = end - last.begin;
    return;
  }
}

namespace {

/// An axis of a transfer, in bytes.
struct Axis {
  int64_t size, stride;
};

} // namespace

/// Axes of length 1 do not count, neighbours that lie one after the other are
/// one, and what has more than three is several transfers.
static void addTransfer(TegulaTraceOp op, const int64_t *numbers,
                        const TensorMap &tensors,
                        std::vector<TegulaTraceOp> &ops) {
  int64_t address = numbers[0], elementBytes = numbers[1], rank = numbers[2];
  bool isHalves = elementBytes == 0;
  if (isHalves) {
    address = reinterpret_cast<int64_t>(
        byteOfHalf(reinterpret_cast<const void *>(address)));
    elementBytes = 1;
  }
  const int64_t *sizes = numbers + 3, *strides = sizes + rank;
  llvm::SmallVector<Axis, 6> axes = {{elementBytes, 1}};
  for (int64_t axis = rank; axis-- > 0;) {
    if (sizes[axis] == 0)
      return;
    Axis next{sizes[axis], strides[axis] * elementBytes};
    Axis &last = axes.back();
    if (next.size == 1)
      continue;
    if (next.stride == last.size * last.stride)
      last.size *= next.size;
    else
      axes.push_back(next);
  }
  // Two elements are a byte from here on.
  if (isHalves)
    for (auto [number, axis] : llvm::enumerate(axes))
      (number == 0 ? axis.size : axis.stride) =
          ((number == 0 ? axis.size : axis.stride) + 1) / 2;
  op.tensor = tensors.find(address);
  op.base = tensors.toTraced(address);
  op.peer = int32_t(getPeer(address));
  op.rowBytes = int32_t(axes[0].size);
  op.rows = axes.size() > 1 ? int32_t(axes[1].size) : 1;
  op.pitch = axes.size() > 1 ? axes[1].stride : axes[0].size;
  op.planes = axes.size() > 2 ? int32_t(axes[2].size) : 1;
  op.planePitch = axes.size() > 2 ? axes[2].stride : 0;
  llvm::SmallVector<int64_t, 3> position(axes.size() > 3 ? axes.size() - 3 : 0);
  for (;;) {
    ops.push_back(op);
    size_t axis = 0;
    for (; axis < position.size(); ++axis) {
      const Axis &outer = axes[axis + 3];
      op.base += outer.stride;
      if (++position[axis] < outer.size)
        break;
      op.base -= outer.stride * outer.size;
      position[axis] = 0;
    }
    if (axis == position.size())
      return;
  }
}

/// What goes from one memory to another has a slot of its own in between, as
/// wide as that where it ends: as many buffers as there are, as many slots.
static void addHandover(TegulaTraceOp op, int64_t bytes,
                        const TensorMap &tensors,
                        std::vector<TegulaTraceOp> &ops) {
  if (op.numReads == 0 || op.numWrites == 0 || bytes == 0)
    return;
  TegulaTraceRange from = op.reads[0], to = op.writes[0], between = to;
  constexpr uint32_t spaceBytes = 1u << 30;
  between.space = TegulaTraceShared;
  between.begin += to.space * spaceBytes;
  op.numReads = op.numWrites = op.planes = op.rows = 1;
  op.tensor = tensors.getHandover();
  op.base = between.begin;
  op.pitch = op.rowBytes = int32_t(bytes);
  op.kind = TegulaTraceStore;
  op.reads[0] = from;
  op.writes[0] = between;
  ops.push_back(op);
  op.kind = TegulaTraceLoad;
  op.reads[0] = between;
  op.writes[0] = to;
  ops.push_back(op);
}

void sim::decodeOps(int32_t kind, const int64_t *numbers,
                    const TensorMap &tensors, std::vector<TegulaTraceOp> &ops) {
  TegulaTraceOp op{};
  op.kind = uint8_t(kind);
  op.line = int32_t(numbers[TegulaTraceLine]);
  for (int axis = 0; axis < 3; ++axis)
    op.tile[axis] = int32_t(numbers[TegulaTraceTile + axis]);
  const int64_t *next = numbers + TegulaTraceRanges;
  for (int64_t read = 0; read < numbers[TegulaTraceNumReads]; ++read, next += 3)
    addRange(op.reads, op.numReads, std::size(op.reads), next);
  for (int64_t write = 0; write < numbers[TegulaTraceNumWrites];
       ++write, next += 3)
    addRange(op.writes, op.numWrites, std::size(op.writes), next);
  switch (op.kind) {
  case TegulaTraceLoad:
  case TegulaTraceStore:
    return addTransfer(op, next, tensors, ops);
  case TegulaTraceHandover:
    return addHandover(op, next[0], tensors, ops);
  case TegulaTraceMultiply:
    op.rows = int32_t(next[0]);
    op.columns = int32_t(next[1]);
    op.depth = int32_t(next[2]);
    op.flags = uint8_t((next[3] ? TegulaTraceAccumulate : 0) |
                       (next[4] ? TegulaTraceWeightsLoaded : 0));
    if (op.rows > 0 && op.columns > 0 && op.depth > 0)
      ops.push_back(op);
    return;
  case TegulaTraceLoadWeights:
    op.rows = int32_t(next[0]);
    op.columns = int32_t(next[1]);
    op.depth = int32_t(next[2]);
    if (op.rows > 0 && op.columns > 0 && op.depth > 0)
      ops.push_back(op);
    return;
  case TegulaTraceReadOut:
    op.rows = int32_t(next[0]);
    op.columns = int32_t(next[1]);
    if (op.rows > 0 && op.columns > 0)
      ops.push_back(op);
    return;
  case TegulaTraceVector:
    op.formula = int32_t(next[0]);
    op.rows = int32_t(next[1]);
    op.columns = int32_t(next[2]);
    if (op.rows > 0 && op.columns > 0)
      ops.push_back(op);
    return;
  default:
    return ops.push_back(op);
  }
}
