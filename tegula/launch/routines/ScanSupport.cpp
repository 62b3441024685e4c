// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C routine generated code calls for running sums.

#include "tegula/launch/routines/RowCursor.h"
#include "tegula/launch/routines/RowScanner.h"
#include "tegula/support/KernelAbi.h"

using namespace tegula;

void tegulaScanRows(const int64_t *rows, int64_t rank, int64_t, int64_t dtype,
                    int64_t vectorBits, TegulaCallState *, int32_t) {
  auto type = static_cast<DType>(dtype);
  auto size = static_cast<int64_t>(getSize(type));
  int64_t bytes[] = {size, size}, outer = rank, count = 1;
  ScanRows scan = getRowScanner(vectorBits);
  const int64_t *source = rows + rank, *target = source + 3 + rank;
  // Rows that are contiguous are summed together.
  bool isDense = source[2 + rank] == 1 && target[2 + rank] == 1;
  if (!isDense && rank > 0 && source[1 + rank] == 1 && target[1 + rank] == 1)
    count = rows[--outer];
  if (count == 0)
    return;
  int64_t length = std::min(source[1], target[1]);
  forEachRow<2>(
      rows, rank, bytes, 2,
      [&](const RowCursor *row) {
        scan({row[0].start, row[1].start, length, row[0].step, row[1].step,
              count},
             type);
      },
      outer);
}
