// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders the elements of rows.

#include "tegula/backends/cuda/device/routines/DeviceLists.h"

using namespace tegula;
using namespace tegula::gpu;

namespace {

template <typename Key, typename Read, typename Write>
Lists<Key, Read, Write> makeLists(const Part &part, TegulaGpuArena *arena,
                                  int64_t count, int64_t length, int64_t kept,
                                  int32_t bits, Read read, Write write) {
  return {part, arena, count, length, least(kept, length), bits, read, write};
}

/// Sorts of rows.
template <typename Ordering> struct RowSort {
  using Key = typename KeyOf<typename Ordering::Order>::type;

  template <bool isAtHand>
  static auto make(TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
                   const int64_t *rows, int64_t rank, DType type,
                   bool isDescending) {
    constexpr int64_t step = Ordering::step;
    Rows all{rows, rank};
    using Of = RowsOf<isAtHand>;
    Of from(all, 0, step), values(all, 1, step), indices(all, 2, 4);
    auto read = [from, ordering = Ordering(type), isDescending](int64_t list) {
      return [row = from.get(list), ordering, isDescending](int64_t position) {
        auto order = ordering.at(row.at(position));
        return Key::make(isDescending ? ~order : order, position);
      };
    };
    auto write = [from, values, indices](int64_t list) {
      return [row = from.get(list), values = values.get(list),
              indices = indices.get(list)](int64_t to, Key key) {
        if (to < values.length)
          Ordering::copy(values.at(to), row.at(key.position()));
        if (to < indices.length)
          indices.template as<int32_t>(to) = key.position();
      };
    };
    return makeLists<Key>(Part::ofBlock(barrier), arena, all.count(),
                          from.length(),
                          most(values.length(), indices.length()),
                          int32_t(getBits(type)), read, write);
  }
};

struct Pair {
  const char *value, *index;
};

/// Pairs of value and index, each `length` of which are sorted. `find(row,
/// number)` is one of them.
template <typename Find>
auto makePairs(TegulaGpuArena *arena, const Rows &all, int64_t target,
               int64_t pairs, int64_t length, Find find) {
  length = most(length, 1);
  int64_t lists = (pairs + length - 1) / length;
  auto read = [=](int64_t list) {
    return [=, start = list % lists * length,
            row = list / lists](int64_t position) {
      if (start + position >= pairs)
        return NarrowKey::none();
      Ordering<4, true> ordering(DType::FP32);
      return NarrowKey::make(~ordering.at(find(row, start + position).value),
                             position);
    };
  };
  auto write = [=](int64_t list) {
    return [=, start = list % lists * length,
            row = list / lists](int64_t to, NarrowKey key) {
      Row pairsOfRow = all.get(target, row, 4);
      to += start;
      if (to >= pairsOfRow.length / 2)
        return;
      Pair found = find(row, start + key.position());
      copyElement(pairsOfRow.at(2 * to), found.value, 4);
      copyElement(pairsOfRow.at(2 * to + 1), found.index, 4);
    };
  };
  length = least(length, pairs);
  return makeLists<NarrowKey>(Part::whole(), arena, all.count() * lists, length,
                              length, int32_t(getBits(DType::FP32)), read,
                              write);
}

/// Values of the first tensor, indices of the second.
struct RunSort {
  template <bool isAtHand>
  static auto make(TegulaGpuArena *arena, const int64_t *rows, int64_t rank,
                   int64_t run) {
    Rows all{rows, rank};
    int64_t pairs = least(all.get(0, 0, 4).length, all.get(1, 0, 4).length);
    return makePairs(arena, all, 2, pairs, run,
                     [all](int64_t row, int64_t position) {
                       return Pair{all.get(0, row, 4).at(position),
                                   all.get(1, row, 4).at(position)};
                     });
  }
};

/// Pairs of several tensors count as one list.
struct RunMerge {
  template <bool isAtHand>
  static auto make(TegulaGpuArena *arena, const int64_t *rows, int64_t rank,
                   int64_t count, int64_t run) {
    Rows all{rows, rank};
    int64_t pairs = 0;
    for (int64_t i = 0; i < count; ++i)
      pairs += all.get(i, 0, 4).length / 2;
    run = most(run, 1);
    int64_t group = count > 1 || run > pairs / 4 ? pairs : 4 * run;
    return makePairs(arena, all, count, pairs, group,
                     [all](int64_t row, int64_t pair) {
                       int64_t list = 0;
                       Row found = all.get(0, row, 4);
                       while (pair >= found.length / 2) {
                         pair -= found.length / 2;
                         found = all.get(++list, row, 4);
                       }
                       return Pair{found.at(2 * pair), found.at(2 * pair + 1)};
                     });
  }
};

} // namespace

[[gnu::always_inline]] static inline void
sortRows(TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
         const int64_t *rows, int64_t rank, int64_t dtype,
         int64_t isDescending) {
  auto type = static_cast<DType>(dtype);
  withOrdering(type, [=](auto of) {
    sortLists<RowSort<typename decltype(of)::type>>(barrier, arena, rows, rank,
                                                    type, isDescending != 0);
  });
  tegulaGpuBarrier();
}

extern "C" {

void tegulaGpuSortRows(TegulaGpuArena *arena, const int64_t *rows, int64_t rank,
                       int64_t, int64_t dtype, int64_t isDescending, int64_t,
                       TegulaCallState *, int32_t) {
  sortRows(nullptr, arena, rows, rank, dtype, isDescending);
}

/// By all blocks together.
void tegulaGpuSortRowsByAll(TegulaGpuGridBarrier *barrier,
                            TegulaGpuArena *arena, const int64_t *rows,
                            int64_t rank, int64_t, int64_t dtype,
                            int64_t isDescending, int64_t, TegulaCallState *,
                            int32_t) {
  sortRows(barrier, arena, rows, rank, dtype, isDescending);
}

void tegulaGpuSortRuns(TegulaGpuArena *arena, const int64_t *rows, int64_t rank,
                       int64_t, int64_t run, int64_t, TegulaCallState *,
                       int32_t) {
  if (run > 0)
    sortLists<RunSort>(arena, rows, rank, run);
}

void tegulaGpuMergeRuns(TegulaGpuArena *arena, const int64_t *rows,
                        int64_t rank, int64_t, int64_t count, int64_t run,
                        int64_t, TegulaCallState *, int32_t) {
  sortLists<RunMerge>(arena, rows, rank, count, run);
}

} // extern "C"
