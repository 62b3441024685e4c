// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of programs over ranks: calls of the routines of RanksAbi.h.

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/support/HostCallbacks.h"
#include "tegula/support/RanksAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Lowers the ops of one function that know of ranks.
class RankLowering {
public:
  RankLowering(TileLowering &lowering, Location loc)
      : lowering(lowering), builder(lowering.getBuilder()), loc(loc) {}

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
  Value site() { return integer(lowering.siteOf(loc), 32); }
  Value isThere(Value pointer) {
    Value null = LLVM::ZeroOp::create(builder, loc, pointer.getType());
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, pointer,
                                null);
  }
  /// The sizes and strides of a view, as RanksAbi.h has them.
  Value shapeOf(const View &view) {
    Indices numbers = view.sizes;
    llvm::append_range(numbers, view.strides);
    return lowering.storeNumbers(numbers, loc);
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
                        : lowering.storeNumbers(uses, loc);
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

void TileLowering::lowerPeer(pl::PeerOp op) {
  RankLowering ranks(*this, op.getLoc());
  ScratchScope scope(currentFrame());
  const View own = view(op.getSource());
  View memory = own;
  memory.base = callRuntime("tegulaPeerBegin", state.getType(),
                            peerArguments(ranks, own, scalar(op.getPeer()),
                                          op.getUse(), state),
                            op.getLoc())
                    .getResult();
  memory.offset = builder.getIndexAttr(0);
  views[op.getResult()] =
      orHarmless(memory, ranks.isThere(memory.base),
                 op.getResult().getType().getDims(), op.getLoc());
}

void TileLowering::lowerPeerEnd(pl::PeerEndOp op) {
  RankLowering ranks(*this, op.getLoc());
  ScratchScope scope(currentFrame());
  auto peer = op.getMemory().getDefiningOp<pl::PeerOp>();
  SmallVector<Value> arguments = {
      view(op.getMemory()).asPointer(builder, op.getLoc())};
  llvm::append_range(arguments, peerArguments(ranks, view(peer.getSource()),
                                              scalar(peer.getPeer()),
                                              peer.getUse(), state));
  callRuntime("tegulaPeerEnd", {}, arguments, op.getLoc());
}

void TileLowering::lowerAllocWindow(pl::AllocWindowOp op) {
  Location loc = op.getLoc();
  RankLowering ranks(*this, loc);
  OpFoldResult size =
      withinBound(op, 0,
                  math(loc).max(IndexMath::fold(scalar(op.getBytes())),
                                builder.getIndexAttr(0)));
  Value base =
      callRuntime("tegulaWindowAllocate", state.getType(),
                  {ranks.asI64(math(loc).value(size)), state, ranks.site()},
                  loc)
          .getResult();
  View memory{base,
              builder.getI8Type(),
              builder.getIndexAttr(0),
              {size},
              {builder.getIndexAttr(1)}};
  views[op.getResult()] = orHarmless(memory, ranks.isThere(base),
                                     op.getResult().getType().getDims(), loc);
}

void TileLowering::lowerRetype(pl::RetypeOp op) {
  Location loc = op.getLoc();
  const View bytes = view(op.getSource());
  auto type = op.getResult().getType();
  View memory =
      rowsFrom(bytes.asPointer(builder, loc), op, type, op.getSizes());
  Value wanted = denseBytes(memory, loc);
  Value there = RankLowering(*this, loc).asI64(math(loc).value(bytes.sizes[0]));
  // An overflow is -1, so as an unsigned number too large as well.
  Value isInside = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ule, wanted, there);
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value isOutside = arith::XOrIOp::create(builder, loc, isInside, one);
  Value most = arith::ConstantIntOp::create(builder, loc, INT64_MAX, 64);
  Value clamped = arith::MinUIOp::create(builder, loc, wanted, most);
  Value count =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), clamped);
  StringRef location = cast<StringAttr>(sites[siteOf(loc)]).getValue();
  reportIf(isOutside, TegulaUnmetRequirement,
           siteOf(location + ": a tensor does not fit in a window: its size in "
                             "bytes is %0, that of the window is %1"),
           0, OpFoldResult(count), bytes.sizes[0], loc);
  if (memory.isHalfBytes())
    memory.base = halfByteAt(builder, loc, memory.base);
  views[op.getResult()] = orHarmless(memory, isInside, type.getDims(), loc);
}

/// Where a signal lies, or an element that does not matter.
Value TileLowering::signalAt(Value signal, ValueRange position, Location loc) {
  const View memory = view(signal);
  Value isInside = checkIndices(position, memory.sizes, loc);
  Indices ones(memory.getRank(), builder.getIndexAttr(1));
  Value pointer =
      memory.window(math(loc), indices(position), ones).asPointer(builder, loc);
  Value null = LLVM::ZeroOp::create(builder, loc, pointer.getType());
  return arith::SelectOp::create(builder, loc, isInside, pointer, null);
}

