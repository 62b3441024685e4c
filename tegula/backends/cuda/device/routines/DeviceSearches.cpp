// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the best element of each row is.

#include "tegula/backends/cuda/device/routines/DeviceKeys.h"

using namespace tegula;
using namespace tegula::gpu;

namespace {

/// As many bytes as are read at once.
template <typename Word> struct alignas(16) Group {
  static constexpr int32_t count = 16 / sizeof(Word);
  Word words[count];
};

/// The best element has the key that comes before all others.
template <typename Ordering> struct ArgReduce {
  using Order = typename Ordering::Order;
  using Key = typename KeyOf<Order>::type;
  using Words = Group<typename Ordering::Word>;

  Part part;
  TegulaGpuArena *arena;
  Rows all;
  Ordering ordering;
  bool isMax;

  [[gnu::always_inline]] void run() const {
    int64_t rows = all.count(), length = all.get(0, 0, 1).length;
    int64_t chunks = part.countChunks(rows, length);
    void *memory = nullptr;
    if (chunks > 1 && rows > 0)
      memory =
          tegulaGpuScratchPush(arena, rows * chunks * int64_t(sizeof(Key)));
    auto *found = static_cast<Key *>(memory);
    if (!found)
      chunks = 1;
    findChunks(rows, length, chunks, found);
    if (!found)
      return;
    part.wait();
    Team warps(tegulaGpuNumThreads() / 32, chunks);
    forRows(warps, rows, [&](int64_t row, bool isThere) {
      Key best = Key::none();
      for (int64_t i = warps.lane; isThere && i < chunks; i += warps.width)
        take(best, found[row * chunks + i]);
      best = combine(warps, best);
      if (isThere && warps.lane == 0)
        write(row, best);
    });
    tegulaGpuScratchPop(arena, memory);
  }

private:
  static void take(Key &best, Key other) {
    if (other.isBefore(best))
      best = other;
  }

  /// Each chunk of a row is one team's. The best of it is what is found, or of
  /// the row.
  [[gnu::always_inline]] void findChunks(int64_t rows, int64_t length,
                                         int64_t chunks, Key *found) const {
    constexpr int64_t some = TegulaGpuBlockElements;
    int64_t ofBlock = (rows + part.count - 1) / part.count;
    Team team(chunks > 1 ? 1 : least(ofBlock, most(1, some / most(1, length))),
              (length + Words::count - 1) / Words::count);
    forRows(team, rows * chunks, [&](int64_t number, bool isThere) {
      Key best = Key::none();
      int64_t row = chunks > 1 ? number / chunks : number;
      int64_t chunk = chunks > 1 ? number % chunks : 0;
      if (isThere)
        best = search(team, row, chunks > 1 ? chunk * length / chunks : 0,
                      chunks > 1 ? (chunk + 1) * length / chunks : length);
      best = combine(team, best);
      if (!isThere || team.lane != 0)
        return;
      if (found)
        found[number] = best;
      else
        write(row, best);
    });
  }

  /// All threads take every iteration, because they wait for each other in it.
  template <typename Visit>
  [[gnu::always_inline]] void forRows(const Team &team, int64_t rows,
                                      Visit visit) const {
    for (int64_t first = int64_t(part.number) * team.count; first < rows;
         first += int64_t(part.count) * team.count)
      visit(first + team.number, first + team.number < rows);
  }

  void write(int64_t row, Key best) const {
    Row target = all.get(1, row, 4);
    if (target.length > 0)
      target.as<int32_t>(0) = best.isNone() ? -1 : int32_t(best.position());
  }

  void look(Key &best, Order order, int64_t position) const {
    // The first NaN is wanted either way.
    bool isNan = Ordering::isOfFloats && order == ordering.greatest();
    take(best, Key::make(isMax ? ~order : isNan ? 0 : order, position));
  }

  /// The best that a thread of a team finds.
  [[gnu::always_inline]] Key search(const Team &team, int64_t number,
                                    int64_t from, int64_t to) const {
    Row row = all.get(0, number, Ordering::step);
    bool isDense = row.step == 1 &&
                   sizeof(typename Ordering::Word) == uint64_t(Ordering::step);
    Key best = Key::none();
    // Neighbours are read in groups, but for those before the first.
    int64_t start = to, count = 0;
    if (isDense) {
      auto misalignment =
          reinterpret_cast<uint64_t>(row.at(from)) % sizeof(Words);
      start = least(to, from + int64_t((sizeof(Words) - misalignment) %
                                       sizeof(Words) / Ordering::step));
      count = (to - start) / Words::count;
    }
    walkGroups(best, reinterpret_cast<const Words *>(row.at(start)), start,
               team, count);
    // And behind the last.
    int64_t before = start - from;
    int64_t single = to - from - count * Words::count;
#pragma unroll 4
    for (int64_t i = team.lane; i < single; i += team.width) {
      int64_t at = i < before ? from + i : from + i + count * Words::count;
      look(best, ordering.at(row.at(at)), at);
    }
    return best;
  }

  /// Several are read before the first is needed.
  [[gnu::always_inline]] void walkGroups(Key &best, const Words *groups,
                                         int64_t start, const Team &team,
                                         int64_t count) const {
    constexpr int32_t atOnce = 4;
    auto lookAt = [&](const Words &words, int64_t group) {
#pragma unroll
      for (int32_t i = 0; i < Words::count; ++i)
        look(best, ordering.of(words.words[i]),
             start + group * Words::count + i);
    };
    int64_t at = team.lane;
    for (; at + (atOnce - 1) * team.width < count; at += atOnce * team.width) {
      Words words[atOnce];
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        words[i] = groups[at + i * team.width];
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        lookAt(words[i], at + i * team.width);
    }
#pragma nounroll
    for (; at < count; at += team.width)
      lookAt(groups[at], at);
  }

  /// The best that the threads of a team have.
  [[gnu::always_inline]] static Key combine(const Team &team, Key best) {
    constexpr int32_t warp = 32;
    for (int32_t apart = 1; apart < team.width && apart < warp; apart *= 2)
      take(best, best.exchange(apart));
    if (team.width <= warp)
      return best;
    Key *found = getTile<Key>();
    int32_t own = tegulaGpuThread() / warp, first = own - team.lane / warp;
    if (team.lane % warp == 0)
      found[own] = best;
    tegulaGpuBarrier();
    for (int32_t i = first; i < first + team.width / warp; ++i)
      take(best, found[i]);
    tegulaGpuBarrier();
    return best;
  }
};

} // namespace

