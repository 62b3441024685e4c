// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What ranks were doing when something went wrong, and the words for it.

#ifndef TEGULA_LAUNCH_RANKS_RANKREPORT_H
#define TEGULA_LAUNCH_RANKS_RANKREPORT_H

#include "tegula/launch/Problem.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/RankState.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace tegula {

/// What was seen of all ranks when one of them stopped waiting.
struct RankReport {
  std::vector<RankState> ranks;
  /// The error of the rank that failed first, if one did.
  TegulaCallState cause = {};
  /// Words of the library that carries messages, if it had some.
  std::string words = {};
};

/// What `state`, whose error is about ranks, says in words.
Problem describeRankProblem(const TegulaCallState &state,
                            llvm::ArrayRef<std::string> sites,
                            const RankReport &report);

} // namespace tegula

#endif // TEGULA_LAUNCH_RANKS_RANKREPORT_H
