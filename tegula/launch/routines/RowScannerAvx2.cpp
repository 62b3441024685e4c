// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/RowScanner.h"

#if defined(__x86_64__)
#include <utility>

using namespace tegula;

#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
namespace {

constexpr int scanBytes = 32;
#include "tegula/launch/routines/ScanRows.inc"

} // namespace

void tegula::scanRowsAvx2(const ScannedRows &rows, DType dtype) {
  scanRowsOf(rows, dtype);
}
#pragma clang attribute pop
#endif
