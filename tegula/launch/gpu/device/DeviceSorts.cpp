// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders the elements of rows: each thread counts how many come before an
// element, which is its place. Takes no memory, and time that grows with the
// square of a row.

#include "tegula/launch/gpu/device/DeviceRows.h"

using namespace tegula;
using namespace tegula::gpu;

/// True if the element with number `a` at place `i` comes before the other.
static bool isBefore(uint64_t a, int64_t i, uint64_t b, int64_t j) {
  return a != b ? a < b : i < j;
}

/// How many of `count` numbers come before the one at `place`.
template <typename Order>
static int64_t countBefore(Order order, int64_t count, int64_t place) {
  uint64_t own = order(place);
  int64_t before = 0;
  for (int64_t i = 0; i < count; ++i)
    before += isBefore(order(i), i, own, place);
  return before;
}

extern "C" {

void tegulaGpuArgReduce(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                        int64_t, int64_t dtype, int64_t isMax, int64_t,
                        TegulaCallState *, int32_t) {
  auto type = static_cast<DType>(dtype);
  Rows all{rows, rank};
  shareOut(all.count(), [&](int64_t number) {
    Row row = all.get(0, number, getSize(type));
    Row target = all.get(1, number, 4);
    // The first NaN is wanted either way.
    auto order = [&](int64_t place) {
      uint64_t found = orderOf(row.at(place), type);
      bool isNan = isFloat(type) && found == ~uint64_t(0);
      return isMax ? ~found : isNan ? 0 : found;
    };
    int64_t best = row.length == 0 ? -1 : 0;
    for (int64_t i = 1; i < row.length; ++i)
      if (order(i) < order(best))
        best = i;
    if (target.length > 0)
      target.as<int32_t>(0) = best;
  });
  tegulaGpuBarrier();
}

void tegulaGpuSortRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                       int64_t, int64_t dtype, int64_t isDescending, int64_t,
                       TegulaCallState *, int32_t) {
  auto type = static_cast<DType>(dtype);
  Rows all{rows, rank};
  int64_t bytes = getSize(type), length = rows[rank + 1];
  shareOut(all.count() * length, [&](int64_t number) {
    int64_t place = number % length;
    number /= length;
    Row row = all.get(0, number, bytes), values = all.get(1, number, bytes),
        places = all.get(2, number, 4);
    int64_t to = countBefore(
        [&](int64_t i) {
          uint64_t found = orderOf(row.at(i), type);
          return isDescending ? ~found : found;
        },
        length, place);
    if (to < values.length)
      copyElement(values.at(to), row.at(place), isHalf(type) ? 0 : bytes);
    if (to < places.length)
      places.as<int32_t>(to) = place;
  });
  tegulaGpuBarrier();
}

void tegulaGpuSortRuns(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                       int64_t, int64_t run, int64_t, TegulaCallState *,
                       int32_t) {
  Rows all{rows, rank};
  Row first = all.get(0, 0, 4), second = all.get(1, 0, 4);
  int64_t width = least(first.length, second.length);
  shareOut(all.count() * width, [&](int64_t number) {
    int64_t place = number % width;
    number /= width;
    Row values = all.get(0, number, 4), indices = all.get(1, number, 4),
        target = all.get(2, number, 4);
    int64_t start = place / run * run;
    int64_t to =
        start + countBefore(
                    [&](int64_t i) {
                      return ~orderOf(values.at(start + i), DType::FP32);
                    },
                    least(run, width - start), place - start);
    if (to >= target.length / 2)
      return;
    target.as<uint32_t>(2 * to) = values.as<uint32_t>(place);
    target.as<uint32_t>(2 * to + 1) = indices.as<uint32_t>(place);
  });
  tegulaGpuBarrier();
}

/// Pairs of several lists count as one list.
void tegulaGpuMergeRuns(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                        int64_t, int64_t count, int64_t run, int64_t,
                        TegulaCallState *, int32_t) {
  Rows all{rows, rank};
  int64_t pairs = 0;
  for (int64_t i = 0; i < count; ++i)
    pairs += all.get(i, 0, 4).length / 2;
  if (run < 1)
    run = 1;
  int64_t group = count > 1 || run > pairs / 4 ? pairs : 4 * run;
  shareOut(all.count() * pairs, [&](int64_t number) {
    int64_t place = number % pairs;
    number /= pairs;
    auto find = [&](int64_t pair) {
      int64_t list = 0;
      Row row = all.get(0, number, 4);
      while (pair >= row.length / 2) {
        pair -= row.length / 2;
        row = all.get(++list, number, 4);
      }
      return row.at(2 * pair);
    };
    Row target = all.get(count, number, 4);
    int64_t start = place / group * group;
    int64_t to = start + countBefore(
                             [&](int64_t i) {
                               return ~orderOf(find(start + i), DType::FP32);
                             },
                             least(group, pairs - start), place - start);
    if (to >= target.length / 2)
      return;
    int64_t list = 0, pair = place;
    Row row = all.get(0, number, 4);
    while (pair >= row.length / 2) {
      pair -= row.length / 2;
      row = all.get(++list, number, 4);
    }
    target.as<uint32_t>(2 * to) = row.as<uint32_t>(2 * pair);
    target.as<uint32_t>(2 * to + 1) = row.as<uint32_t>(2 * pair + 1);
  });
  tegulaGpuBarrier();
}

} // extern "C"
