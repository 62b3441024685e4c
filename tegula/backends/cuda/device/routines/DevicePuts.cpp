// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatter: elements to indices that are data, maybe equal ones. What one gets
// does not depend on who comes first.

#include "tegula/backends/cuda/device/routines/DeviceExactSums.h"
#include "tegula/backends/cuda/device/routines/DeviceSegments.h"

using namespace tegula;
using namespace tegula::gpu;

namespace {

/// True for the indices that a block looks after. Neighbours are spread out.
bool isIn(const Part &part, int64_t index) {
  constexpr uint32_t golden = 2654435769;
  uint64_t mixed = static_cast<uint32_t>(index) * golden;
  return mixed * part.count >> 32 == part.number;
}

/// What becomes of elements with one index, which come one after the other: the
/// last of them stays.
struct PutElement {
  static constexpr bool keepsLast = true, sumsExactly = false;
  using State = const char *;
  int64_t bytes;

  explicit PutElement(int64_t bytes) : bytes(bytes) {}

  State begin(char *) const { return nullptr; }
  void take(State &last, const char *from) const { last = from; }
  void end(State last, char *to) const { copyElement(to, last, bytes); }
};

/// What was there before and all of them.
template <typename Element> struct AddElement {
  static constexpr bool keepsLast = false;
  /// Whether ExactSums can add them up: of FP32.
  static constexpr bool sumsExactly =
      Element(0.5) != Element(0) && sizeof(Element) == sizeof(float);
  using State = Element;

  explicit AddElement(int64_t = sizeof(Element)) {}

  State begin(char *to) const { return *reinterpret_cast<Element *>(to); }
  void take(State &sum, const char *from) const { sum += read(from); }
  void end(State sum, char *to) const {
    *reinterpret_cast<Element *>(to) = sum;
  }
  static State read(const char *from) {
    return *reinterpret_cast<const Element *>(from);
  }
  /// What leaves a sum as it is; of floats zero has a sign.
  static State nothing() { return Element(-Element(0)); }
};

template <typename Move> struct Puts {
  using Key = NarrowKey;
  static constexpr int32_t tile = tileKeys<Key>;

  IndexedRows indexedRows;
  Move move;
  Part part;

  [[gnu::always_inline]] void run(bool isCommon) const {
    int64_t rows = indexedRows.all.count(), length = indexedRows.length();
    if (isCommon)
      putCommon(length, rows);
    else if (part.number > 0)
      return;
    else if (2 * rows >= tegulaGpuNumThreads())
      putRows(rows, length);
    else
      putTiles(rows * length, length);
    tegulaGpuBarrier();
  }

private:
  /// Each thread iterates over rows of its own, which have different targets.
  void putRows(int64_t rows, int64_t length) const {
    shareOut(rows, [&](int64_t row) {
      Row from = indexedRows.all.get(0, row, indexedRows.bytes);
      for (int64_t i = 0; i < length; ++i)
        if (char *to = indexedRows.find(row, i)) {
          auto state = move.begin(to);
          move.take(state, from.at(i));
          move.end(state, to);
        }
    });
  }

  /// Some elements at a time. A key is the address that one goes to, and which
  /// it is of them.
  void putTiles(int64_t numbers, int64_t length) const {
    constexpr int32_t positionBits = 10;
    static_assert(tile == 1 << positionBits,
                  "elements of a tile have a number");
    Key *keys = getTile<Key>();
    for (int64_t first = 0; first < numbers; first += tile) {
      int64_t count = least(tile, numbers - first);
      shareOut(count, [&](int64_t i) {
        int64_t number = first + i;
        char *to = indexedRows.find(number / length, number % length);
        keys[i] = to ? Key{reinterpret_cast<uint64_t>(to) << positionBits |
                           static_cast<uint64_t>(i)}
                     : Key::none();
      });
      settle<positionBits>(
          count, 1,
          [](Key key, int64_t) {
            return reinterpret_cast<char *>(key.bits >> positionBits);
          },
          [&](Key key, int64_t) {
            int64_t number = first + (key.bits & (tile - 1));
            return indexedRows.all.get(0, number / length, indexedRows.bytes)
                .at(number % length);
          });
    }
  }

  /// All rows have the same indices, of which each block takes those that point
  /// to its indices. A key is the index and the element.
  [[gnu::always_inline]] void putCommon(int64_t length, int64_t width) const {
    int32_t threads = tegulaGpuNumThreads(), few = (tile - 1) / threads;
    if (few > mostLooked)
      few = mostLooked;
    int64_t most = int64_t(part.count == 1 ? few : mostLooked) * threads;
    int64_t span = most;
    int32_t kept = 0;
    empty(kept);
    for (int64_t next = 0; next < length;) {
      int64_t last = least(next + span, length);
      bool isRoom = gather(next, last, kept);
      if (isRoom)
        next = last;
      if (!isRoom || next == length)
        flush(kept, width);
      // After these there is room for as many.
      span = isRoom ? most : int64_t(few) * threads;
    }
  }

  /// So many elements of a thread are looked at before a barrier.
  static constexpr int32_t mostLooked = 16;

  /// Behind the keys is how many there are.
  static uint32_t *getCount() {
    return reinterpret_cast<uint32_t *>(getTile<Key>() + tile - 1);
  }

  static void empty(int32_t &kept) {
    tegulaGpuBarrier();
    if (tegulaGpuThread() == 0)
      *getCount() = 0;
    tegulaGpuBarrier();
    kept = 0;
  }

  /// Adds the keys of those elements from `first` to `last` that are this
  /// block's, in whatever order. False if there is no room for all: then none
  /// is there.
  [[gnu::always_inline]] bool gather(int64_t first, int64_t last,
                                     int32_t &kept) const {
    int32_t threads = tegulaGpuNumThreads();
    IndexedRows::Indices indices = indexedRows.indicesOf(0);
    uint32_t found[mostLooked], count = 0;
    int64_t start = first + tegulaGpuThread();
    constexpr auto nowhere = uint32_t(-1);
#pragma unroll
    for (int32_t i = 0; i < mostLooked; ++i) {
      int64_t at = start + i * threads;
      found[i] = at < last ? uint32_t(indices.at(at)) : nowhere;
    }
#pragma unroll
    for (int32_t i = 0; i < mostLooked; ++i) {
      if (!isIn(part, found[i]))
        found[i] = nowhere;
      count += found[i] != nowhere;
    }
    uint32_t slot = count ? tegulaGpuAdd(getCount(), count) : 0;
    tegulaGpuBarrier();
    auto all = static_cast<int32_t>(*getCount());
    tegulaGpuBarrier();
    if (all >= tile)
      return false;
#pragma unroll
    for (int32_t i = 0; i < mostLooked; ++i)
      if (found[i] != nowhere)
        getTile<Key>()[slot++] = Key::make(found[i], start + i * threads);
    kept = all;
    return true;
  }

  void flush(int32_t &kept, int64_t width) const {
    settle<32>(
        kept, width,
        [&](Key key, int64_t row) {
          return indexedRows.all.get(2, row, indexedRows.bytes)
              .at(key.bits >> 32);
        },
        [&](Key key, int64_t row) {
          return indexedRows.all.get(0, row, indexedRows.bytes)
              .at(key.position());
        });
    empty(kept);
  }

  /// Adds elements in their order, of which several are read at once.
  template <typename State, typename From>
  [[gnu::always_inline]] static void takeAll(State &sum, int32_t first,
                                             int32_t last, From from) {
    constexpr int32_t atOnce = 8;
    for (; first < last; first += atOnce) {
      State next[atOnce];
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        next[i] = first + i < last ? Move::read(from(first + i)) : State();
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        if (first + i < last)
          sum += next[i];
    }
  }

  /// Puts `count` elements, and those next to them in other rows, to where `to`
  /// says; keys without their last bits are equal if their target is the same.
  template <int32_t positionBits, typename To, typename From>
  void settle(int64_t count, int64_t width, To to, From from) const {
    Key *keys = getTile<Key>();
    int32_t room = powerFrom(count);
    tegulaGpuBarrier();
    shareOut(room - count, [&](int64_t i) { keys[count + i] = Key::none(); });
    tegulaGpuBarrier();
    sortTile<Key>(room);
    auto areSameTarget = [&](int32_t one, int32_t other) {
      return one >= 0 && other < count &&
             keys[one].bits >> positionBits == keys[other].bits >> positionBits;
    };
    Team team(1, width);
    for (int32_t at = team.number; at < count; at += team.count) {
      // One of those with the same target stands for all.
      if (keys[at].isNone() || (Move::keepsLast ? areSameTarget(at, at + 1)
                                                : areSameTarget(at - 1, at)))
        continue;
      int32_t end = at + 1;
      while (!Move::keepsLast && areSameTarget(at, end))
        ++end;
      for (int64_t row = team.lane; row < width; row += team.width) {
        char *target = to(keys[at], row);
        auto state = move.begin(target);
        if constexpr (Move::keepsLast)
          move.take(state, from(keys[at], row));
        else
          takeAll(state, at, end,
                  [&](int32_t next) { return from(keys[next], row); });
        move.end(state, target);
      }
    }
    tegulaGpuBarrier();
  }
};

} // namespace

