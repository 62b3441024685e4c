// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the best element of each row is.

#include "tegula/launch/gpu/device/DeviceRows.h"

using namespace tegula;
using namespace tegula::gpu;

namespace {

/// The best element that was seen, the least number is, and where. Nothing is
/// at -1.
template <typename Order> struct Found {
  Order order;
  int32_t place;

  bool isBefore(const Found &other) const {
    if (place < 0 || other.place < 0)
      return place >= 0;
    return order != other.order ? order < other.order : place < other.place;
  }
  void take(const Found &other) {
    if (other.isBefore(*this))
      *this = other;
  }
};

/// As many bytes as are read at once.
template <typename Word> struct alignas(16) Group {
  static constexpr int32_t count = 16 / sizeof(Word);
  Word words[count];
};

/// What one thread sees of a row: of so many threads as `step` says, one place
/// each, from `lane` on.
template <typename Order> struct Search {
  Ordering<Order> ordering;
  bool isMax;
  int32_t lane, step;
  /// The first place that was looked at: what is best if nothing is better than
  /// the worst.
  int32_t first = -1;
  Order best = ~Order(0);
  int32_t place = -1;

  Found<Order> result() const { return {best, place < 0 ? first : place}; }

  void look(Order order, int64_t at) {
    // The first NaN is wanted either way.
    bool isNan = ordering.isOfFloats && order == ordering.greatest();
    Order next = isMax ? ~order : isNan ? 0 : order;
    if (next < best) {
      best = next;
      place = int32_t(at);
    }
  }

  void begin(int64_t at, int64_t last) {
    if (first < 0 && at < last)
      first = int32_t(at);
  }

  /// One element after the other, of which several are read before the first is
  /// needed.
  void walk(const Row &row, int64_t from, int64_t to) {
    constexpr int32_t atOnce = 4;
    int64_t at = from + lane;
    begin(at, to);
    for (; at + (atOnce - 1) * int64_t(step) < to; at += atOnce * step) {
      Order orders[atOnce];
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        orders[i] = ordering.at(row.at(at + i * int64_t(step)));
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        look(orders[i], at + i * int64_t(step));
    }
    for (; at < to; at += step)
      look(ordering.at(row.at(at)), at);
  }

  /// The same of neighbours, most of them in groups.
  template <typename Word>
  void walkGroups(const Row &row, int64_t from, int64_t to) {
    using Words = Group<Word>;
    constexpr int32_t atOnce = 4;
    auto beside = reinterpret_cast<uint64_t>(row.at(from)) % sizeof(Words);
    int64_t start = least(
        from + int64_t((sizeof(Words) - beside) % sizeof(Words) / sizeof(Word)),
        to);
    walk(row, from, start);
    int64_t count = (to - start) / Words::count;
    auto *groups = reinterpret_cast<const Words *>(row.at(start));
    auto lookAt = [&](const Words &words, int64_t group) {
#pragma unroll
      for (int32_t i = 0; i < Words::count; ++i)
        look(ordering.of(words.words[i]), start + group * Words::count + i);
    };
    int64_t at = lane;
    begin(start + at * Words::count, start + count * Words::count);
    for (; at + (atOnce - 1) * int64_t(step) < count; at += atOnce * step) {
      Words words[atOnce];
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        words[i] = groups[at + i * int64_t(step)];
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        lookAt(words[i], at + i * int64_t(step));
    }
    for (; at < count; at += step)
      lookAt(groups[at], at);
    walk(row, start + count * Words::count, to);
  }
};

/// `Word` has the bits of an element.
template <typename Order, typename Word> struct ArgReduce {
  Part part;
  TegulaGpuArena *arena;
  Rows all;
  DType type;
  bool isMax;

  void run() const {
    int64_t rows = all.count(), length = all.get(0, 0, 1).length;
    int64_t pieces = part.piecesOf(rows, length);
    void *memory = nullptr;
    if (pieces > 1 && rows > 0)
      memory = tegulaGpuScratchPush(arena, rows * pieces *
                                               int64_t(sizeof(Found<Order>)));
    if (!memory)
      return findRows(rows, length);
    auto *found = static_cast<Found<Order> *>(memory);
    Team block(1, length), warps(tegulaGpuNumThreads() / 32, pieces);
    for (int64_t number = part.number; number < rows * pieces;
         number += part.count) {
      int64_t piece = number % pieces;
      Found<Order> best =
          combine(block, search(block, number / pieces, piece * length / pieces,
                                (piece + 1) * length / pieces));
      if (tegulaGpuThread() == 0)
        found[number] = best;
    }
    part.wait();
    forRows(warps, rows, [&](int64_t row, bool isThere) {
      Found<Order> best = {0, -1};
      for (int64_t i = warps.lane; isThere && i < pieces; i += warps.width)
        best.take(found[row * pieces + i]);
      write(warps, row, isThere, combine(warps, best));
    });
    tegulaGpuScratchPop(arena, memory);
  }

private:
  /// Each row is one team's.
  void findRows(int64_t rows, int64_t length) const {
    constexpr int64_t some = TegulaGpuShortList;
    int64_t ofBlock = (rows + part.count - 1) / part.count;
    Team team(least(ofBlock, most(1, some / most(1, length))), length);
    forRows(team, rows, [&](int64_t row, bool isThere) {
      Found<Order> best = {0, -1};
      if (isThere)
        best = search(team, row, 0, length);
      write(team, row, isThere, combine(team, best));
    });
  }

  /// All threads take every turn, because they wait for each other in it.
  template <typename Visit>
  void forRows(const Team &team, int64_t rows, Visit visit) const {
    for (int64_t first = int64_t(part.number) * team.count; first < rows;
         first += int64_t(part.count) * team.count)
      visit(first + team.number, first + team.number < rows);
  }

  void write(const Team &team, int64_t row, bool isThere,
             const Found<Order> &best) const {
    if (!isThere || team.lane != 0)
      return;
    Row target = all.get(1, row, 4);
    if (target.length > 0)
      target.as<int32_t>(0) = best.place;
  }

  /// The best that a thread finds.
  Found<Order> search(const Team &team, int64_t number, int64_t from,
                      int64_t to) const {
    Search<Order> search{Ordering<Order>(type), isMax, team.lane, team.width};
    Row row = all.get(0, number, getSize(type));
    if (row.step != 1 || isHalf(type))
      search.walk(row, from, to);
    else
      search.template walkGroups<Word>(row, from, to);
    return search.result();
  }

  static Found<Order> exchange(const Found<Order> &own, int32_t apart) {
    Found<Order> other = own;
    auto low = uint32_t(tegulaGpuExchange(int32_t(own.order), apart));
    other.order = low;
    if (sizeof(Order) == 8)
      other.order |= Order(uint32_t(tegulaGpuExchange(
                         int32_t(uint64_t(own.order) >> 32), apart)))
                     << (8 * sizeof(Order) - 32);
    other.place = tegulaGpuExchange(own.place, apart);
    return other;
  }

  /// The best that the threads of a team have.
  static Found<Order> combine(const Team &team, Found<Order> best) {
    constexpr int32_t warp = 32;
    for (int32_t apart = 1; apart < team.width && apart < warp; apart *= 2)
      best.take(exchange(best, apart));
    if (team.width <= warp)
      return best;
    auto *found = reinterpret_cast<Found<Order> *>(tegulaGpuPartials());
    int32_t own = tegulaGpuThread() / warp, first = own - team.lane / warp;
    if (team.lane % warp == 0)
      found[own] = best;
    tegulaGpuBarrier();
    for (int32_t i = first; i < first + team.width / warp; ++i)
      best.take(found[i]);
    tegulaGpuBarrier();
    return best;
  }
};

} // namespace

