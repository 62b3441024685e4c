// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What ranks did, as numbers, as a table and as a timeline.

#ifndef TEGULA_DIST_RANKMEASURES_H
#define TEGULA_DIST_RANKMEASURES_H

#include "tegula/dist/RankRecorder.h"
#include "llvm/ADT/ArrayRef.h"

namespace tegula {

/// The events of each rank.
using RankEvents = std::vector<std::vector<RankEvent>>;

/// What one rank spent its time with, in nanoseconds, and whose memory it used.
struct RankMeasures {
  /// In dispatches, but for what is counted below.
  int64_t computing = 0;
  int64_t communicating = 0;
  int64_t waiting = 0;
  /// For each rank, how many bytes of its memory were read or written.
  std::vector<int64_t> bytes = {};
};

/// One for each rank.
std::vector<RankMeasures> measureRanks(const RankEvents &events);

/// A line for each rank: times in milliseconds, and the bytes moved between it
/// and each other.
std::string formatMeasures(llvm::ArrayRef<RankMeasures> ranks);

/// All events as a timeline that Perfetto shows, one process for each rank;
/// `sites` are those of the program.
std::string writeRankTrace(const RankEvents &events,
                           llvm::ArrayRef<std::string> sites);

} // namespace tegula

#endif // TEGULA_DIST_RANKMEASURES_H
