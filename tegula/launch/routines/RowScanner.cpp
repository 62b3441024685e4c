// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/RowScanner.h"

#include <utility>

using namespace tegula;

namespace {

constexpr int scanBytes = 16;
#include "tegula/launch/routines/ScanRows.inc"

} // namespace

void tegula::scanRowsPlain(const ScannedRows &rows, DType dtype) {
  scanRowsOf(rows, dtype);
}

ScanRows tegula::getRowScanner(int64_t vectorBits) {
#if defined(__x86_64__)
  // In longer vectors it takes longer to move lanes up than is won.
  if (vectorBits >= 256)
    return scanRowsAvx2;
#endif
  return scanRowsPlain;
}
