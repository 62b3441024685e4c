// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which parts of a range of bytes are in use.

#ifndef TEGULA_DIST_MEMORY_ARENA_H
#define TEGULA_DIST_MEMORY_ARENA_H

#include <cstdint>
#include <map>

namespace tegula {

/// Blocks of a range, aligned to 64 bytes; the first place that is large enough
/// is taken. Not for several threads at once.
class Arena {
public:
  /// The range becomes so long.
  void extend(int64_t bytes);
  int64_t getSize() const { return size; }

  /// The offset of a block, or -1 if it does not fit.
  int64_t allocate(int64_t bytes);
  /// Gives back the block that begins there.
  void free(int64_t offset);

private:
  void addFree(int64_t offset, int64_t bytes);

  int64_t size = 0;
  /// From offset to bytes.
  std::map<int64_t, int64_t> used, unused;
};

} // namespace tegula

#endif // TEGULA_DIST_MEMORY_ARENA_H