static IndexedRows makeIndexedRows(const int64_t *rows, int64_t rank,
                                   int64_t bytes, int64_t indexType,
                                   int64_t axis, TegulaCallState *state,
                                   int32_t site) {
  return {{rows, rank}, bytes, static_cast<DType>(indexType),
          state,        site,  axis};
}

// Each way has code of its own, so that none has to make room for what others
// know.

template <typename Move>
[[gnu::noinline]] static bool
putSorted(const int64_t *rows, int64_t rank, int64_t bytes, int64_t indexType,
          int64_t axis, TegulaCallState *state, int32_t site,
          TegulaGpuGridBarrier *barrier, TegulaGpuArena *common) {
  IndexedRows indexedRows =
      makeIndexedRows(rows, rank, bytes, indexType, axis, state, site);
  return Segments<Move>{
      indexedRows, Move(bytes),          Part::ofBlock(barrier),
      common,      indexedRows.length(), indexedRows.all.count()}
      .run();
}

[[gnu::noinline]] static bool addExactly(const int64_t *rows, int64_t rank,
                                         int64_t indexType, int64_t axis,
                                         TegulaCallState *state, int32_t site,
                                         TegulaGpuGridBarrier *barrier,
                                         TegulaGpuArena *common) {
  IndexedRows indexedRows =
      makeIndexedRows(rows, rank, sizeof(float), indexType, axis, state, site);
  return ExactSums(indexedRows, Part::ofBlock(barrier), common,
                   indexedRows.length(), indexedRows.all.count())
      .run();
}

