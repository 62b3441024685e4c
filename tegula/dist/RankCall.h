// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A call of a host program by processes that are all ranks.

#ifndef TEGULA_DIST_RANKCALL_H
#define TEGULA_DIST_RANKCALL_H

#include "tegula/dist/control/ProcessRanks.h"
#include "tegula/launch/call/Variant.h"
#include <unordered_set>

namespace tegula {

/// The ranks, and what they have agreed on so far. All ranks make the same
/// calls with tensors of equal contents, and all get all results.
class RankCaller {
public:
  /// `ranks` must outlive it.
  explicit RankCaller(ProcessRanks &ranks) : ranks(ranks) {}

  /// Runs `variant` on all ranks. `key` is equal on ranks that call the same
  /// program. A tensor that all ranks see is used where it lies; of others each
  /// rank copies a part to where all see it.
  Problem call(const Variant &variant, const std::string &key,
               llvm::ArrayRef<Argument> arguments);

private:
  Problem agree(const Variant &variant, const std::string &key,
                const int64_t *slots, CallLocation location);

  ProcessRanks &ranks;
  /// Hashes of what was found to be equal.
  std::unordered_set<uint64_t> agreed;
};

} // namespace tegula

#endif // TEGULA_DIST_RANKCALL_H
