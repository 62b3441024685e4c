// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A program over ranks as one of them tells it: answers what code asks of
/// RanksAbi.h, without data. Barriers and the order of dispatches become
/// signals as well.

#ifndef TEGULA_SIM_PRODUCER_RANKPROGRAM_H
#define TEGULA_SIM_PRODUCER_RANKPROGRAM_H

#include "tegula/sim/producer/TensorMap.h"
#include "tegula/support/RanksAbi.h"
#include "tegula/support/TraceAbi.h"
#include <map>
#include <vector>

namespace tegula::sim {

/// One rank, from the start of a call to its end.
class RankProgram {
public:
  explicit RankProgram(TensorMap &tensors) : tensors(tensors) {}

  void setRank(int64_t newRank, int64_t newCount) {
    rank = newRank;
    count = newCount;
  }
  /// A call begins anew.
  void reset();

  /// The answer, as TegulaTraceCall::ask has it; what it does is added to
  /// `ops`, and what is wrong with the question is reported in `state`.
  int64_t answer(int32_t question, const int64_t *numbers,
                 TegulaCallState &state, std::vector<TegulaTraceOp> &ops);

private:
  /// A part of a tensor that a dispatch to a rank used.
  struct Use {
    int64_t rank;
    bool writes;
    int64_t address;
    int64_t elementBits;
    /// Sizes, then strides in elements.
    std::vector<int64_t> shape;

    Use(int64_t rank, const TegulaTensorUse &use);
    bool operator<(const Use &other) const;
    /// From the first to the last byte.
    std::pair<int64_t, int64_t> findSpan() const;
    bool overlaps(const Use &other) const;
  };

  int64_t beginPeer(const int64_t *numbers, TegulaCallState &state);
  void notify(const int64_t *numbers, TegulaCallState &state,
              std::vector<TegulaTraceOp> &ops);
  void wait(const int64_t *numbers, TegulaCallState &state,
            std::vector<TegulaTraceOp> &ops);
  void barrier(int32_t line, std::vector<TegulaTraceOp> &ops);
  bool beginDispatch(const int64_t *numbers, TegulaCallState &state,
                     std::vector<TegulaTraceOp> &ops);
  void endDispatch(int32_t line, std::vector<TegulaTraceOp> &ops);
  bool isReachable(int64_t address, int64_t peer, int32_t site,
                   TegulaCallState &state) const;

  TensorMap &tensors;
  int64_t rank = 0;
  int64_t count = 1;
  int64_t numBarriers = 0;
  int64_t numDispatches = 0;
  /// Waits for the end of the dispatch that this rank is in.
  bool isInDispatch = false;
  std::vector<TegulaTraceOp> deferred;
  /// The last dispatch with each use.
  std::map<Use, int64_t> lastUses;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_PRODUCER_RANKPROGRAM_H
