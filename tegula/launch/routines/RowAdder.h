// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Adds rows to those that indices say. Compiled once for each width of
/// vectors.

#ifndef TEGULA_LAUNCH_ROUTINES_ROWADDER_H
#define TEGULA_LAUNCH_ROUTINES_ROWADDER_H

#include "tegula/support/DType.h"

#include <cstdint>

namespace tegula {

/// Rows one after the other, and where they go. Distances are in elements; what
/// is read and what is added to share no memory.
struct AddedRows {
  const char *rows;
  int64_t distance;
  char *targets;
  int64_t targetDistance;
  /// Which target each row is added to.
  const int64_t *indices;
  int64_t count;
  /// How many elements a row has.
  int64_t columns;
};

using AddRows = void (*)(const AddedRows &added);

/// For elements of that type, and processors whose vectors have that many bits.
/// Sums of integers wrap around.
AddRows getRowAdder(DType dtype, int64_t vectorBits);

/// Each needs a processor that has what it is named for.
AddRows getRowAdderPlain(DType dtype);
AddRows getRowAdderAvx2(DType dtype);
AddRows getRowAdderAvx512(DType dtype);

} // namespace tegula

#endif // TEGULA_LAUNCH_ROUTINES_ROWADDER_H
