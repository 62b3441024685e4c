// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/RankReport.h"

#include "tegula/launch/Variant.h"

using namespace tegula;

static std::string placeOf(int64_t site, llvm::ArrayRef<std::string> sites) {
  return site >= 0 && static_cast<size_t>(site) < sites.size() ? sites[site]
                                                               : "";
}

/// "12.3 s"
static std::string formatTime(int64_t milliseconds) {
  return formatText("{0}.{1} s", {std::to_string(milliseconds / 1000),
                                  std::to_string(milliseconds / 100 % 10)});
}

/// "a signal to be 4, it is 3"
static std::string formatAwaited(const RankState &state) {
  std::string now = std::to_string(state.now);
  std::string wanted = std::to_string(state.wanted);
  std::string of = std::to_string(state.of);
  switch (state.awaited) {
  case RankState::Awaited::SignalEqual:
    return formatText("a signal to be {0}, it is {1}", {wanted, now});
  case RankState::Awaited::SignalAtLeast:
    return formatText("a signal to reach {0}, it is {1}", {wanted, now});
  case RankState::Awaited::Meeting:
    return formatText("rank {0} at a meeting of all", {of});
  case RankState::Awaited::Dispatch:
    return formatText("dispatch {0} of rank {1}, which has done {2}",
                      {wanted, of, now});
  case RankState::Awaited::HostEnd:
    return formatText("rank {0} at the end of the program", {of});
  case RankState::Awaited::Update:
    return formatText("its turn to change memory of rank {0}", {of});
  }
  return "";
}

static std::string formatDoing(const RankState &state,
                               llvm::ArrayRef<std::string> sites) {
  std::string place = placeOf(state.site, sites);
  std::string at = place.empty() ? "" : " at " + place;
  switch (state.doing) {
  case RankState::Doing::Running:
    return "runs";
  case RankState::Doing::Waiting:
    return formatText(
        "waits{0} for {1}, for {2}",
        {at, formatAwaited(state), formatTime(state.milliseconds)});
  case RankState::Doing::Idle:
    return "is in no call";
  case RankState::Doing::Left:
    return "has left";
  case RankState::Doing::Failed:
    return "has failed" + at;
  case RankState::Doing::Lost:
    return "has ended";
  }
  return "";
}

std::string tegula::formatRankStates(llvm::ArrayRef<RankState> ranks,
                                     llvm::ArrayRef<std::string> sites) {
  std::string text;
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    text += formatText("\n  rank {0} {1}",
                       {std::to_string(rank), formatDoing(ranks[rank], sites)});
  return text;
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
  std::string place = placeOf(state.site, sites);
  std::string start = place.empty() ? "" : place + ": ";
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
               : placeOf(state.extent, sites).empty()
                   ? "another meeting"
                   : placeOf(state.extent, sites));
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
