// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that move from and to places that are data.

#include "tegula/launch/gpu/device/DeviceLists.h"

using namespace tegula;
using namespace tegula::gpu;

static int64_t readIndex(const char *place, DType dtype) {
  switch (dtype) {
  case DType::Int8:
    return *reinterpret_cast<const int8_t *>(place);
  case DType::UInt8:
  case DType::Bool:
    return *reinterpret_cast<const uint8_t *>(place);
  case DType::Int16:
    return *reinterpret_cast<const int16_t *>(place);
  case DType::UInt16:
    return *reinterpret_cast<const uint16_t *>(place);
  case DType::Int32:
    return *reinterpret_cast<const int32_t *>(place);
  case DType::UInt32:
    return *reinterpret_cast<const uint32_t *>(place);
  default:
    return *reinterpret_cast<const int64_t *>(place);
  }
}

namespace {

/// The first tensor is walked through, the second points into the third.
struct Walk {
  Rows all;
  int64_t bytes;
  DType indexType;
  TegulaCallState *state;
  int32_t site;
  int64_t axis;

  int64_t length() const {
    return least(all.get(0, 0, 1).length, all.get(1, 0, 1).length);
  }

  /// The element that is pointed at; null if the index is out of range.
  char *find(int64_t row, int64_t place) const {
    int64_t index =
        readIndex(all.get(1, row, getSize(indexType)).at(place), indexType);
    Row pointed = all.get(2, row, bytes);
    if (static_cast<uint64_t>(index) < static_cast<uint64_t>(pointed.length))
      return pointed.at(index);
    tegulaGpuReportError(nullptr, state, TegulaIndexOutOfRange, site, axis,
                         index, pointed.length);
    return nullptr;
  }

  /// True if all rows have the same indices.
  bool isCommon() const {
    const int64_t *strides = all.numbers + all.rank + (3 + all.rank) + 2;
    for (int64_t other = 0; other < all.rank; ++other)
      if (strides[other] != 0 && all.numbers[other] > 1)
        return false;
    return true;
  }
};

/// What a place becomes of the elements that come to it one after the other:
/// the last of them.
struct PutElement {
  static constexpr bool keepsLast = true;
  using State = const char *;
  int64_t bytes;

  State begin(char *) const { return nullptr; }
  void take(State &last, const char *from) const { last = from; }
  void end(State last, char *to) const { copyElement(to, last, bytes); }
};

/// What was there before and all of them.
template <typename Element> struct AddElement {
  static constexpr bool keepsLast = false;
  using State = Element;

  State begin(char *to) const { return *reinterpret_cast<Element *>(to); }
  void take(State &sum, const char *from) const {
    sum += *reinterpret_cast<const Element *>(from);
  }
  void end(State sum, char *to) const {
    *reinterpret_cast<Element *>(to) = sum;
  }
};

/// Puts elements to places where several may meet. What each place gets is what
/// it would get one element after the other.
template <typename Move> struct Puts {
  using Key = NarrowKey;
  /// A key is the address of a place, and which element of a tile goes there.
  static constexpr int32_t tile = tileKeys<Key>, placeBits = 10;
  static_assert(tile == 1 << placeBits, "a number for each element of a tile");

  Walk walk;
  Move move;

  void run() const {
    int64_t rows = walk.all.count(), length = walk.length();
    if (rows <= 0 || length <= 0)
      return;
    // Rows go to different places.
    bool isCommon = walk.isCommon();
    if (!isCommon && 2 * rows >= tegulaGpuNumThreads())
      putRows(rows, length);
    else if (isCommon)
      putTiles(length, length, rows);
    else
      putTiles(rows * length, length, 1);
    tegulaGpuBarrier();
  }

private:
  /// Each thread walks through rows of its own.
  void putRows(int64_t rows, int64_t length) const {
    shareOut(rows, [&](int64_t row) {
      Row from = walk.all.get(0, row, walk.bytes);
      for (int64_t i = 0; i < length; ++i)
        if (char *to = walk.find(row, i)) {
          auto state = move.begin(to);
          move.take(state, from.at(i));
          move.end(state, to);
        }
    });
  }

  static char *placeOf(Key key) {
    return reinterpret_cast<char *>(key.bits >> placeBits);
  }

  /// Some elements at a time are sorted by where they go. An element stands for
  /// those at its place of `width` rows.
  void putTiles(int64_t numbers, int64_t length, int64_t width) const {
    Key *keys = getTile<Key>();
    Team team(1, width);
    for (int64_t first = 0; first < numbers; first += tile) {
      auto count = static_cast<int32_t>(least(tile, numbers - first));
      int32_t room = powerFrom(count);
      shareOut(room, [&](int64_t i) {
        int64_t number = first + i;
        char *to =
            i < count ? walk.find(number / length, number % length) : nullptr;
        keys[i] = to ? Key{reinterpret_cast<uint64_t>(to) << placeBits |
                           static_cast<uint64_t>(i)}
                     : Key::none();
      });
      tegulaGpuBarrier();
      sortTile(keys, room, room);
      for (int32_t at = team.number; at < count; at += team.count)
        if (!keys[at].isNone() && isTurn(keys, at, count))
          for (int64_t row = team.lane; row < width; row += team.width)
            putMet(keys, at, count, first, length, row);
      tegulaGpuBarrier();
    }
  }

  static bool doMeet(Key one, Key other) {
    return one.bits >> placeBits == other.bits >> placeBits;
  }

  /// True if the key stands for all that go to its place.
  static bool isTurn(const Key *keys, int32_t at, int32_t count) {
    int32_t beside = Move::keepsLast ? at + 1 : at - 1;
    return beside < 0 || beside >= count || !doMeet(keys[at], keys[beside]);
  }

  void putMet(const Key *keys, int32_t at, int32_t count, int64_t first,
              int64_t length, int64_t row) const {
    const Rows &all = walk.all;
    char *to = placeOf(keys[at]);
    if (row > 0)
      to += all.get(2, row, walk.bytes).start - all.get(2, 0, walk.bytes).start;
    auto state = move.begin(to);
    int32_t next = at;
    do {
      int64_t number = first + (keys[next].bits & (tile - 1));
      Row from = all.get(0, row + number / length, walk.bytes);
      move.take(state, from.at(number % length));
    } while (!Move::keepsLast && ++next < count &&
             doMeet(keys[at], keys[next]));
    move.end(state, to);
  }
};

} // namespace