template <typename Ordering>
static void argReduceBy(TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
                        const int64_t *rows, int64_t rank, DType type,
                        bool isMax) {
  ArgReduce<Ordering>{
      Part::ofBlock(barrier), arena, {rows, rank}, Ordering(type), isMax}
      .run();
}

[[gnu::always_inline]] static inline void
argReduce(TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
          const int64_t *rows, int64_t rank, int64_t dtype, bool isMax) {
  auto type = static_cast<DType>(dtype);
  withOrdering(type, [=](auto of) {
    argReduceBy<typename decltype(of)::type>(barrier, arena, rows, rank, type,
                                             isMax);
  });
  tegulaGpuBarrier();
}

extern "C" {

void tegulaGpuArgReduce(TegulaGpuArena *arena, const int64_t *rows,
                        int64_t rank, int64_t, int64_t dtype, int64_t isMax,
                        int64_t, TegulaCallState *, int32_t) {
  argReduce(nullptr, arena, rows, rank, dtype, isMax != 0);
}

/// By all blocks together.
void tegulaGpuArgReduceByAll(TegulaGpuGridBarrier *barrier,
                             TegulaGpuArena *arena, const int64_t *rows,
                             int64_t rank, int64_t, int64_t dtype,
                             int64_t isMax, int64_t, TegulaCallState *,
                             int32_t) {
  argReduce(barrier, arena, rows, rank, dtype, isMax != 0);
}

} // extern "C"
