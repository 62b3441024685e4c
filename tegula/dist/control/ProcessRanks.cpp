// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/control/ProcessRanks.h"

#include "tegula/dist/memory/ReadCopies.h"

#include <unistd.h>

using namespace tegula;

ProcessRanks::ProcessRanks(std::unique_ptr<Transport> transport,
                           Options options)
    : RankGroup(transport->getRank(), transport->getCount()),
      process(std::move(transport)),
      waiter(process, board, reporter,
             process.transport->getLocalCount() + options.hasController),
      lifetime(process, board, reporter, waiter, barriers, memory,
               dispatchOrder, options.hasController) {}

Problem ProcessRanks::create(std::unique_ptr<Transport> transport,
                             Options options,
                             std::unique_ptr<ProcessRanks> &ranks) {
  std::unique_ptr<ProcessRanks> made(
      new ProcessRanks(std::move(transport), options));
  if (Problem problem = made->start())
    return problem;
  ranks = std::move(made);
  return {};
}

Problem ProcessRanks::start() {
  if (Problem problem = board.open())
    return problem;
  process.transport->setLeaving(
      [](void *ranks) { static_cast<ProcessRanks *>(ranks)->leave(); }, this);
  RankRow &row = board.ownRow();
  row.pid = ::getpid();
  row.ready = process.call + 1;
  TegulaCallState state = {};
  process.isInCall = true;
  bool isThere = barriers.arrive({OwnBarrier::Start, 0, -1},
                                 RankState::Awaited::Barrier, {&state, -1});
  process.isInCall = false;
  board.setDoing(RankState::Doing::Idle);
  row.ended = process.call++;
  process.barriers = 0;
  if (!isThere)
    return describeRankProblem(state, {}, report());
  waiter.watchProcesses();
  return {};
}

ProcessRanks::~ProcessRanks() {
  leave();
  process.transport->setLeaving(nullptr, nullptr);
}

void ProcessRanks::leave() {
  if (hasLeft || process.transport->isOver())
    return;
  hasLeft = true;
  board.setDoing(RankState::Doing::Left);
  board.publish();
}

void *ProcessRanks::allocateWindow(int64_t bytes, CallLocation location) {
  return memory.allocateWindow(bytes, location);
}

void *ProcessRanks::allocateShared(int64_t bytes, CallLocation location) {
  return memory.allocateShared(bytes, location);
}

void *ProcessRanks::beginPeer(const PeerSlice &part, CallLocation location) {
  return peers.begin(part, location);
}

void ProcessRanks::endPeer(void *data, const PeerSlice &part,
                           CallLocation location) {
  peers.end(data, part, location);
}

void ProcessRanks::notify(void *own, int64_t peer, int32_t value,
                          TegulaNotifyKind kind, CallLocation location) {
  signals.notify(own, peer, value, kind, location);
}

void ProcessRanks::wait(void *own, int32_t expected, TegulaWaitKind kind,
                        CallLocation location) {
  signals.wait(own, expected, kind, location);
}

void ProcessRanks::barrier(int64_t what, CallLocation location) {
  ReadCopies::ofThread().forget();
  if (lifetime.enter(location))
    barriers.arrive({what, 0, location.site}, RankState::Awaited::Barrier,
                    location);
}

bool ProcessRanks::beginDispatch(int64_t device,
                                 llvm::ArrayRef<TegulaTensorUse> uses,
                                 CallLocation location) {
  return dispatchOrder.begin(device, uses, location);
}

void ProcessRanks::endDispatch(CallLocation location) {
  dispatchOrder.end(location);
}

void ProcessRanks::endHost(CallLocation location) {
  ReadCopies::ofThread().forget();
  lifetime.endHost(location);
}

RankReport ProcessRanks::report() const { return reporter.report(); }

Problem ProcessRanks::keepWindow(int64_t bytes, void *&window) {
  TegulaCallState state = {};
  CallLocation location = {&state, -1};
  hold();
  window = memory.allocateKept(bytes, location);
  // Others may use theirs as soon as this returns.
  if (window)
    barrier(OwnBarrier::Growth, location);
  Problem problem;
  if (state.error == TegulaOutOfMemory)
    problem = makeProblem(Problem::Kind::System,
                          "no memory for a window of {0} bytes", bytes);
  else if (state.error != TegulaNoError)
    problem = describeRankProblem(state, {}, report());
  finish(location);
  return problem;
}

Problem ProcessRanks::agree(const std::string &text, CallLocation location) {
  if (!lifetime.enter(location))
    return describeRankProblem(*location.state, {}, report());
  return barriers.agree(text, location);
}
