// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a rank does, as plain data, and the words for it. Whoever runs ranks
/// fills it: processes, or an interpreter.

#ifndef TEGULA_SUPPORT_RANKSTATE_H
#define TEGULA_SUPPORT_RANKSTATE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>

namespace tegula {

/// What one rank does.
struct RankState {
  enum class Doing : uint32_t { Running, Waiting, Idle, Left, Failed, Lost };
  /// What a rank that waits needs: a signal that equals `wanted` or has reached
  /// it, rank `of` at a barrier, its dispatch number `wanted`, that it is at
  /// the end of the program, or its turn to change that one's memory.
  enum class Awaited : uint32_t {
    SignalEqual,
    SignalAtLeast,
    Barrier,
    Dispatch,
    HostEnd,
    Update
  };

  Doing doing = Doing::Running;
  Awaited awaited = Awaited::SignalEqual;
  /// An index into the sites of the kernel, or -1.
  int32_t site = -1;
  /// The rank that is waited for, or -1.
  int32_t of = -1;
  int64_t now = 0;
  int64_t wanted = 0;
  /// How long it has waited; -1 where time does not count.
  int64_t milliseconds = 0;
};

/// One line for each rank: "rank 1 waits at f.py:7:3 for a signal to reach 4,
/// it is 3, for 30.0 s".
std::string formatRankStates(llvm::ArrayRef<RankState> ranks,
                             llvm::ArrayRef<std::string> sites);

} // namespace tegula

#endif // TEGULA_SUPPORT_RANKSTATE_H
