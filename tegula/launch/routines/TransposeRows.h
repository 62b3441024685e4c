// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies that turn rows into columns, by square blocks in registers.

#ifndef TEGULA_LAUNCH_ROUTINES_TRANSPOSEROWS_H
#define TEGULA_LAUNCH_ROUTINES_TRANSPOSEROWS_H

#include <cstdint>

namespace tegula {

/// Element (i, j) of `rows` times `columns` goes from
/// `source[i + j * sourcePitch]` to `target[i * targetPitch + j]`, pitches in
/// elements of 1, 2, 4 or 8 bytes. The two share no memory.
struct TransposedCopy {
  int64_t rows, columns, targetPitch, sourcePitch, elementBytes;
  /// Whether whole lines are written past the caches, which pays where neither
  /// side stays in them. They are there when the copy ends.
  bool goesPastCaches = false;

  /// With the widest registers of this processor, or with ones of so many
  /// bytes that it has: 16, 32 or 64.
  void run(void *target, const void *source, int registerBytes = 0) const;
};

/// How many bytes the widest registers have that this processor copies with.
int widestRegister();

} // namespace tegula

#endif // TEGULA_LAUNCH_ROUTINES_TRANSPOSEROWS_H
