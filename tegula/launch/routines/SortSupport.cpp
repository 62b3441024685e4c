// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C routines generated code calls to order elements.

#include "tegula/launch/routines/KeySorter.h"
#include "tegula/launch/routines/RowCursor.h"
#include "tegula/support/HalfBytes.h"
#include "tegula/support/KernelAbi.h"

#include <cstring>

using namespace tegula;

namespace {

/// Memory to sort rows in, given back at the end of the scope.
class SortMemory {
public:
  SortMemory(int64_t length, TegulaCallState *state, int32_t site)
      : bytes(static_cast<char *>(
            tegulaScratchAllocate(KeyMemory::getBytes(length), state, site))),
        length(length) {}
  ~SortMemory() { tegulaScratchPop(bytes); }
  SortMemory(const SortMemory &) = delete;
  SortMemory &operator=(const SortMemory &) = delete;

  explicit operator bool() const { return bytes; }
  KeyMemory get() const { return KeyMemory(bytes, length); }

private:
  char *bytes;
  int64_t length;
};

/// Elements of one size, the same as bytes.
template <typename Bits>
void copyOrdered(const RowCursor &target, const RowCursor &source,
                 const int64_t *keys, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(target.at(i), source.at(indexOf(keys[i])), sizeof(Bits));
}

/// Writes the elements that the keys are of.
void putValues(const RowCursor &target, const RowCursor &source, DType dtype,
               const int64_t *keys, int64_t count) {
  if (isHalfByte(dtype)) {
    for (int64_t i = 0; i < count; ++i)
      copyElement(target.at(i), source.at(indexOf(keys[i])), dtype);
    return;
  }
  switch (getSize(dtype)) {
  case 1:
    return copyOrdered<uint8_t>(target, source, keys, count);
  case 2:
    return copyOrdered<uint16_t>(target, source, keys, count);
  case 4:
    return copyOrdered<uint32_t>(target, source, keys, count);
  default:
    return copyOrdered<uint64_t>(target, source, keys, count);
  }
}

void storeIndices(const RowCursor &target, const int64_t *keys, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto index = static_cast<int32_t>(indexOf(keys[i]));
    std::memcpy(target.at(i), &index, sizeof(index));
  }
}

KeyRow rowOf(const RowCursor &row, DType dtype, KeyOrder order) {
  return {row.start, row.step * row.elementBytes, row.length, dtype, order};
}

/// How many pairs of a row there is room for.
int64_t countPairs(const RowCursor &row) { return row.length / 2; }

/// The values of a row of pairs.
KeyRow valuesOf(const RowCursor &pairs) {
  return {pairs.start, 2 * pairs.step * pairs.elementBytes, countPairs(pairs),
          DType::FP32, KeyOrder::Descending};
}

/// Merges the sorted keys from `first` to `middle` and from there to `last`,
/// until there are `most`.
int64_t *mergeTwo(const int64_t *first, const int64_t *middle,
                  const int64_t *last, int64_t *to, int64_t most) {
  const int64_t *next = middle;
  int64_t *end = to + std::min<int64_t>(most, last - first);
  while (to != end && first != middle && next != last) {
    bool takesNext = *next < *first;
    *to++ = takesNext ? *next : *first;
    next += takesNext;
    first += !takesNext;
  }
  const int64_t *rest = first != middle ? first : next;
  return std::copy(rest, rest + (end - to), to);
}

/// Merges up to four sorted runs of keys that lie one after the other, until
/// there are `most`; `ends` are where each ends.
void mergeFour(const KeyMemory &memory, const int64_t (&ends)[4],
               int64_t most) {
  const int64_t *keys = memory.keys;
  int64_t *middle =
      mergeTwo(keys, keys + ends[0], keys + ends[1], memory.spare, most);
  int64_t *last =
      mergeTwo(keys + ends[1], keys + ends[2], keys + ends[3], middle, most);
  mergeTwo(memory.spare, middle, last, memory.keys, most);
}

/// Copies the pairs that the keys are of, from several rows that count as one.
void putPairs(const RowCursor &target, int64_t to, const RowCursor *sources,
              const int64_t (&ends)[4], const int64_t *keys, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t index = indexOf(keys[i]), source = 0;
    while (index >= ends[source])
      ++source;
    index -= source > 0 ? ends[source - 1] : 0;
    std::memcpy(target.at(2 * (to + i)), sources[source].at(2 * index), 4);
    std::memcpy(target.at(2 * (to + i) + 1), sources[source].at(2 * index + 1),
                4);
  }
}

/// Merges lists, each of which is one run.
void mergeLists(const KeySorter &sorter, const RowCursor *row, int64_t count,
                const KeyMemory &memory) {
  int64_t ends[4], all = 0;
  for (int64_t i = 0; i < 4; ++i) {
    if (i < count) {
      sorter.readKeys(valuesOf(row[i]), all, memory.halves, memory.keys + all);
      all += countPairs(row[i]);
    }
    ends[i] = all;
  }
  int64_t kept = std::min(all, countPairs(row[count]));
  mergeFour(memory, ends, kept);
  putPairs(row[count], 0, row, ends, memory.keys, kept);
}

