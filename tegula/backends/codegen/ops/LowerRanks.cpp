// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of programs over ranks: calls of the routines of RanksAbi.h.

#include "tegula/backends/codegen/TileExtents.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/memory/TensorMemory.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/support/HostCallbacks.h"
#include "tegula/support/RanksAbi.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Lowers the ops of one function that know of ranks.
class RankLowering {
public:
  RankLowering(TileLowering &lowering, Location loc)
      : lowering(lowering), builder(lowering.builder), loc(loc) {}

  Value integer(int64_t number, unsigned bits) {
    return arith::ConstantIntOp::create(builder, loc, number, bits);
  }
  Value asI64(Value index) {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(),
                                                    index);
  }
  Value asI32(Value index) {
    return arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                   asI64(index));
  }
  Value asIndex(Value i64) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      i64);
  }
  Value site() { return integer(lowering.calls.siteOf(loc), 32); }
  Value isThere(Value pointer) {
    Value null = LLVM::ZeroOp::create(builder, loc, pointer.getType());
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, pointer,
                                null);
  }
  /// The sizes and strides of a view, as RanksAbi.h has them.
  Value shapeOf(const View &view) {
    Indices numbers = view.sizes;
    llvm::append_range(numbers, view.strides);
    return lowering.scratch.storeNumbers(numbers, loc);
  }
  static int64_t bitsOf(const View &view) {
    return view.isHalfBytes() ? 4 : view.element.getIntOrFloatBitWidth();
  }

  /// The address of an array of TegulaTensorUse, whose numbers are laid out as
  /// 64-bit ones.
  Value storeUses(ValueRange tensors, ArrayRef<bool> reads,
                  ArrayRef<bool> writes, Type pointer) {
    auto addressOf = [&](Value address) -> OpFoldResult {
      return asIndex(LLVM::PtrToIntOp::create(builder, loc,
                                              builder.getI64Type(), address));
    };
    auto pair = [&](int64_t low, int64_t high) -> OpFoldResult {
      return builder.getIndexAttr(low | high << 32);
    };
    Indices uses;
    for (auto [tensor, isRead, isWritten] : llvm::zip(tensors, reads, writes)) {
      const View &memory = lowering.view(tensor);
      DType dtype = *pl::getDType(pl::getElementOrSelf(tensor.getType()));
      uses.push_back(addressOf(memory.asPointer(builder, loc)));
      uses.push_back(addressOf(shapeOf(memory)));
      uses.push_back(pair(memory.getRank(), bitsOf(memory)));
      uses.push_back(pair(isRead, isWritten));
      uses.push_back(pair(static_cast<int64_t>(dtype), 0));
    }
    return uses.empty() ? LLVM::ZeroOp::create(builder, loc, pointer)
                        : lowering.scratch.storeNumbers(uses, loc);
  }

  TileLowering &lowering;
  OpBuilder &builder;
  Location loc;
};

} // namespace

/// What both ends of a use of a peer's memory are told.
static SmallVector<Value> peerArguments(RankLowering &ranks, const View &own,
                                        Value peer, pl::PeerUse use,
                                        Value state) {
  return {own.asPointer(ranks.builder, ranks.loc),
          ranks.asI64(peer),
          ranks.shapeOf(own),
          ranks.integer(own.getRank(), 64),
          ranks.integer(RankLowering::bitsOf(own), 64),
          ranks.integer(static_cast<int64_t>(use), 32),
          state,
          ranks.site()};
}

static void lowerPeer(TileLowering &lowering, pl::PeerOp op) {
  OpBuilder &builder = lowering.builder;
  RankLowering ranks(lowering, op.getLoc());
  ScratchScope scope(lowering.scratch);
  const View own = lowering.view(op.getSource());
  View memory = own;
  memory.base =
      lowering.calls
          .call(routine::tegulaPeerBegin, lowering.calls.getState().getType(),
                peerArguments(ranks, own, lowering.scalar(op.getPeer()),
                              op.getUse(), lowering.calls.getState()),
                op.getLoc())
          .getResult();
  memory.offset = builder.getIndexAttr(0);
  lowering.values.setView(
      op.getResult(),
      orHarmless(lowering, memory, ranks.isThere(memory.base),
                 op.getResult().getType().getDims(), op.getLoc()));
}

