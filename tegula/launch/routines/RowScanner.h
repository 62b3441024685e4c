// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Running sums along rows, compiled once for each width of vectors.

#ifndef TEGULA_LAUNCH_ROUTINES_ROWSCANNER_H
#define TEGULA_LAUNCH_ROUTINES_ROWSCANNER_H

#include "tegula/support/DType.h"

#include <cstdint>

namespace tegula {

/// Rows of one tensor that are summed into those of another. Strides are in
/// elements.
struct ScannedRows {
  const void *source;
  void *target;
  int64_t length;
  int64_t sourceStep, targetStep;
  /// So many rows are contiguous, one element apart.
  int64_t count;
};

/// Writes what each element and all before it in its row sum up to. The type is
/// one of those that `canScanRows` names.
using ScanRows = void (*)(const ScannedRows &rows, DType dtype);

constexpr bool canScanRows(DType dtype) {
  return dtype == DType::FP32 || dtype == DType::FP64 ||
         dtype == DType::Int32 || dtype == DType::UInt32 ||
         dtype == DType::Int64 || dtype == DType::UInt64;
}

/// For processors whose vectors have that many bits.
ScanRows getRowScanner(int64_t vectorBits);

/// Each needs a processor that has what it is named for.
void scanRowsPlain(const ScannedRows &rows, DType dtype);
void scanRowsAvx2(const ScannedRows &rows, DType dtype);

} // namespace tegula

#endif // TEGULA_LAUNCH_ROUTINES_ROWSCANNER_H
