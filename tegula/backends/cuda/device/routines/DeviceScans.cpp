// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the elements of a row up to each sum up to. A row is cut into chunks,
// and these into steps of a team; what a chunk sums up to is added to what
// those before it do. Where that is added up depends on the length of rows
// only, whoever has the chunks.

#include "tegula/backends/cuda/device/routines/DeviceRows.h"

using namespace tegula;
using namespace tegula::gpu;

/// What leaves every number as it is: -0.0 for floats, as 0.0 takes the sign of
/// another zero.
template <typename Element> static constexpr Element nothing = -Element(0);

/// The element of the thread of the warp whose number differs in these bits.
template <typename Element>
static Element exchange(Element own, int32_t apart) {
  static_assert(sizeof(Element) == 4 || sizeof(Element) == 8, "words");
  int32_t words[sizeof(Element) / 4];
  __builtin_memcpy(words, &own, sizeof(Element));
  for (int32_t &word : words)
    word = tegulaGpuExchange(word, apart);
  __builtin_memcpy(&own, words, sizeof(Element));
  return own;
}

/// What the threads of a team before this one, and all of them, have together.
/// All threads of the block call it.
template <typename Element>
static void sumBefore(const Team &team, Element own, Element &before,
                      Element &all) {
  constexpr int32_t warp = 32;
  before = nothing<Element>;
  all = own;
  for (int32_t apart = 1; apart < team.width && apart < warp; apart *= 2) {
    Element other = exchange(all, apart);
    if (team.lane & apart)
      before += other;
    // The same in both.
    all += other;
  }
  if (team.width <= warp)
    return;
  auto *sums = reinterpret_cast<Element *>(tegulaGpuPartials());
  int32_t ownWarp = tegulaGpuThread() / warp,
          first = ownWarp - team.lane / warp;
  if (team.lane % warp == 0)
    sums[ownWarp] = all;
  tegulaGpuBarrier();
  Element sum = nothing<Element>;
  for (int32_t i = first; i < first + team.width / warp; ++i) {
    if (i == ownWarp)
      before += sum;
    sum += sums[i];
  }
  all = sum;
  tegulaGpuBarrier();
}

