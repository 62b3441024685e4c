// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory that is handed out at the same offset on every rank, because every
/// rank asks in the same order. It grows by segments, which are kept.

#ifndef TEGULA_DIST_MEMORY_SYMMETRICHEAP_H
#define TEGULA_DIST_MEMORY_SYMMETRICHEAP_H

#include "tegula/dist/Transport.h"

namespace tegula {

/// A stack of blocks over segments.
class SymmetricHeap {
public:
  /// An offset in the memory of every rank.
  struct Location {
    const Segment *segment = nullptr;
    int64_t offset = 0;

    explicit operator bool() const { return segment != nullptr; }
  };

  /// A block aligned to 64 bytes; nothing if a segment has to be added first.
  Location allocate(int64_t bytes);

  /// How large a segment should be so that the block fits; negative if the
  /// number would be too large.
  int64_t getGrowth(int64_t bytes) const;
  void add(Segment segment);

  /// Where an address in the part of rank `owner` is; nothing if it is in no
  /// block.
  Location find(const void *address, int64_t owner) const;

  /// True if no block is handed out.
  bool isEmpty() const { return top.segment == 0 && top.used == 0; }
  /// Gives back all blocks.
  void release() { top = {}; }
  /// Zeroes what `owner` has of the blocks.
  void clear(int64_t owner);

private:
  /// Up to where memory is handed out.
  struct Mark {
    size_t segment = 0;
    int64_t used = 0;
  };

  /// Where blocks end in a segment.
  int64_t getUsed(size_t segment) const;

  std::vector<Segment> segments;
  /// Of segments before that of the top.
  std::vector<int64_t> used;
  Mark top;
};

} // namespace tegula

#endif // TEGULA_DIST_MEMORY_SYMMETRICHEAP_H
