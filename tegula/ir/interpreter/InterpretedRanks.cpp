// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/InterpretedRanks.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

InterpretedRanks::InterpretedRanks(const RankOptions &options)
    : options(options), scheduler(options), memory(options.count),
      dispatches(options.count),
      knowledge(options.count, RankKnowledge(options.count)),
      updates(options.count, -1), isForAll(options.count) {
  for (int64_t rank = 0; rank < options.count; ++rank)
    knowledge[rank].advance(rank);
}

LogicalResult InterpretedRanks::run(Operation *op,
                                    CooperativeRanks::Body body) {
  return scheduler.run(op, body, [&] { return deliverNext(); });
}

LogicalResult InterpretedRanks::checkRank(Operation *op, int64_t rank) const {
  if (rank < 0 || rank >= options.count)
    return op->emitError("there is no rank ")
           << rank << ", the ranks are 0 to " << options.count - 1;
  return success();
}

FailureOr<Memory> InterpretedRanks::allocateWindow(AllocWindowOp op,
                                                   int64_t rank,
                                                   int64_t bytes) {
  Memory window = memory.addWindow(rank, bytes);
  if (failed(barrier(op, rank, "a window of so many bytes", {bytes})))
    return failure();
  return window;
}

FailureOr<std::shared_ptr<char[]>>
InterpretedRanks::allocateShared(Operation *op, int64_t rank, int64_t bytes) {
  std::shared_ptr<char[]> owner = memory.addTensor(rank, bytes);
  if (!owner)
    return op->emitError("ranks disagree: rank ")
           << rank << " makes a tensor of " << bytes
           << " bytes where another made one of another size";
  return owner;
}

LogicalResult InterpretedRanks::touch(Operation *op, Touch touch, int64_t rank,
                                      const TensorView &view,
                                      ArrayRef<int64_t> extents) {
  RankUse use = touch == Touch::Read ? RankUse::Read : RankUse::Write;
  // What is dispatched to all writes the same at each.
  if (use == RankUse::Write && isForAll[rank] && !isWindow(view))
    use = RankUse::Update;
  return memory.use(op, use, view, extents, rank, knowledge[rank]);
}

FailureOr<Memory> InterpretedRanks::beginPeer(PeerOp op, int64_t rank,
                                              const Memory &part,
                                              int64_t peer) {
  if (failed(checkRank(op, peer)) || failed(scheduler.giveWay(rank, op)))
    return failure();
  if (part.view.getNumElements() == 0)
    return part;
  std::optional<Memory> found = memory.findAtPeer(rank, part, peer);
  if (!found)
    return op.emitError(
        "the tensor is in no window, other ranks cannot reach it");
  if (op.getUse() == PeerUse::Write)
    return isLate(rank, peer) ? memory.stage(*found) : *found;
  // What this rank has written there it finds there.
  deliverFrom(rank);
  if (op.getUse() == PeerUse::Read)
    return *found;
  auto describe = [&] {
    RankState state;
    state.awaited = RankState::Awaited::Update;
    state.of = static_cast<int32_t>(peer);
    return state;
  };
  if (failed(scheduler.wait(rank,
                            {op, [&] { return updates[peer] < 0; }, describe})))
    return failure();
  updates[peer] = rank;
  memory.setUpdated(rank, peer);
  return *found;
}

LogicalResult InterpretedRanks::endPeer(PeerEndOp op, int64_t rank,
                                        const TensorView &view) {
  if (view.getNumElements() == 0)
    return success();
  int64_t peer = memory.findOwner(view);
  auto begin = op.getMemory().getDefiningOp<PeerOp>();
  if (begin.getUse() == PeerUse::Update) {
    updates[peer] = -1;
    memory.setUpdated(rank, -1);
  }
  if (std::optional<StagedWrite> write = memory.endStage(view))
    onItsWay.push_back({rank, std::move(write), std::nullopt});
  return scheduler.giveWay(rank, op);
}

LogicalResult InterpretedRanks::notify(NotifyOp op, int64_t rank,
                                       const Memory &signal, int64_t peer,
                                       int32_t value) {
  if (failed(checkRank(op, peer)))
    return failure();
  std::optional<Memory> found = memory.findAtPeer(rank, signal, peer);
  if (!found)
    return op.emitError(
        "the tensor is in no window, other ranks cannot reach it");
  bool adds = op.getKind() == NotifyKind::Add;
  RankKnowledge &known = knowledge[rank];
  if (failed(memory.use(op, adds ? RankUse::NotifyAdd : RankUse::NotifySet,
                        found->view, {}, rank, known)))
    return failure();
  Sent sent{rank, std::nullopt,
            Notification{found->view.getFirstElement(), value, op.getKind(),
                         rank, known}};
  known.advance(rank);
  if (isLate(rank, peer))
    onItsWay.push_back(std::move(sent));
  else
    deliver(sent);
  return scheduler.giveWay(rank, op);
}

LogicalResult InterpretedRanks::wait(WaitOp op, int64_t rank,
                                     const TensorView &signal,
                                     int32_t expected) {
  RankKnowledge &known = knowledge[rank];
  if (failed(memory.use(op, RankUse::Wait, signal, {}, rank, known)))
    return failure();
  const char *address = signal.getFirstElement();
  WaitKind kind = op.getKind();
  auto describe = [&] {
    RankState state;
    state.awaited = kind == WaitKind::Equal ? RankState::Awaited::SignalEqual
                                            : RankState::Awaited::SignalAtLeast;
    state.now = readSignal(address);
    state.wanted = expected;
    return state;
  };
  auto isOver = [&] { return isReached(kind, readSignal(address), expected); };
  if (failed(scheduler.wait(rank, {op, isOver, describe})))
    return failure();
  signals.learn(rank, address, kind, expected, known);
  return success();
}

void InterpretedRanks::deliver(const Sent &sent) {
  if (sent.write)
    sent.write->deliver();
  if (sent.notification)
    signals.deliver(*sent.notification);
}

void InterpretedRanks::deliverFrom(int64_t rank) {
  for (auto next = onItsWay.begin(); next != onItsWay.end();) {
    if (next->rank != rank) {
      ++next;
      continue;
    }
    deliver(*next);
    next = onItsWay.erase(next);
  }
}

bool InterpretedRanks::deliverNext() {
  if (onItsWay.empty())
    return false;
  deliver(onItsWay.front());
  onItsWay.pop_front();
  return true;
}