namespace {

template <typename Element> struct Scan {
  Part part;
  TegulaGpuArena *arena;
  Rows all;
  int64_t length;

  void run() const {
    int64_t rows = all.count();
    if (rows <= 0 || length <= 0)
      return;
    // Neighbours in memory are those of other rows.
    if (get(0, 0).step != 1 && rows > 1)
      return scanColumns(rows);
    if (chunks() > 1 && 2 * rows <= part.count) {
      void *memory = tegulaGpuScratchPush(arena, rows * chunks() *
                                                     int64_t(sizeof(Element)));
      if (memory) {
        scanTogether(rows, static_cast<Element *>(memory));
        return tegulaGpuScratchPop(arena, memory);
      }
    }
    scanRows(rows);
  }

private:
  /// Elements of a thread in a step.
  static constexpr int64_t each = 4;

  int64_t chunkLength() const {
    constexpr int64_t longest = 256, step = 1024;
    int64_t needed = (length + longest - 1) / longest;
    return most(Part::chunkLength / 2, (needed + step - 1) / step * step);
  }
  int64_t chunks() const {
    return (length + chunkLength() - 1) / chunkLength();
  }

  Row get(int64_t tensor, int64_t row) const {
    return all.get(tensor, row, sizeof(Element));
  }

  /// A thread has a row for itself.
  void scanAlone(const Row &from, const Row &to) const {
    Element sum = nothing<Element>;
    for (int64_t i = 0; i < length; ++i)
      to.as<Element>(i) = sum += from.as<Element>(i);
  }

  /// Running sums of some elements of a row, from `first` on; those from `last`
  /// on count as nothing.
  template <int32_t count>
  static void readSums(const Row &from, int64_t first, int64_t last,
                       Element (&sums)[count]) {
#pragma unroll
    for (int32_t i = 0; i < count; ++i)
      sums[i] =
          first + i < last ? from.as<Element>(first + i) : nothing<Element>;
#pragma unroll
    for (int32_t i = 1; i < count; ++i)
      sums[i] += sums[i - 1];
  }

  /// Iterates over elements of a row, whose sum is returned. Writes sums from
  /// `start` on, if there is something to write to.
  Element scanChunk(const Team &team, const Row &from, const Row *to,
                    int64_t first, int64_t last, Element start) const {
    Element sum = nothing<Element>;
    for (int64_t at = first; at < last; at += each * team.width) {
      int64_t own = at + each * team.lane;
      Element sums[each], before, together;
      readSums(from, own, last, sums);
      sumBefore(team, sums[each - 1], before, together);
#pragma unroll
      for (int64_t i = 0; i < each; ++i)
        if (to && own + i < last)
          to->as<Element>(own + i) = start + (sum + (before + sums[i]));
      sum += together;
    }
    return sum;
  }

  /// Each row is one team's.
  void scanRows(int64_t rows) const {
    constexpr int64_t some = TegulaGpuBlockElements;
    Team team(least(rows, most(1, some / length)), (length + each - 1) / each);
    for (int64_t first = part.number * team.count; first < rows;
         first += int64_t(part.count) * team.count) {
      int64_t number = first + team.number;
      bool isThere = number < rows;
      Row from = get(0, isThere ? number : 0),
          to = get(1, isThere ? number : 0);
      if (team.width == 1) {
        if (isThere)
          scanAlone(from, to);
        continue;
      }
      Element start = nothing<Element>;
      for (int64_t at = 0; at < length; at += chunkLength())
        start += scanChunk(team, from, isThere ? &to : nullptr, at,
                           least(at + chunkLength(), length), start);
    }
  }

  /// Neighbouring threads have neighbouring rows, and several threads a row,
  /// whose elements they take some of at a time.
  void scanColumns(int64_t rows) const {
    constexpr int32_t ofThread = 8;
    int32_t self = tegulaGpuThread(), threads = tegulaGpuNumThreads();
    auto side = powerFrom(least(rows, threads));
    int32_t lanes = threads / side, lane = self / side;
    auto *known = reinterpret_cast<Element *>(tegulaGpuPartials());
    for (int64_t first = int64_t(part.number) * side; first < rows;
         first += int64_t(part.count) * side) {
      int64_t number = first + self % side;
      int64_t own = number < rows ? length : 0;
      Row from = get(0, own ? number : 0), to = get(1, own ? number : 0);
      Element sum = nothing<Element>;
      for (int64_t at = 0; at < length; at += ofThread * lanes) {
        int64_t start = at + ofThread * lane;
        Element sums[ofThread];
        readSums(from, start, own, sums);
        known[self] = sums[ofThread - 1];
        tegulaGpuBarrier();
        Element before = nothing<Element>;
        for (int32_t i = 0; i < lanes; ++i) {
          before = i == lane ? sum : before;
          sum += known[i * side + self % side];
        }
        tegulaGpuBarrier();
#pragma unroll
        for (int32_t i = 0; i < ofThread; ++i)
          if (start + i < own)
            to.as<Element>(start + i) = before + sums[i];
      }
    }
  }

  /// Blocks have chunks of rows, whose sums are added up before they are
  /// written.
  void scanTogether(int64_t rows, Element *sums) const {
    Team team(1, length);
    forChunks(rows, [&](int64_t number, int64_t row, int64_t at) {
      Element sum =
          scanChunk(team, get(0, row), nullptr, at,
                    least(at + chunkLength(), length), nothing<Element>);
      if (tegulaGpuThread() == 0)
        sums[number] = sum;
    });
    part.wait();
    auto *known = reinterpret_cast<Element *>(tegulaGpuPartials());
    forChunks(rows, [&](int64_t number, int64_t row, int64_t at) {
      int64_t earlier = number % chunks();
      shareOut(earlier,
               [&](int64_t i) { known[i] = sums[number - earlier + i]; });
      tegulaGpuBarrier();
      Element start = nothing<Element>;
      for (int64_t i = 0; i < earlier; ++i)
        start += known[i];
      tegulaGpuBarrier();
      Row to = get(1, row);
      scanChunk(team, get(0, row), &to, at, least(at + chunkLength(), length),
                start);
    });
  }

  template <typename Visit> void forChunks(int64_t rows, Visit visit) const {
    for (int64_t number = part.number; number < rows * chunks();
         number += part.count)
      visit(number, number / chunks(), number % chunks() * chunkLength());
  }
};

} // namespace

template <typename Element>
static void scan(const Part &part, TegulaGpuArena *arena, const Rows &all) {
  int64_t length = least(all.get(0, 0, 1).length, all.get(1, 0, 1).length);
  Scan<Element>{part, arena, all, length}.run();
}

static void scanRows(const Part &part, TegulaGpuArena *arena, const Rows &all,
                     DType type) {
  if (type == DType::FP32)
    scan<float>(part, arena, all);
  else if (type == DType::FP64)
    scan<double>(part, arena, all);
  else if (getSize(type) == 4)
    scan<uint32_t>(part, arena, all);
  else
    scan<uint64_t>(part, arena, all);
  tegulaGpuBarrier();
}

extern "C" {

void tegulaGpuScanRows(TegulaGpuArena *arena, const int64_t *rows, int64_t rank,
                       int64_t, int64_t dtype, int64_t, TegulaCallState *,
                       int32_t) {
  scanRows(Part::whole(), arena, {rows, rank}, static_cast<DType>(dtype));
}

/// By all blocks together.
void tegulaGpuScanRowsByAll(TegulaGpuGridBarrier *barrier,
                            TegulaGpuArena *arena, const int64_t *rows,
                            int64_t rank, int64_t, int64_t dtype, int64_t,
                            TegulaCallState *, int32_t) {
  scanRows(Part::ofBlock(barrier), arena, {rows, rank},
           static_cast<DType>(dtype));
}

} // extern "C"