template <typename Move> static void put(const Walk &walk, Move move) {
  Puts<Move>{walk, move}.run();
}

/// Sums of integers wrap around, signed or not, in whatever order.
static void addAtOnce(const Walk &walk) {
  int64_t each = walk.length();
  shareOut(each > 0 ? walk.all.count() * each : 0, [&](int64_t i) {
    char *to = walk.find(i / each, i % each);
    char *from = walk.all.get(0, i / each, walk.bytes).at(i % each);
    if (to && walk.bytes == 4)
      tegulaGpuAdd(reinterpret_cast<uint32_t *>(to),
                   *reinterpret_cast<uint32_t *>(from));
    else if (to)
      tegulaGpuAddLong(reinterpret_cast<uint64_t *>(to),
                       *reinterpret_cast<uint64_t *>(from));
  });
  tegulaGpuBarrier();
}

extern "C" {

void tegulaGpuPickRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                       int64_t, int64_t bytes, int64_t indexType, int64_t axis,
                       int64_t, TegulaCallState *state, int32_t site) {
  Walk walk{{rows, rank}, bytes, static_cast<DType>(indexType),
            state,        site,  axis};
  int64_t each = walk.length();
  shareOut(each > 0 ? walk.all.count() * each : 0, [&](int64_t i) {
    if (char *from = walk.find(i / each, i % each))
      copyElement(walk.all.get(0, i / each, bytes).at(i % each), from, bytes);
  });
  tegulaGpuBarrier();
}

void tegulaGpuPutRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                      int64_t, int64_t bytes, int64_t indexType, int64_t axis,
                      int64_t, TegulaCallState *state, int32_t site) {
  put(Walk{{rows, rank},
           bytes,
           static_cast<DType>(indexType),
           state,
           site,
           axis},
      PutElement{bytes});
}

void tegulaGpuAddRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                      int64_t, int64_t dtype, int64_t indexType, int64_t axis,
                      int64_t, TegulaCallState *state, int32_t site) {
  auto type = static_cast<DType>(dtype);
  Walk walk{{rows, rank}, getSize(type), static_cast<DType>(indexType),
            state,        site,          axis};
  if (type == DType::FP32)
    return put(walk, AddElement<float>());
  if (type == DType::FP64)
    return put(walk, AddElement<double>());
  if (walk.bytes == 1)
    return put(walk, AddElement<uint8_t>());
  if (walk.bytes == 2)
    return put(walk, AddElement<uint16_t>());
  addAtOnce(walk);
}

} // extern "C"
