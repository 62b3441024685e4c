// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and dispatches of the ranks of an interpreted program.

#include "tegula/ir/interpreter/InterpretedRanks.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

/// "'allreduce sum FP32' [300]"
static std::string describeBarrier(StringRef purpose,
                                   ArrayRef<int64_t> numbers) {
  std::string text = "'" + purpose.str() + "'";
  for (auto [index, number] : llvm::enumerate(numbers))
    text += (index ? ", " : " [") + std::to_string(number);
  return text + (numbers.empty() ? "" : "]");
}

int64_t InterpretedRanks::findAbsent() const {
  for (int64_t rank = 0; rank < options.count; ++rank)
    if (llvm::none_of(arrivals, [&](const Arrival &arrival) {
          return arrival.rank == rank;
        }))
      return rank;
  return -1;
}

void InterpretedRanks::endBarrier() {
  while (deliverNext())
    continue;
  RankKnowledge all(options.count);
  for (const RankKnowledge &known : knowledge)
    all.join(known);
  for (int64_t rank = 0; rank < options.count; ++rank) {
    knowledge[rank] = all;
    knowledge[rank].advance(rank);
  }
  arrivals.clear();
  ++numBarriers;
}

LogicalResult InterpretedRanks::barrier(Operation *op, int64_t rank,
                                        StringRef purpose,
                                        ArrayRef<int64_t> numbers) {
  if (!arrivals.empty()) {
    const Arrival &first = arrivals.front();
    if (first.purpose != purpose ||
        ArrayRef<int64_t>(first.numbers) != numbers) {
      InFlightDiagnostic error =
          op->emitError("ranks disagree: rank ")
          << rank << " is at " << describeBarrier(purpose, numbers) << ", rank "
          << first.rank << " at "
          << describeBarrier(first.purpose, first.numbers);
      error.attachNote(first.op->getLoc())
          << "rank " << first.rank << " is here";
      return error;
    }
  }
  arrivals.push_back(
      {rank, op, purpose.str(), SmallVector<int64_t, 2>(numbers)});
  uint64_t number = numBarriers;
  if (static_cast<int64_t>(arrivals.size()) == options.count)
    endBarrier();
  auto describe = [&] {
    RankState state;
    state.awaited = isa<HostEndOp>(op) ? RankState::Awaited::HostEnd
                                       : RankState::Awaited::Barrier;
    state.of = static_cast<int32_t>(findAbsent());
    return state;
  };
  return scheduler.wait(rank,
                        {op, [&] { return numBarriers != number; }, describe});
}

FailureOr<bool> InterpretedRanks::beginDispatch(DispatchOp op, int64_t rank,
                                                int64_t device,
                                                std::vector<TensorUse> uses) {
  if (device != -1 && failed(checkRank(op, device)))
    return failure();
  FailureOr<size_t> number =
      dispatches.begin(rank, op, device, std::move(uses));
  if (failed(number))
    return failure();
  if (device != -1 && device != rank)
    return false;
  auto isOver = [&] { return !dispatches.findMissing(*number, rank); };
  auto describe = [&] {
    RankState state;
    state.awaited = RankState::Awaited::Dispatch;
    RankDispatches::Missing missing = *dispatches.findMissing(*number, rank);
    state.of = static_cast<int32_t>(missing.rank);
    state.wanted = static_cast<int64_t>(missing.number) + 1;
    state.now = dispatches.countDone(missing.rank);
    return state;
  };
  if (failed(scheduler.wait(rank, {op, isOver, describe})))
    return failure();
  dispatches.learn(*number, knowledge[rank]);
  dispatches.enter(*number, rank);
  isForAll[rank] = device == -1;
  return true;
}

void InterpretedRanks::endDispatch(int64_t rank) {
  dispatches.end(rank, knowledge[rank]);
  isForAll[rank] = false;
  knowledge[rank].advance(rank);
}
