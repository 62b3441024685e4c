// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parts of windows of peers, in place where they are mapped, else as copies
/// that messages bring and take.

#ifndef TEGULA_DIST_PROCESS_PEERMEMORY_H
#define TEGULA_DIST_PROCESS_PEERMEMORY_H

#include "tegula/dist/process/ProcessPart.h"
#include "tegula/launch/ranks/RankGroup.h"

namespace tegula {

class PeerLocks;
class RankReporter;
class WindowMemory;

class PeerMemory : ProcessPart {
public:
  PeerMemory(ProcessState &process, RankReporter &reporter,
             WindowMemory &memory, PeerLocks &locks)
      : ProcessPart(process), reporter(reporter), memory(memory), locks(locks) {
  }

  /// See RankGroup.
  void *begin(const PeerSlice &part, CallLocation location);
  void end(void *data, const PeerSlice &part, CallLocation location);

private:
  /// Memory of this rank that stands for the part.
  void *makeCopy(const PeerSlice &part, CallLocation location);
  void transfer(const PeerSlice &part, void *data, bool isWrite,
                CallLocation location);
  void writeHalves(const PeerSlice &part, void *data, CallLocation location);

  RankReporter &reporter;
  WindowMemory &memory;
  PeerLocks &locks;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_PEERMEMORY_H
