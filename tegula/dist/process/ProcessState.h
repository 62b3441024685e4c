// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What all parts of ProcessRanks share: the ranks, and where in which call of
/// a program this one is. What only one part needs is that part's own.

#ifndef TEGULA_DIST_PROCESS_PROCESSSTATE_H
#define TEGULA_DIST_PROCESS_PROCESSSTATE_H

#include "tegula/dist/RankRecorder.h"
#include "tegula/dist/Transport.h"
#include <memory>

namespace tegula {

/// A rank that is a process, among the others.
struct ProcessState {
  explicit ProcessState(std::unique_ptr<Transport> ranks)
      : transport(std::move(ranks)), messages(transport->getMessages()) {}
  ProcessState(const ProcessState &) = delete;

  /// True if all memory of the ranks is mapped in this process.
  bool isDirect() const { return messages == nullptr; }

  std::unique_ptr<Transport> transport;
  /// Null if all memory is mapped.
  Messages *messages;
  /// Gets what happens; null if nobody asks.
  RankRecorder *recorder = nullptr;
  /// The first call is the barrier at the start.
  uint64_t call = 1, barriers = 0, dispatches = 0;
  bool isInCall = false;
  /// A rank that will never answer, or -1.
  int64_t lost = -1;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_PROCESSSTATE_H