/// Merges every four runs of one row.
void mergeRow(const KeySorter &sorter, const RowCursor &source,
              const RowCursor &target, int64_t run, const KeyMemory &memory) {
  int64_t all = countPairs(source), room = std::min(all, countPairs(target));
  for (int64_t first = 0; first < room; first += 4 * run) {
    RowCursor group = source;
    group.start = source.at(2 * first);
    group.length = 2 * std::min(4 * run, all - first);
    int64_t pairs = countPairs(group), ends[4];
    for (int64_t i = 0; i < 4; ++i)
      ends[i] = std::min((i + 1) * run, pairs);
    sorter.readKeys(valuesOf(group), 0, memory.halves, memory.keys);
    int64_t kept = std::min(pairs, room - first);
    mergeFour(memory, ends, kept);
    int64_t whole[4] = {pairs};
    putPairs(target, first, &group, whole, memory.keys, kept);
  }
}

} // namespace

void tegulaArgReduce(const int64_t *rows, int64_t rank, int64_t, int64_t dtype,
                     int64_t isMax, int64_t vectorBits, TegulaCallState *,
                     int32_t) {
  auto type = static_cast<DType>(dtype);
  const KeySorter &sorter = getKeySorter(vectorBits);
  KeyOrder order = isMax ? KeyOrder::Descending : KeyOrder::NanThenAscending;
  int64_t bytes[] = {static_cast<int64_t>(getSize(type)), 4};
  forEachRow<2>(rows, rank, bytes, 2, [&](const RowCursor *row) {
    auto best =
        static_cast<int32_t>(findFirst(sorter, rowOf(row[0], type, order)));
    if (row[1].length > 0)
      std::memcpy(row[1].start, &best, sizeof(best));
  });
}

void tegulaSortRows(const int64_t *rows, int64_t rank, int64_t, int64_t dtype,
                    int64_t isDescending, int64_t vectorBits,
                    TegulaCallState *state, int32_t site) {
  auto type = static_cast<DType>(dtype);
  const KeySorter &sorter = getKeySorter(vectorBits);
  KeyOrder order = isDescending ? KeyOrder::Descending : KeyOrder::Ascending;
  auto size = static_cast<int64_t>(getSize(type));
  int64_t bytes[] = {size, size, 4}, length = rows[rank + 1];
  SortMemory memory(length, state, site);
  if (!memory)
    return;
  const int64_t *keys = memory.get().keys;
  forEachRow<3>(rows, rank, bytes, 3, [&](const RowCursor *row) {
    int64_t values = std::min(length, row[1].length);
    int64_t numIndices = std::min(length, row[2].length);
    sortRow(sorter, rowOf(row[0], type, order), std::max(values, numIndices),
            memory.get());
    putValues(row[1], row[0], type, keys, values);
    storeIndices(row[2], keys, numIndices);
  });
}

void tegulaSortRuns(const int64_t *rows, int64_t rank, int64_t, int64_t run,
                    int64_t vectorBits, TegulaCallState *state, int32_t site) {
  const KeySorter &sorter = getKeySorter(vectorBits);
  int64_t bytes[] = {4, 4, 4};
  SortMemory memory(std::min(run, rows[rank + 1]), state, site);
  if (!memory)
    return;
  const int64_t *keys = memory.get().keys;
  forEachRow<3>(rows, rank, bytes, 3, [&](const RowCursor *row) {
    int64_t width = std::min(row[0].length, row[1].length);
    int64_t room = countPairs(row[2]);
    for (int64_t first = 0; first < std::min(width, room); first += run) {
      RowCursor values = row[0], indices = row[1], target = row[2];
      values.start = values.at(first);
      indices.start = indices.at(first);
      target.start = target.at(2 * first);
      target.step *= 2;
      values.length = std::min(run, width - first);
      int64_t kept = std::min(values.length, room - first);
      sortRow(sorter, rowOf(values, DType::FP32, KeyOrder::Descending), kept,
              memory.get());
      copyOrdered<uint32_t>(target, values, keys, kept);
      target.start = row[2].at(2 * first + 1);
      copyOrdered<uint32_t>(target, indices, keys, kept);
    }
  });
}

void tegulaMergeRuns(const int64_t *rows, int64_t rank, int64_t, int64_t count,
                     int64_t run, int64_t vectorBits, TegulaCallState *state,
                     int32_t site) {
  const KeySorter &sorter = getKeySorter(vectorBits);
  int64_t bytes[] = {4, 4, 4, 4, 4}, all = 0;
  for (int64_t i = 0; i < count; ++i)
    all += rows[rank + i * (3 + rank) + 1] / 2;
  SortMemory memory(all, state, site);
  if (!memory)
    return;
  // Longer runs than the row are all of it.
  run = std::clamp<int64_t>(run, 1, std::max<int64_t>(all, 1));
  forEachRow<5>(rows, rank, bytes, count + 1, [&](const RowCursor *row) {
    if (count > 1)
      mergeLists(sorter, row, count, memory.get());
    else
      mergeRow(sorter, row[0], row[1], run, memory.get());
  });
}
