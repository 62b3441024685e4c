// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/CooperativeRanks.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

#include <pthread.h>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

/// Interpreting is deeply recursive; what is not touched costs nothing.
static constexpr size_t stackBytes = size_t(8) << 20;
/// More threads than this are too many for one process.
static constexpr int64_t maxRanks = 1024;

CooperativeRanks::CooperativeRanks(const RankOptions &options)
    : options(options), random(options.seed * 0x9e3779b97f4a7c15 + 1) {}

void *CooperativeRanks::start(void *argument) {
  auto *rank = static_cast<Rank *>(argument);
  rank->all->runRank(*rank);
  return nullptr;
}

void CooperativeRanks::runRank(Rank &rank) {
  std::unique_lock<std::mutex> lock(mutex);
  activeChanged.wait(lock, [&] { return active == rank.number; });
  if (!hasFailed) {
    lock.unlock();
    bool isRight = succeeded(body(rank.number));
    lock.lock();
    hasFailed |= !isRight;
  }
  rank.isDone = true;
  passOn(rank.number);
}

/// After a failure those who wait go on, to be told of it.
bool CooperativeRanks::canRun(const Rank &rank) const {
  return !rank.isDone && (hasFailed || !rank.waits || rank.waits->isOver());
}

/// The next rank that can run, or -1.
int64_t CooperativeRanks::choose(int64_t current) {
  SmallVector<int64_t, 8> able;
  for (const Rank &rank : ranks)
    if (canRun(rank))
      able.push_back(rank.number);
  if (able.empty())
    return -1;
  if (options.order != RankOrder::Random)
    return llvm::is_contained(able, current) ? current : able.front();
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return able[random % able.size()];
}

void CooperativeRanks::passOn(int64_t current) {
  bool areDone =
      llvm::all_of(ranks, [](const Rank &rank) { return rank.isDone; });
  active = -1;
  while (!areDone && active < 0) {
    active = choose(current);
    if (active < 0 && !hurry()) {
      reportDeadlock();
      hasFailed = true;
    }
  }
  activeChanged.notify_all();
}

LogicalResult CooperativeRanks::wait(int64_t number, const Wait &wait) {
  std::unique_lock<std::mutex> lock(mutex);
  Rank &rank = ranks[number];
  rank.waits = &wait;
  passOn(number);
  activeChanged.wait(lock, [&] { return active == number; });
  rank.waits = nullptr;
  return failure(hasFailed);
}

LogicalResult CooperativeRanks::giveWay(int64_t rank, Operation *op) {
  if (options.order != RankOrder::Random)
    return success();
  return wait(rank, {op, [] { return true; }, [] { return RankState(); }});
}

/// "f.py:3:5"
static std::string formatLocation(Operation *op) {
  auto fileLoc = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!fileLoc)
    return "";
  return (fileLoc.getFilename().strref() + ":" + Twine(fileLoc.getLine()) +
          ":" + Twine(fileLoc.getColumn()))
      .str();
}

void CooperativeRanks::reportDeadlock() {
  std::vector<RankState> states;
  std::vector<std::string> locations;
  Operation *first = nullptr;
  for (const Rank &rank : ranks) {
    RankState state;
    state.doing = RankState::Doing::Left;
    locations.emplace_back();
    if (rank.waits) {
      state = rank.waits->describe();
      state.doing = RankState::Doing::Waiting;
      state.milliseconds = -1;
      locations.back() = formatLocation(rank.waits->op);
      first = first ? first : rank.waits->op;
    }
    state.site = static_cast<int32_t>(rank.number);
    states.push_back(state);
  }
  first->emitError("no rank can go on") << formatRankStates(states, locations);
}

bool CooperativeRanks::startThreads(Operation *op) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  size_t numStarted = 0;
  for (Rank &rank : ranks) {
    if (pthread_create(&rank.thread, &attributes, start, &rank) != 0)
      break;
    ++numStarted;
  }
  pthread_attr_destroy(&attributes);
  if (numStarted == ranks.size())
    return true;
  op->emitError("cannot start a thread for rank ") << numStarted;
  ranks.resize(numStarted);
  hasFailed = true;
  return false;
}

LogicalResult CooperativeRanks::run(Operation *op, Body run,
                                    llvm::function_ref<bool()> hurries) {
  if (options.count > maxRanks)
    return op->emitError("the interpreter runs up to ")
           << maxRanks << " ranks, not " << options.count;
  body = run;
  hurry = hurries;
  ranks.resize(options.count);
  for (int64_t number = 0; number < options.count; ++number) {
    ranks[number].all = this;
    ranks[number].number = number;
  }
  (void)startThreads(op);
  {
    std::lock_guard<std::mutex> lock(mutex);
    passOn(0);
  }
  for (Rank &rank : ranks)
    pthread_join(rank.thread, nullptr);
  return failure(hasFailed);
}
