// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C routines generated code calls to order elements.

#include "tegula/support/HalfBytes.h"
#include "tegula/support/KernelAbi.h"

#include <algorithm>
#include <cstring>

using namespace tegula;

namespace {

/// A row of one tensor, and how it moves from one row to the next.
struct Row {
  char *start;
  int64_t length;
  const int64_t *outerStrides;
  int64_t step;
  int64_t elementBytes;

  char *at(int64_t place) const { return start + place * step * elementBytes; }
};

/// Calls `visit` with the first `Count` rows, as KernelAbi.h lays them out.
template <size_t Count, typename Visit>
void forEachRow(const int64_t *rows, int64_t rank, const int64_t *elementBytes,
                size_t used, Visit visit) {
  Row row[Count];
  const int64_t *next = rows + rank;
  for (size_t i = 0; i < used; ++i, next += 3 + rank)
    row[i] = {reinterpret_cast<char *>(next[0]), next[1], next + 2,
              next[2 + rank], elementBytes[i]};
  // Counts through the outer axes, the last one fastest.
  constexpr int64_t mostAxes = 16;
  int64_t index[mostAxes] = {};
  if (rank > mostAxes ||
      std::any_of(rows, rows + rank, [](int64_t size) { return size == 0; }))
    return;
  while (true) {
    visit(row);
    int64_t axis = rank - 1;
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

/// A number whose order as an unsigned integer is the order of the elements.
/// All NaN are equal to the greatest.
using KeyOf = uint64_t (*)(const char *);
constexpr uint64_t nanKey = UINT64_MAX;

template <typename Integer> Integer readBits(const char *address) {
  Integer bits;
  std::memcpy(&bits, address, sizeof(bits));
  return bits;
}

template <typename Integer> uint64_t unsignedKey(const char *address) {
  return readBits<Integer>(address);
}

template <typename Integer> uint64_t signedKey(const char *address) {
  auto wide = static_cast<int64_t>(readBits<Integer>(address));
  return static_cast<uint64_t>(wide) ^ (uint64_t(1) << 63);
}

uint64_t halfByteKey(const char *address) { return readHalfByte(address); }

/// The sign bit flipped puts negative numbers first.
uint64_t signedHalfByteKey(const char *address) {
  return halfByteKey(address) ^ 0x8;
}

/// What is above the largest magnitude is NaN.
template <typename Bits, uint64_t Largest>
uint64_t floatKey(const char *address) {
  constexpr uint64_t sign = uint64_t(1) << (8 * sizeof(Bits) - 1);
  uint64_t bits = readBits<Bits>(address), magnitude = bits & (sign - 1);
  if (magnitude > Largest)
    return nanKey;
  // Zeros of both signs meet in the middle.
  return bits & sign ? sign - magnitude : sign + magnitude;
}

constexpr uint64_t infinity32 = 0x7f800000;
constexpr uint64_t infinity64 = 0x7ff0000000000000;

KeyOf keyFor(DType dtype) {
  switch (dtype) {
  case DType::Int8:
    return signedKey<int8_t>;
  case DType::Int16:
    return signedKey<int16_t>;
  case DType::Int32:
    return signedKey<int32_t>;
  case DType::Int64:
    return signedKey<int64_t>;
  case DType::UInt8:
    return unsignedKey<uint8_t>;
  case DType::UInt16:
    return unsignedKey<uint16_t>;
  case DType::UInt32:
    return unsignedKey<uint32_t>;
  case DType::UInt64:
    return unsignedKey<uint64_t>;
  case DType::Int4:
    return signedHalfByteKey;
  case DType::UInt4:
    return halfByteKey;
  case DType::FP8E4M3FN:
    return floatKey<uint8_t, 0x7e>;
  case DType::FP8E5M2:
    return floatKey<uint8_t, 0x7c>;
  case DType::FP16:
    return floatKey<uint16_t, 0x7c00>;
  case DType::BF16:
    return floatKey<uint16_t, 0x7f80>;
  case DType::FP64:
    return floatKey<uint64_t, infinity64>;
  default:
    return floatKey<uint32_t, infinity32>;
  }
}

uint64_t pairKey(const char *address) {
  return floatKey<uint32_t, infinity32>(address);
}

/// One element while a row is sorted.
struct Item {
  uint64_t key;
  int64_t place;

  bool operator<(const Item &other) const {
    return key != other.key ? key < other.key : place < other.place;
  }
};

/// Memory for a row of items, given back at the end of the scope.
class Items {
public:
  Items(int64_t count, TegulaCallState *state, int32_t site)
      : items(static_cast<Item *>(tegulaScratchAllocate(
            count * static_cast<int64_t>(sizeof(Item)), state, site))) {}
  ~Items() { tegulaScratchPop(items); }
  Items(const Items &) = delete;
  Items &operator=(const Items &) = delete;

  Item *get() const { return items; }

private:
  Item *items;
};

void putPair(const Row &target, int64_t pair, const char *value,
             const char *index) {
  if (2 * pair + 1 >= target.length)
    return;
  std::memcpy(target.at(2 * pair), value, 4);
  std::memcpy(target.at(2 * pair + 1), index, 4);
}

/// What is left of a sorted run of pairs.
struct Run {
  const Row *row;
  int64_t next, end;
};

void mergeRuns(Run *runs, size_t count, const Row &target, int64_t to) {
  while (true) {
    Run *best = nullptr;
    uint64_t bestKey = 0;
    for (Run *run = runs; run != runs + count; ++run) {
      if (run->next == run->end)
        continue;
      uint64_t key = pairKey(run->row->at(2 * run->next));
      if (best && key <= bestKey)
        continue;
      best = run;
      bestKey = key;
    }
    if (!best)
      return;
    putPair(target, to++, best->row->at(2 * best->next),
            best->row->at(2 * best->next + 1));
    ++best->next;
  }
}

} // namespace

void tegulaArgReduce(const int64_t *rows, int64_t rank, int64_t dtype,
                     int64_t isMax, TegulaCallState *, int32_t) {
  auto type = static_cast<DType>(dtype);
  KeyOf keyOf = keyFor(type);
  bool isReal = isFloat(type);
  int64_t bytes[] = {static_cast<int64_t>(getSize(type)), 4};
  forEachRow<2>(rows, rank, bytes, 2, [&](const Row *row) {
    int32_t best = -1;
    uint64_t bestKey = 0;
    for (int64_t place = 0; place < row[0].length; ++place) {
      uint64_t key = keyOf(row[0].at(place));
      // NaN wins either way.
      if (!isMax && !(isReal && key == nanKey))
        key = ~key;
      if (best >= 0 && key <= bestKey)
        continue;
      best = static_cast<int32_t>(place);
      bestKey = key;
    }
    if (row[1].length > 0)
      std::memcpy(row[1].start, &best, sizeof(best));
  });
}

void tegulaSortRows(const int64_t *rows, int64_t rank, int64_t dtype,
                    int64_t isDescending, TegulaCallState *state,
                    int32_t site) {
  auto type = static_cast<DType>(dtype);
  auto size = static_cast<int64_t>(getSize(type));
  KeyOf keyOf = keyFor(type);
  int64_t bytes[] = {size, size, 4}, length = rows[rank + 1];
  Items memory(length, state, site);
  Item *items = memory.get();
  if (!items)
    return;
  forEachRow<3>(rows, rank, bytes, 3, [&](const Row *row) {
    for (int64_t place = 0; place < length; ++place) {
      uint64_t key = keyOf(row[0].at(place));
      items[place] = {isDescending ? ~key : key, place};
    }
    int64_t kept = std::min(length, std::max(row[1].length, row[2].length));
    if (kept < length)
      std::partial_sort(items, items + kept, items + length);
    else
      std::sort(items, items + length);
    for (int64_t place = 0; place < std::min(kept, row[1].length); ++place)
      copyElement(row[1].at(place), row[0].at(items[place].place), type);
    for (int64_t place = 0; place < std::min(kept, row[2].length); ++place) {
      auto index = static_cast<int32_t>(items[place].place);
      std::memcpy(row[2].at(place), &index, sizeof(index));
    }
  });
}

void tegulaSortRuns(const int64_t *rows, int64_t rank, int64_t run, int64_t,
                    TegulaCallState *state, int32_t site) {
  int64_t bytes[] = {4, 4, 4};
  Items memory(run, state, site);
  Item *items = memory.get();
  if (!items)
    return;
  forEachRow<3>(rows, rank, bytes, 3, [&](const Row *row) {
    int64_t width = std::min(row[0].length, row[1].length);
    for (int64_t first = 0; first < width; first += run) {
      int64_t count = std::min(run, width - first);
      for (int64_t place = 0; place < count; ++place)
        items[place] = {~pairKey(row[0].at(first + place)), first + place};
      std::sort(items, items + count);
      for (int64_t place = 0; place < count; ++place)
        putPair(row[2], first + place, row[0].at(items[place].place),
                row[1].at(items[place].place));
    }
  });
}

void tegulaMergeRuns(const int64_t *rows, int64_t rank, int64_t count,
                     int64_t run, TegulaCallState *, int32_t) {
  run = std::max<int64_t>(run, 1);
  int64_t bytes[] = {4, 4, 4, 4, 4};
  forEachRow<5>(rows, rank, bytes, count + 1, [&](const Row *row) {
    const Row &target = row[count];
    Run runs[4];
    if (count > 1) {
      for (int64_t i = 0; i < count; ++i)
        runs[i] = {&row[i], 0, row[i].length / 2};
      return mergeRuns(runs, count, target, 0);
    }
    int64_t pairs = row[0].length / 2;
    for (int64_t group = 0; group < pairs; group += 4 * run) {
      size_t used = 0;
      for (int64_t first = group; used < 4 && first < pairs; first += run)
        runs[used++] = {&row[0], first, std::min(first + run, pairs)};
      mergeRuns(runs, used, target, group);
    }
  });
}