static void argReduce(const Part &part, TegulaGpuArena *arena, const Rows &all,
                      int64_t dtype, bool isMax) {
  auto type = static_cast<DType>(dtype);
  // The type is known when a kernel is compiled: one of these is left then.
  if (getSize(type) == 1)
    ArgReduce<uint32_t, uint8_t>{part, arena, all, type, isMax}.run();
  else if (getSize(type) == 2)
    ArgReduce<uint32_t, uint16_t>{part, arena, all, type, isMax}.run();
  else if (getSize(type) == 4)
    ArgReduce<uint32_t, uint32_t>{part, arena, all, type, isMax}.run();
  else
    ArgReduce<uint64_t, uint64_t>{part, arena, all, type, isMax}.run();
  tegulaGpuBarrier();
}

extern "C" {

void tegulaGpuArgReduce(TegulaGpuArena *arena, const int64_t *rows,
                        int64_t rank, int64_t, int64_t dtype, int64_t isMax,
                        int64_t, TegulaCallState *, int32_t) {
  argReduce(Part::whole(), arena, {rows, rank}, dtype, isMax != 0);
}

/// By all blocks together.
void tegulaGpuArgReduceByAll(TegulaGpuMeeting *meeting, TegulaGpuArena *arena,
                             const int64_t *rows, int64_t rank, int64_t,
                             int64_t dtype, int64_t isMax, int64_t,
                             TegulaCallState *, int32_t) {
  argReduce(Part::ofBlock(meeting), arena, {rows, rank}, dtype, isMax != 0);
}

} // extern "C"
