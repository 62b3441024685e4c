// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Iterates over the rows of several tensors together, as KernelAbi.h lays them
/// out for routines on rows.

#ifndef TEGULA_LAUNCH_ROUTINES_ROWCURSOR_H
#define TEGULA_LAUNCH_ROUTINES_ROWCURSOR_H

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tegula {

/// A row of one tensor, and how it moves from one row to the next.
struct RowCursor {
  char *start;
  int64_t length;
  const int64_t *outerStrides;
  int64_t step;
  int64_t elementBytes;

  char *at(int64_t index) const { return start + index * step * elementBytes; }
};

/// Calls `visit` with rows of the first `used` tensors, no more than `Count`.
/// Of the axes before the rows only the first `outerAxes` are iterated over.
template <size_t Count, typename Visit>
void forEachRow(const int64_t *rows, int64_t rank, const int64_t *elementBytes,
                size_t used, Visit visit, int64_t outerAxes) {
  RowCursor row[Count];
  const int64_t *next = rows + rank;
  for (size_t i = 0; i < used; ++i, next += 3 + rank)
    row[i] = {reinterpret_cast<char *>(next[0]), next[1], next + 2,
              next[2 + rank], elementBytes[i]};
  // Counts through the outer axes, the last one fastest.
  constexpr int64_t mostAxes = 16;
  int64_t index[mostAxes] = {};
  if (rank > mostAxes || std::any_of(rows, rows + outerAxes,
                                     [](int64_t size) { return size == 0; }))
    return;
  while (true) {
    visit(row);
    int64_t axis = outerAxes - 1;
    for (; axis >= 0; --axis) {
      bool isDone = ++index[axis] == rows[axis];
      int64_t steps = isDone ? 1 - rows[axis] : 1;
      for (size_t i = 0; i < used; ++i)
        row[i].start += steps * row[i].outerStrides[axis] * row[i].elementBytes;
      if (!isDone)
        break;
      index[axis] = 0;
    }
    if (axis < 0)
      return;
  }
}

/// All of them.
template <size_t Count, typename Visit>
void forEachRow(const int64_t *rows, int64_t rank, const int64_t *elementBytes,
                size_t used, Visit visit) {
  forEachRow<Count>(rows, rank, elementBytes, used, visit, rank);
}

} // namespace tegula

#endif // TEGULA_LAUNCH_ROUTINES_ROWCURSOR_H
