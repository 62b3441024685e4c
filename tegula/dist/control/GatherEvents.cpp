// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/GatherEvents.h"

#include <algorithm>
#include <cstring>

using namespace tegula;

/// Reads the beginning of a window of a peer.
static bool readPeer(ProcessRanks &ranks, void *window, int64_t peer,
                     int64_t bytes, void *to, CallLocation location) {
  const int64_t one = 1;
  PeerSlice part = {window, peer, bytes, one, 8, TegulaPeerRead};
  void *memory = ranks.beginPeer(part, location);
  if (memory && bytes > 0)
    std::memcpy(to, memory, bytes);
  ranks.endPeer(memory, part, location);
  return location.state->error == TegulaNoError;
}

static void gather(ProcessRanks &ranks, const std::vector<RankEvent> &own,
                   RankEvents &events, CallLocation location) {
  enum { Counted = 6, Copied };
  auto *count = static_cast<int64_t *>(ranks.allocateWindow(8, location));
  if (!count)
    return;
  *count = own.size();
  ranks.barrier(Counted, location);
  std::vector<int64_t> counts(ranks.getCount());
  for (int64_t peer = 0; peer < ranks.getCount(); ++peer)
    if (!readPeer(ranks, count, peer, 8, &counts[peer], location))
      return;
  int64_t most = *std::max_element(counts.begin(), counts.end());
  void *window = ranks.allocateWindow(most * sizeof(RankEvent), location);
  if (!window)
    return;
  std::copy(own.begin(), own.end(), static_cast<RankEvent *>(window));
  ranks.barrier(Copied, location);
  for (int64_t peer = 0; peer < ranks.getCount(); ++peer) {
    events.emplace_back(counts[peer]);
    if (!readPeer(ranks, window, peer, counts[peer] * sizeof(RankEvent),
                  events.back().data(), location))
      return;
  }
}

Problem tegula::gatherEvents(ProcessRanks &ranks, RankRecorder &recorder,
                             RankEvents &events) {
  TegulaCallState state = {};
  CallLocation location = {&state, -1};
  events.clear();
  gather(ranks, recorder.take(), events, location);
  ranks.endHost(location);
  if (state.error == TegulaNoError)
    return {};
  return describeRankProblem(state, {}, ranks.report());
}