static void lowerPeerEnd(TileLowering &lowering, pl::PeerEndOp op) {
  OpBuilder &builder = lowering.builder;
  RankLowering ranks(lowering, op.getLoc());
  ScratchScope scope(lowering.scratch);
  auto peer = op.getMemory().getDefiningOp<pl::PeerOp>();
  SmallVector<Value> arguments = {
      lowering.view(op.getMemory()).asPointer(builder, op.getLoc())};
  llvm::append_range(arguments,
                     peerArguments(ranks, lowering.view(peer.getSource()),
                                   lowering.scalar(peer.getPeer()),
                                   peer.getUse(), lowering.calls.getState()));
  lowering.calls.call(routine::tegulaPeerEnd, {}, arguments, op.getLoc());
}

static void lowerAllocWindow(TileLowering &lowering, pl::AllocWindowOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  RankLowering ranks(lowering, loc);
  OpFoldResult size = withinBound(
      lowering, op, 0,
      lowering.math(loc).max(IndexMath::fold(lowering.scalar(op.getBytes())),
                             builder.getIndexAttr(0)));
  Value base = lowering.calls
                   .call(routine::tegulaWindowAllocate,
                         lowering.calls.getState().getType(),
                         {ranks.asI64(lowering.math(loc).value(size)),
                          lowering.calls.getState(), ranks.site()},
                         loc)
                   .getResult();
  View memory{base,
              builder.getI8Type(),
              builder.getIndexAttr(0),
              {size},
              {builder.getIndexAttr(1)}};
  lowering.values.setView(op.getResult(),
                          orHarmless(lowering, memory, ranks.isThere(base),
                                     op.getResult().getType().getDims(), loc));
}

static void lowerRetype(TileLowering &lowering, pl::RetypeOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  const View bytes = lowering.view(op.getSource());
  auto type = op.getResult().getType();
  View memory = rowsFrom(lowering, bytes.asPointer(builder, loc), op, type,
                         op.getSizes());
  Value wanted = denseBytes(lowering, memory, loc);
  Value there = RankLowering(lowering, loc)
                    .asI64(lowering.math(loc).value(bytes.sizes[0]));
  // An overflow is -1, so as an unsigned number too large as well.
  Value isInside = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ule, wanted, there);
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value isOutside = arith::XOrIOp::create(builder, loc, isInside, one);
  Value most = arith::ConstantIntOp::create(builder, loc, INT64_MAX, 64);
  Value clamped = arith::MinUIOp::create(builder, loc, wanted, most);
  Value count =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), clamped);
  StringRef location = lowering.calls.getText(lowering.calls.siteOf(loc));
  lowering.calls.reportIf(
      isOutside, TegulaUnmetRequirement,
      lowering.calls.siteOf(location +
                            ": a tensor does not fit in a window: its size in "
                            "bytes is %0, that of the window is %1"),
      0, OpFoldResult(count), bytes.sizes[0], loc);
  if (memory.isHalfBytes())
    memory.base = halfByteAt(builder, loc, memory.base);
  lowering.values.setView(op.getResult(), orHarmless(lowering, memory, isInside,
                                                     type.getDims(), loc));
}

/// Where a signal lies, or an element that does not matter.
static Value signalAt(TileLowering &lowering, Value signal, ValueRange position,
                      Location loc) {
  OpBuilder &builder = lowering.builder;
  const View memory = lowering.view(signal);
  Value isInside = lowering.calls.checkIndices(lowering.indices(position),
                                               memory.sizes, loc);
  Indices ones(memory.getRank(), builder.getIndexAttr(1));
  Value pointer =
      memory.window(lowering.math(loc), lowering.indices(position), ones)
          .asPointer(builder, loc);
  Value null = LLVM::ZeroOp::create(builder, loc, pointer.getType());
  return arith::SelectOp::create(builder, loc, isInside, pointer, null);
}

static void lowerNotify(TileLowering &lowering, pl::NotifyOp op) {
  RankLowering ranks(lowering, op.getLoc());
  lowering.calls.call(
      routine::tegulaNotify, {},
      {signalAt(lowering, op.getSignal(), op.getIndices(), op.getLoc()),
       ranks.asI64(lowering.scalar(op.getPeer())),
       ranks.asI32(lowering.scalar(op.getValue())),
       ranks.integer(static_cast<int64_t>(op.getKind()), 32),
       lowering.calls.getState(), ranks.site()},
      op.getLoc());
}

static void lowerWait(TileLowering &lowering, pl::WaitOp op) {
  RankLowering ranks(lowering, op.getLoc());
  int64_t kind = static_cast<int64_t>(op.getKind()) |
                 (op.getDeferred() ? TegulaWaitDeferred : 0);
  lowering.calls.call(
      routine::tegulaWait, {},
      {signalAt(lowering, op.getSignal(), op.getIndices(), op.getLoc()),
       ranks.asI32(lowering.scalar(op.getExpected())), ranks.integer(kind, 32),
       lowering.calls.getState(), ranks.site()},
      op.getLoc());
}

