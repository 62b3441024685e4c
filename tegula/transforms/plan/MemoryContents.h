// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What lies in the frames of a plan at one point of the program.

#ifndef TEGULA_TRANSFORMS_PLAN_MEMORYCONTENTS_H
#define TEGULA_TRANSFORMS_PLAN_MEMORYCONTENTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <tuple>

namespace tegula {

/// Bytes of one space of one frame.
struct ByteRange {
  mlir::Operation *frame;
  unsigned space;
  int64_t offset;
  int64_t bytes;
};

/// What was put where and not overwritten since, by the name it was put there
/// under: a tile, or an operand that was computed for its op.
class MemoryContents {
public:
  using Name = const void *;

  /// Puts something there; returns what it overwrites, even in part.
  llvm::SmallVector<Name, 2> put(Name name, const ByteRange &range);
  /// Overwrites with nothing.
  llvm::SmallVector<Name, 2> clear(const ByteRange &range);
  /// True if that is still whole there.
  bool holds(Name name, const ByteRange &range) const;
  /// Keeps only what the other has too; true if that changed anything.
  bool meet(const MemoryContents &other);

private:
  using Key = std::tuple<mlir::Operation *, unsigned, int64_t>;
  struct Interval {
    int64_t bytes;
    Name name;
  };
  std::map<Key, Interval> intervals;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_MEMORYCONTENTS_H