void TileLowering::lowerNotify(pl::NotifyOp op) {
  RankLowering ranks(*this, op.getLoc());
  callRuntime("tegulaNotify", {},
              {signalAt(op.getSignal(), op.getIndices(), op.getLoc()),
               ranks.asI64(scalar(op.getPeer())),
               ranks.asI32(scalar(op.getValue())),
               ranks.integer(static_cast<int64_t>(op.getKind()), 32), state,
               ranks.site()},
              op.getLoc());
}

void TileLowering::lowerWait(pl::WaitOp op) {
  RankLowering ranks(*this, op.getLoc());
  int64_t kind = static_cast<int64_t>(op.getKind()) |
                 (op.getDeferred() ? TegulaWaitDeferred : 0);
  callRuntime("tegulaWait", {},
              {signalAt(op.getSignal(), op.getIndices(), op.getLoc()),
               ranks.asI32(scalar(op.getExpected())), ranks.integer(kind, 32),
               state, ranks.site()},
              op.getLoc());
}

void TileLowering::lowerMeet(pl::MeetOp op) {
  RankLowering ranks(*this, op.getLoc());
  Value what = ranks.integer(
      static_cast<int64_t>(llvm::xxh3_64bits(op.getPurpose())), 64);
  for (Value number : op.getNumbers()) {
    Value odd = ranks.integer(0x100000001b3, 64);
    what = arith::MulIOp::create(builder, op.getLoc(), what, odd);
    what = arith::XOrIOp::create(builder, op.getLoc(), what,
                                 ranks.asI64(scalar(number)));
  }
  callRuntime("tegulaMeet", {}, {what, state, ranks.site()}, op.getLoc());
}

void TileLowering::lowerDispatch(pl::DispatchOp op) {
  Location loc = op.getLoc();
  RankLowering ranks(*this, loc);
  ScratchScope scope(currentFrame());
  Value uses = ranks.storeUses(op.getTensors(), op.getReads(), op.getWrites(),
                               state.getType());
  Value isMine = callRuntime("tegulaDispatchBegin", builder.getI32Type(),
                             {ranks.asI64(scalar(op.getDevice())), uses,
                              ranks.integer(op.getTensors().size(), 64), state,
                              ranks.site()},
                             loc)
                     .getResult();
  scalars.map(op.getMine(),
              arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                    isMine, ranks.integer(0, 32))
                  .getResult());
}

bool TileLowering::lowerRankOp(Operation &op) {
  Location loc = op.getLoc();
  RankLowering ranks(*this, loc);
  auto number = [&](StringRef routine) {
    return ranks.asIndex(
        callRuntime(routine, builder.getI64Type(), {}, loc).getResult());
  };
  bool isKnown = true;
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](pl::RankOp rank) {
        scalars.map(rank.getRank(), number("tegulaRank"));
      })
      .Case([&](pl::RankCountOp ranks) {
        scalars.map(ranks.getCount(), number("tegulaRankCount"));
      })
      .Case([&](pl::AllocWindowOp alloc) { lowerAllocWindow(alloc); })
      .Case([&](pl::RetypeOp retype) { lowerRetype(retype); })
      .Case([&](pl::PeerOp peer) { lowerPeer(peer); })
      .Case([&](pl::PeerEndOp end) { lowerPeerEnd(end); })
      .Case([&](pl::NotifyOp notify) { lowerNotify(notify); })
      .Case([&](pl::WaitOp wait) { lowerWait(wait); })
      .Case([&](pl::MeetOp barrier) { lowerMeet(barrier); })
      .Case([&](pl::DispatchOp dispatch) { lowerDispatch(dispatch); })
      .Case([&](pl::CallbackOp callback) {
        ScratchScope scope(currentFrame());
        SmallVector<bool> isUsed(callback.getTensors().size(), true);
        StringRef location = cast<StringAttr>(sites[siteOf(loc)]).getValue();
        int64_t words = siteOf(location + ": " + pl::describeFailure(callback));
        callRuntime("tegulaCallback", {},
                    {ranks.integer(hashCallbackName(callback.getName()), 64),
                     ranks.storeUses(callback.getTensors(), isUsed, isUsed,
                                     state.getType()),
                     ranks.integer(isUsed.size(), 64), state,
                     ranks.integer(words, 32)},
                    loc);
      })
      .Case([&](pl::DispatchEndOp) {
        callRuntime("tegulaDispatchEnd", {}, {state, ranks.site()}, loc);
      })
      .Case([&](pl::HostEndOp) {
        callRuntime("tegulaHostEnd", {}, {state, ranks.site()}, loc);
      })
      .Default([&](Operation *) { isKnown = false; });
  return isKnown;
}
