// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders the elements of rows.

#include "tegula/launch/gpu/device/DeviceLists.h"

using namespace tegula;
using namespace tegula::gpu;

namespace {

/// What a sort of rows was asked for.
struct RowSort {
  Part part;
  TegulaGpuArena *arena;
  Rows all;
  DType type;
  bool isDescending;

  template <typename Key> void run() const {
    int64_t bytes = getSize(type);
    RowsOf from(all, 0, bytes), values(all, 1, bytes), places(all, 2, 4);
    int64_t length = from.length(),
            kept = most(values.length(), places.length());
    sortLists<Key>(
        part, arena, all.count(), length, least(kept, length),
        int32_t(getBits(type)),
        [from, ordering = Ordering<typename Key::Order>(type),
         isDescending = isDescending](int64_t row, int64_t place) {
          auto order = ordering.at(from.get(row).at(place));
          return Key::make(isDescending ? ~order : order, place);
        },
        [from, values, places,
         bytes = isHalf(type) ? 0 : bytes](int64_t row, int64_t to, Key key) {
          if (to < values.length())
            copyElement(values.get(row).at(to), from.get(row).at(key.place()),
                        bytes);
          if (to < places.length())
            places.get(row).as<int32_t>(to) = key.place();
        });
  }
};

/// Pairs of value and index, each `length` of which are sorted.
template <typename Find>
void sortPairs(TegulaGpuArena *arena, const Rows &all, int64_t target,
               int64_t pairs, int64_t length, Find find) {
  if (pairs <= 0 || length <= 0)
    return;
  int64_t lists = (pairs + length - 1) / length;
  sortLists<NarrowKey>(
      Part::whole(), arena, all.count() * lists, least(length, pairs),
      least(length, pairs), int32_t(getBits(DType::FP32)),
      [=](int64_t list, int64_t place) {
        int64_t at = list % lists * length + place;
        if (at >= pairs)
          return NarrowKey::none();
        return NarrowKey::make(
            ~Ordering<uint32_t>(DType::FP32).at(find(list / lists, at).value),
            place);
      },
      [=](int64_t list, int64_t to, NarrowKey key) {
        int64_t start = list % lists * length, row = list / lists;
        Row pairsOfRow = all.get(target, row, 4);
        to += start;
        if (to >= pairsOfRow.length / 2)
          return;
        auto found = find(row, start + key.place());
        copyElement(pairsOfRow.at(2 * to), found.value, 4);
        copyElement(pairsOfRow.at(2 * to + 1), found.index, 4);
      });
}

struct Pair {
  const char *value, *index;
};

} // namespace

static void sortRows(const Part &part, TegulaGpuArena *arena,
                     const int64_t *rows, int64_t rank, int64_t dtype,
                     int64_t isDescending) {
  auto type = static_cast<DType>(dtype);
  RowSort sort{part, arena, {rows, rank}, type, isDescending != 0};
  if (getSize(type) <= 4)
    sort.run<NarrowKey>();
  else
    sort.run<WideKey>();
}

extern "C" {

void tegulaGpuSortRows(TegulaGpuArena *arena, const int64_t *rows, int64_t rank,
                       int64_t, int64_t dtype, int64_t isDescending, int64_t,
                       TegulaCallState *, int32_t) {
  sortRows(Part::whole(), arena, rows, rank, dtype, isDescending);
}

/// By all blocks together.
void tegulaGpuSortRowsByAll(TegulaGpuMeeting *meeting, TegulaGpuArena *arena,
                            const int64_t *rows, int64_t rank, int64_t,
                            int64_t dtype, int64_t isDescending, int64_t,
                            TegulaCallState *, int32_t) {
  sortRows(Part::ofBlock(meeting), arena, rows, rank, dtype, isDescending);
}

void tegulaGpuSortRuns(TegulaGpuArena *arena, const int64_t *rows, int64_t rank,
                       int64_t, int64_t run, int64_t, TegulaCallState *,
                       int32_t) {
  Rows all{rows, rank};
  int64_t pairs = least(all.get(0, 0, 4).length, all.get(1, 0, 4).length);
  sortPairs(arena, all, 2, pairs, run, [all](int64_t row, int64_t place) {
    return Pair{all.get(0, row, 4).at(place), all.get(1, row, 4).at(place)};
  });
}

/// Pairs of several lists count as one list, which is sorted.
void tegulaGpuMergeRuns(TegulaGpuArena *arena, const int64_t *rows,
                        int64_t rank, int64_t, int64_t count, int64_t run,
                        int64_t, TegulaCallState *, int32_t) {
  Rows all{rows, rank};
  int64_t pairs = 0;
  for (int64_t i = 0; i < count; ++i)
    pairs += all.get(i, 0, 4).length / 2;
  if (run < 1)
    run = 1;
  int64_t group = count > 1 || run > pairs / 4 ? pairs : 4 * run;
  sortPairs(arena, all, count, pairs, group, [all](int64_t row, int64_t pair) {
    int64_t list = 0;
    Row found = all.get(0, row, 4);
    while (pair >= found.length / 2) {
      pair -= found.length / 2;
      found = all.get(++list, row, 4);
    }
    return Pair{found.at(2 * pair), found.at(2 * pair + 1)};
  });
}

} // extern "C"
