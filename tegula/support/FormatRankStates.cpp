// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/RankState.h"

using namespace tegula;
using std::to_string;

/// ", for 12.3 s"
static std::string formatTime(int64_t milliseconds) {
  if (milliseconds < 0)
    return "";
  return ", for " + to_string(milliseconds / 1000) + "." +
         to_string(milliseconds / 100 % 10) + " s";
}

/// "a signal to be 4, it is 3"
static std::string formatAwaited(const RankState &state) {
  std::string now = to_string(state.now);
  std::string wanted = to_string(state.wanted);
  std::string of = to_string(state.of);
  switch (state.awaited) {
  case RankState::Awaited::SignalEqual:
    return "a signal to be " + wanted + ", it is " + now;
  case RankState::Awaited::SignalAtLeast:
    return "a signal to reach " + wanted + ", it is " + now;
  case RankState::Awaited::Barrier:
    return "rank " + of + " at a barrier of all";
  case RankState::Awaited::Dispatch:
    return "dispatch " + wanted + " of rank " + of + ", which has done " + now;
  case RankState::Awaited::HostEnd:
    return "rank " + of + " at the end of the program";
  case RankState::Awaited::Update:
    return "its turn to change memory of rank " + of;
  }
  return "";
}

static std::string formatDoing(const RankState &state,
                               llvm::ArrayRef<std::string> sites) {
  bool hasSite =
      state.site >= 0 && static_cast<size_t>(state.site) < sites.size();
  std::string location = hasSite ? sites[state.site] : "";
  std::string at = location.empty() ? "" : " at " + location;
  switch (state.doing) {
  case RankState::Doing::Running:
    return "runs";
  case RankState::Doing::Waiting:
    return "waits" + at + " for " + formatAwaited(state) +
           formatTime(state.milliseconds);
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
    text +=
        "\n  rank " + to_string(rank) + " " + formatDoing(ranks[rank], sites);
  return text;
}
