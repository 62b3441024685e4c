// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of ranks: windows and shared tensors of a call, windows that stay,
/// and memory that all have mapped.

#ifndef TEGULA_DIST_PROCESS_WINDOWMEMORY_H
#define TEGULA_DIST_PROCESS_WINDOWMEMORY_H

#include "tegula/dist/memory/SymmetricHeap.h"
#include "tegula/dist/process/ProcessPart.h"
#include "tegula/launch/ranks/RankGroup.h"
#include <vector>

namespace tegula {

class CallLifetime;
class RankBarriers;
class RankReporter;

class WindowMemory : ProcessPart {
public:
  WindowMemory(ProcessState &process, RankReporter &reporter,
               RankBarriers &barriers, CallLifetime &lifetime)
      : ProcessPart(process), reporter(reporter), barriers(barriers),
        lifetime(lifetime) {}

  void *allocateWindow(int64_t bytes, CallLocation location);
  void *allocateShared(int64_t bytes, CallLocation location);
  /// A window that stays from call to call.
  void *allocateKept(int64_t bytes, CallLocation location);
  bool hasWindows() const { return !windows.isEmpty(); }
  /// Zeroes what this rank has of the windows of the call, and gives back what
  /// does not stay.
  void release();

  /// See ProcessRanks.
  void addWindow(char *begin, int64_t bytes);
  void addShared(const void *begin, int64_t bytes);
  char *findOwn(char *first) const;
  bool isShared(const void *address) const;

  /// True if it is memory that all ranks have mapped.
  bool isMapped(const void *address) const;
  /// True if a window is mapped on all ranks.
  bool isReached(const SymmetricHeap::Location &window) const {
    return isDirect() || window.segment->number < 0;
  }
  /// The window, or the shared tensor, that an address of this rank is in.
  SymmetricHeap::Location findBlock(const void *own) const;
  SymmetricHeap::Location findShared(const void *own) const {
    return shared.find(own, getRank());
  }
  /// The same for a window that is used on `peer`; nothing, with an error, if
  /// there is no such window or no such rank.
  SymmetricHeap::Location findWindow(const void *own, int64_t peer,
                                     CallLocation location);

private:
  void *allocateOn(SymmetricHeap &heap, SegmentKind kind, int64_t bytes,
                   CallLocation location);
  bool grow(SymmetricHeap &heap, SegmentKind kind, int64_t bytes,
            CallLocation location);

  RankReporter &reporter;
  RankBarriers &barriers;
  CallLifetime &lifetime;
  SymmetricHeap windows, shared, kept;
  std::vector<std::pair<const char *, const char *>> sharedRanges;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_WINDOWMEMORY_H
