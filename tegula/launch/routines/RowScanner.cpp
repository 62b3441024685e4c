// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/RowScanner.h"

#include <utility>

using namespace tegula;

namespace {

namespace plain {
constexpr int scanBytes = 16;
#include "tegula/launch/routines/ScanRows.inc"
} // namespace plain

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
namespace avx2 {
constexpr int scanBytes = 32;
#include "tegula/launch/routines/ScanRows.inc"
} // namespace avx2
#pragma clang attribute pop
#endif

} // namespace

void tegula::scanRowsPlain(const ScannedRows &rows, DType dtype) {
  plain::scanRowsOf(rows, dtype);
}

#if defined(__x86_64__)
void tegula::scanRowsAvx2(const ScannedRows &rows, DType dtype) {
  avx2::scanRowsOf(rows, dtype);
}
#endif

ScanRows tegula::getRowScanner(int64_t vectorBits) {
#if defined(__x86_64__)
  // In longer vectors it takes longer to move lanes up than is won.
  if (vectorBits >= 256)
    return scanRowsAvx2;
#endif
  return scanRowsPlain;
}