template <typename Move>
[[gnu::noinline]] static void
putDirectly(const int64_t *rows, int64_t rank, int64_t bytes, int64_t indexType,
            int64_t axis, TegulaCallState *state, int32_t site,
            TegulaGpuGridBarrier *barrier, bool isCommon) {
  IndexedRows indexedRows =
      makeIndexedRows(rows, rank, bytes, indexType, axis, state, site);
  Puts<Move>{indexedRows, Move(bytes), Part::ofBlock(barrier)}.run(isCommon);
}

template <typename Move>
[[gnu::always_inline]] static inline void
put(const int64_t *rows, int64_t rank, int64_t bytes, int64_t indexType,
    int64_t axis, TegulaCallState *state, int32_t site,
    TegulaGpuGridBarrier *barrier, TegulaGpuArena *common) {
  IndexedRows indexedRows =
      makeIndexedRows(rows, rank, bytes, indexType, axis, state, site);
  constexpr int64_t longest = uint32_t(-1);
  int64_t length = indexedRows.length();
  if (indexedRows.all.count() <= 0 || length <= 0)
    return;
  bool isCommon = indexedRows.isCommon() && length < longest &&
                  indexedRows.all.get(2, 0, 1).length < longest;
  if constexpr (Move::sumsExactly)
    if (isCommon && common &&
        length * indexedRows.all.count() > TegulaGpuFewAdded &&
        addExactly(rows, rank, indexType, axis, state, site, barrier, common))
      return;
  if (isCommon && common && length > TegulaGpuFewPut &&
      putSorted<Move>(rows, rank, bytes, indexType, axis, state, site, barrier,
                      common))
    return;
  putDirectly<Move>(rows, rank, bytes, indexType, axis, state, site, barrier,
                    isCommon);
}

static void addTo(uint32_t *word, uint32_t number) {
  tegulaGpuAdd(word, number);
}
static void addTo(uint64_t *word, uint64_t number) {
  tegulaGpuAddLong(word, number);
}

