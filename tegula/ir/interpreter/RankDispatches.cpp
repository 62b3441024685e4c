// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/RankDispatches.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tegula::pl;

FailureOr<size_t> RankDispatches::begin(int64_t rank, Operation *op,
                                        int64_t device,
                                        std::vector<TensorUse> uses) {
  auto ranks = static_cast<int64_t>(numSeen.size());
  size_t number = numSeen[rank]++;
  if (number == dispatches.size()) {
    dispatches.push_back({op, device, rank, std::move(uses),
                          std::vector<bool>(ranks), RankKnowledge(ranks)});
    return number;
  }
  const Dispatch &known = dispatches[number];
  if (known.op == op && known.device == device)
    return number;
  InFlightDiagnostic error = op->emitError("ranks disagree: dispatch ")
                             << number + 1 << " of rank " << rank
                             << " is to device " << device << ", that of rank "
                             << known.first << " to device " << known.device;
  error.attachNote(known.op->getLoc())
      << "dispatch " << number + 1 << " of rank " << known.first;
  return error;
}

bool RankDispatches::conflict(const Dispatch &lhs, const Dispatch &rhs) {
  for (const TensorUse &use : lhs.uses)
    for (const TensorUse &other : rhs.uses)
      if ((use.writes || other.writes) && overlap(use.bytes, other.bytes))
        return true;
  return false;
}

std::optional<RankDispatches::Missing>
RankDispatches::findMissing(size_t number, int64_t rank) const {
  for (size_t earlier = 0; earlier < number; ++earlier) {
    const Dispatch &before = dispatches[earlier];
    for (size_t other = 0; other < before.isDone.size(); ++other)
      if (static_cast<int64_t>(other) != rank && before.concerns(other) &&
          !before.isDone[other] && conflict(before, dispatches[number]))
        return Missing{static_cast<int64_t>(other), earlier};
  }
  return std::nullopt;
}

void RankDispatches::learn(size_t number, RankKnowledge &knowledge) const {
  for (size_t earlier = 0; earlier < number; ++earlier)
    if (conflict(dispatches[earlier], dispatches[number]))
      knowledge.tensors.join(dispatches[earlier].knowledge.tensors);
}

void RankDispatches::end(int64_t rank, const RankKnowledge &knowledge) {
  Dispatch &dispatch = dispatches[current[rank]];
  dispatch.isDone[rank] = true;
  dispatch.knowledge.join(knowledge);
}

int64_t RankDispatches::countDone(int64_t rank) const {
  return llvm::count_if(dispatches, [&](const Dispatch &dispatch) {
    return static_cast<bool>(dispatch.isDone[rank]);
  });
}