static void lowerMeet(TileLowering &lowering, pl::MeetOp op) {
  OpBuilder &builder = lowering.builder;
  RankLowering ranks(lowering, op.getLoc());
  Value what = ranks.integer(
      static_cast<int64_t>(llvm::xxh3_64bits(op.getPurpose())), 64);
  for (Value number : op.getNumbers()) {
    Value odd = ranks.integer(0x100000001b3, 64);
    what = arith::MulIOp::create(builder, op.getLoc(), what, odd);
    what = arith::XOrIOp::create(builder, op.getLoc(), what,
                                 ranks.asI64(lowering.scalar(number)));
  }
  lowering.calls.call(routine::tegulaMeet, {},
                      {what, lowering.calls.getState(), ranks.site()},
                      op.getLoc());
}

static void lowerDispatch(TileLowering &lowering, pl::DispatchOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  RankLowering ranks(lowering, loc);
  ScratchScope scope(lowering.scratch);
  Value uses = ranks.storeUses(op.getTensors(), op.getReads(), op.getWrites(),
                               lowering.calls.getState().getType());
  Value isMine = lowering.calls
                     .call(routine::tegulaDispatchBegin, builder.getI32Type(),
                           {ranks.asI64(lowering.scalar(op.getDevice())), uses,
                            ranks.integer(op.getTensors().size(), 64),
                            lowering.calls.getState(), ranks.site()},
                           loc)
                     .getResult();
  lowering.values.setScalar(op.getMine(),
                            arith::CmpIOp::create(builder, loc,
                                                  arith::CmpIPredicate::ne,
                                                  isMine, ranks.integer(0, 32))
                                .getResult());
}

/// The call of a routine that gives a number.
static Value numberFrom(TileLowering &lowering, StringRef routine,
                        Location loc) {
  Type i64 = lowering.builder.getI64Type();
  Value number = lowering.calls.call(routine, i64, {}, loc).getResult();
  return RankLowering(lowering, loc).asIndex(number);
}

static void lowerRank(TileLowering &lowering, pl::RankOp op) {
  lowering.values.setScalar(
      op.getRank(), numberFrom(lowering, routine::tegulaRank, op.getLoc()));
}

static void lowerRankCount(TileLowering &lowering, pl::RankCountOp op) {
  lowering.values.setScalar(
      op.getCount(),
      numberFrom(lowering, routine::tegulaRankCount, op.getLoc()));
}

static void lowerCallback(TileLowering &lowering, pl::CallbackOp op) {
  Location loc = op.getLoc();
  RankLowering ranks(lowering, loc);
  ScratchScope scope(lowering.scratch);
  RuntimeCalls &calls = lowering.calls;
  SmallVector<bool> isUsed(op.getTensors().size(), true);
  StringRef location = calls.getText(calls.siteOf(loc));
  int64_t words = calls.siteOf(location + ": " + pl::describeFailure(op));
  calls.call(routine::tegulaCallback, {},
             {ranks.integer(hashCallbackName(op.getName()), 64),
              ranks.storeUses(op.getTensors(), isUsed, isUsed,
                              calls.getState().getType()),
              ranks.integer(isUsed.size(), 64), calls.getState(),
              ranks.integer(words, 32)},
             loc);
}

static void lowerDispatchEnd(TileLowering &lowering, pl::DispatchEndOp op) {
  RankLowering ranks(lowering, op.getLoc());
  lowering.calls.call(routine::tegulaDispatchEnd, {},
                      {lowering.calls.getState(), ranks.site()}, op.getLoc());
}

static void lowerHostEnd(TileLowering &lowering, pl::HostEndOp op) {
  RankLowering ranks(lowering, op.getLoc());
  lowering.calls.call(routine::tegulaHostEnd, {},
                      {lowering.calls.getState(), ranks.site()}, op.getLoc());
}

void tegula::addRankPatterns(TilePatterns &patterns) {
  patterns.add(lowerRank);
  patterns.add(lowerRankCount);
  patterns.add(lowerAllocWindow);
  patterns.add(lowerRetype);
  patterns.add(lowerPeer);
  patterns.add(lowerPeerEnd);
  patterns.add(lowerNotify);
  patterns.add(lowerWait);
  patterns.add(lowerMeet);
  patterns.add(lowerDispatch);
  patterns.add(lowerDispatchEnd);
  patterns.add(lowerCallback);
  patterns.add(lowerHostEnd);
}