/// Few indices, of which each block has sums of its own before it adds them to
/// those of all.
template <typename Word>
static void addInTables(const IndexedRows &indexedRows, const Part &part) {
  auto *table = reinterpret_cast<Word *>(tegulaGpuPartials());
  Row from = indexedRows.all.get(0, 0, sizeof(Word)),
      to = indexedRows.all.get(2, 0, sizeof(Word));
  shareOut(to.length, [&](int64_t i) { table[i] = 0; });
  tegulaGpuBarrier();
  part.shareOut(indexedRows.length(), [&](int64_t i) {
    int64_t index = indexedRows.indexAt(0, i);
    if (index >= 0)
      addTo(table + index, from.as<Word>(i));
  });
  tegulaGpuBarrier();
  shareOut(to.length, [&](int64_t i) {
    if (table[i] != 0)
      addTo(&to.as<Word>(i), table[i]);
  });
}

/// Sums of integers wrap around, signed or not, in whatever order.
template <typename Word>
static void addAtOnce(const IndexedRows &indexedRows, const Part &part) {
  int64_t each = indexedRows.length(), rows = indexedRows.all.count();
  int64_t bins = indexedRows.all.get(2, 0, 1).length;
  constexpr int64_t most = 8 * tegulaGpuNumPartials / sizeof(Word);
  if (rows == 1 && bins <= most && each >= 2 * bins * part.count)
    addInTables<Word>(indexedRows, part);
  else
    part.shareOut(each > 0 ? rows * each : 0, [&](int64_t i) {
      char *from =
          indexedRows.all.get(0, i / each, indexedRows.bytes).at(i % each);
      if (char *to = indexedRows.find(i / each, i % each))
        addTo(reinterpret_cast<Word *>(to), *reinterpret_cast<Word *>(from));
    });
  tegulaGpuBarrier();
}

[[gnu::always_inline]] static inline void
add(const int64_t *rows, int64_t rank, int64_t dtype, int64_t indexType,
    int64_t axis, TegulaCallState *state, int32_t site,
    TegulaGpuGridBarrier *barrier, TegulaGpuArena *common) {
  auto type = static_cast<DType>(dtype);
  int64_t bytes = getSize(type);
  // One of these is left where the type is known.
  auto by = [&](auto move) {
    put<decltype(move)>(rows, rank, bytes, indexType, axis, state, site,
                        barrier, common);
  };
  if (type == DType::FP32)
    return by(AddElement<float>());
  if (type == DType::FP64)
    return by(AddElement<double>());
  if (bytes == 1)
    return by(AddElement<uint8_t>());
  if (bytes == 2)
    return by(AddElement<uint16_t>());
  IndexedRows indexedRows =
      makeIndexedRows(rows, rank, bytes, indexType, axis, state, site);
  if (bytes == 4)
    return addAtOnce<uint32_t>(indexedRows, Part::ofBlock(barrier));
  addAtOnce<uint64_t>(indexedRows, Part::ofBlock(barrier));
}

extern "C" {

void tegulaGpuPutRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                      int64_t, int64_t bytes, int64_t indexType, int64_t axis,
                      int64_t, TegulaCallState *state, int32_t site) {
  put<PutElement>(rows, rank, bytes, indexType, axis, state, site, nullptr,
                  nullptr);
}

void tegulaGpuAddRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                      int64_t, int64_t dtype, int64_t indexType, int64_t axis,
                      int64_t, TegulaCallState *state, int32_t site) {
  add(rows, rank, dtype, indexType, axis, state, site, nullptr, nullptr);
}

// The same by all blocks together.

void tegulaGpuPutRowsByAll(TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
                           const int64_t *rows, int64_t rank, int64_t,
                           int64_t bytes, int64_t indexType, int64_t axis,
                           int64_t, TegulaCallState *state, int32_t site) {
  put<PutElement>(rows, rank, bytes, indexType, axis, state, site, barrier,
                  arena);
}

void tegulaGpuAddRowsByAll(TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
                           const int64_t *rows, int64_t rank, int64_t,
                           int64_t dtype, int64_t indexType, int64_t axis,
                           int64_t, TegulaCallState *state, int32_t site) {
  add(rows, rank, dtype, indexType, axis, state, site, barrier, arena);
}

} // extern "C"
