// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/ranks/RankReport.h"

#include "tegula/launch/call/Variant.h"

using namespace tegula;

static std::string locationOf(int64_t site, llvm::ArrayRef<std::string> sites) {
  return site >= 0 && static_cast<size_t>(site) < sites.size() ? sites[site]
                                                               : "";
}

/// Why a rank is needed no more: it left by itself, or something ended it.
static const char *describeLoss(int64_t rank, const RankReport &report) {
  bool hasLeft = rank >= 0 && static_cast<size_t>(rank) < report.ranks.size() &&
                 report.ranks[rank].doing == RankState::Doing::Left;
  return hasLeft ? "left before the program was done"
                 : "ended before the program was done";
}

Problem tegula::describeRankProblem(const TegulaCallState &state,
                                    llvm::ArrayRef<std::string> sites,
                                    const RankReport &report) {
  std::string location = locationOf(state.site, sites);
  std::string start = location.empty() ? "" : location + ": ";
  auto say = [&](const char *format, auto... values) {
    return makeProblem(Problem::Kind::Run, format, start, values...);
  };
  switch (state.error) {
  case TegulaRankLost:
    return say("{0}rank {1} {2}", state.index,
               describeLoss(state.index, report));
  case TegulaRankFailed:
    return makeProblem(Problem::Kind::Run, "rank {0} failed: {1}", state.index,
                       describeRunProblem(report.cause, sites).getText());
  case TegulaRanksDisagree:
    return say("{0}ranks disagree: rank {1} is at {2}", state.index,
               state.extent < 0 ? "the end of the program"
               : locationOf(state.extent, sites).empty()
                   ? "another barrier"
                   : locationOf(state.extent, sites));
  case TegulaWaitedTooLong:
    return say("{0}waited {1} s in vain{2}", state.index,
               formatRankStates(report.ranks, sites));
  case TegulaNotAWindow:
    return say("{0}the tensor is in no window, other ranks cannot reach it");
  case TegulaNoSuchRank:
    return say("{0}there is no rank {1}, the ranks are 0 to {2}", state.index,
               state.extent - 1);
  default:
    return say("{0}ranks cannot reach each other: {1}", report.words);
  }
}
