// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C routines generated code calls for gathers and scatters: indices are
// data.

#include "tegula/launch/routines/IndexReader.h"
#include "tegula/launch/routines/RowAdder.h"
#include "tegula/support/KernelAbi.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace tegula;

namespace {

/// One axis of a traversal: its extent, and the strides of the tensor that is
/// traversed, of its indices, and of the tensor they point into.
struct IndexedAxis {
  int64_t size = 1;
  int64_t direct = 0, index = 0, pointed = 0;
};

/// What is done with an element that is traversed and the one pointed at.
struct PickElement {
  /// Whether the element that is traversed may stay the same.
  static constexpr bool mayRepeat = false;
  template <typename Element>
  static void apply(Element &direct, Element &pointed) {
    direct = pointed;
  }
  template <typename Element>
  static void applyToRow(Element *direct, Element *pointed, int64_t count) {
    std::memcpy(direct, pointed, count * sizeof(Element));
  }
};
struct PutElement {
  static constexpr bool mayRepeat = true;
  template <typename Element>
  static void apply(Element &direct, Element &pointed) {
    pointed = direct;
  }
  template <typename Element>
  static void applyToRow(Element *direct, Element *pointed, int64_t count) {
    std::memcpy(pointed, direct, count * sizeof(Element));
  }
};
struct AddElement {
  static constexpr bool mayRepeat = true;
  template <typename Element>
  static void apply(Element &direct, Element &pointed) {
    pointed += direct;
  }
};

constexpr int64_t mostAxes = 16, block = 256;

/// The traversal that KernelAbi.h's rows of three tensors describe.
struct IndexedRows {
  IndexedAxis outer[mostAxes];
  int64_t rank;
  /// The axis along which indices point.
  IndexedAxis along;
  char *direct, *index, *pointed;
  DType indexType;
  /// What indices are below.
  int64_t extent;
  int64_t vectorBits;
  /// What adds rows, if they are added.
  AddRows addRows = nullptr;

  IndexedRows(const int64_t *rows, int64_t rank, int64_t indexType,
              int64_t vectorBits)
      : rank(rank), indexType(static_cast<DType>(indexType)),
        vectorBits(vectorBits) {
    int64_t each = 3 + rank;
    const int64_t *first = rows + rank, *second = first + each,
                  *third = second + each;
    direct = reinterpret_cast<char *>(first[0]);
    index = reinterpret_cast<char *>(second[0]);
    pointed = reinterpret_cast<char *>(third[0]);
    along = {std::min(first[1], second[1]), first[2 + rank], second[2 + rank],
             third[2 + rank]};
    extent = third[1];
    for (int64_t axis = 0; axis < rank; ++axis)
      outer[axis] = {rows[axis], first[2 + axis], second[2 + axis],
                     third[2 + axis]};
  }
};

/// Where a call reports an index that is out of range.
struct IndexReport {
  TegulaCallState *state;
  int32_t site;
  int64_t axis;

  /// Reports the first index that is out of range.
  void reportFirst(const int64_t *indices, int64_t extent) const {
    while (static_cast<uint64_t>(*indices) < static_cast<uint64_t>(extent))
      ++indices;
    tegulaReportError(state, TegulaIndexOutOfRange, site,
                      static_cast<int32_t>(axis), *indices, extent);
  }
};

/// Traverses elements of one type.
template <typename Move, typename Element> class ElementMover {
public:
  ElementMover(const IndexedRows &indexedRows, const IndexReport &report)
      : indexedRows(indexedRows), report(report),
        read(getIndexReader(indexedRows.indexType, indexedRows.vectorBits)),
        indexBytes(getSize(indexedRows.indexType)) {}

  void run() {
    for (int64_t axis = 0; axis < indexedRows.rank; ++axis)
      if (indexedRows.outer[axis].size == 0)
        return;
    if (indexedRows.along.size == 0)
      return;
    chooseInner();
    int64_t position[mostAxes] = {};
    auto *direct = reinterpret_cast<Element *>(indexedRows.direct);
    auto *pointed = reinterpret_cast<Element *>(indexedRows.pointed);
    const char *index = indexedRows.index;
    while (visit(direct, index, pointed)) {
      int64_t axis = indexedRows.rank - 1;
      for (; axis >= 0; --axis) {
        const IndexedAxis &at = indexedRows.outer[axis];
        bool isDone = ++position[axis] == at.size;
        int64_t steps = isDone ? 1 - at.size : 1;
        direct += steps * at.direct;
        index += steps * at.index * indexBytes;
        pointed += steps * at.pointed;
        if (!isDone)
          break;
        position[axis] = 0;
      }
      if (axis < 0)
        return;
    }
  }

private:
  /// Takes an outer axis for the inner loop if elements lie one after the other
  /// along it in both tensors, and not along the axis of the indices.
  void chooseInner() {
    for (int64_t axis = indexedRows.rank - 1; axis >= 0; --axis) {
      IndexedAxis &at = indexedRows.outer[axis];
      bool isDense = at.direct == 1 && at.pointed == 1 && at.size > 1;
      if (!isDense ||
          (indexedRows.along.direct == 1 && indexedRows.along.pointed == 1))
        continue;
      inner = at;
      at = IndexedAxis();
      return;
    }
  }

  bool readSome(const char *from, int64_t step, int64_t count,
                int64_t *indices) {
    if (read(from, step, count, indexedRows.extent, indices))
      return true;
    report.reportFirst(indices, indexedRows.extent);
    return false;
  }

  bool visit(Element *direct, const char *index, Element *pointed) {
    return inner.size == 1    ? visitAlong(direct, index, pointed)
           : inner.index == 0 ? visitRows(direct, index, pointed)
                              : visitAcross(direct, index, pointed);
  }

  /// One index for each element along the axis.
  bool visitAlong(Element *direct, const char *index, Element *pointed) {
    const IndexedAxis &along = indexedRows.along;
    int64_t indices[block];
    for (int64_t first = 0; first < along.size; first += block) {
      int64_t count = std::min(block, along.size - first);
      if (!readSome(index + first * along.index * indexBytes, along.index,
                    count, indices))
        return false;
      Element *from = direct + first * along.direct;
      if (along.direct == 1 && along.pointed == 1)
        for (int64_t i = 0; i < count; ++i)
          Move::apply(from[i], pointed[indices[i]]);
      else if (Move::mayRepeat && along.direct == 0 && along.pointed == 1)
        repeat(*from, indices, count, pointed);
      else
        for (int64_t i = 0; i < count; ++i)
          Move::apply(from[i * along.direct],
                      pointed[indices[i] * along.pointed]);
    }
    return true;
  }

  /// One element to many indices. It is read once: it is elsewhere in memory.
  static void repeat(Element direct, const int64_t *indices, int64_t count,
                     Element *pointed) {
    for (int64_t i = 0; i < count; ++i)
      Move::apply(direct, pointed[indices[i]]);
  }

  /// One index for a row of elements.
  bool visitRows(Element *direct, const char *index, Element *pointed) {
    const IndexedAxis &along = indexedRows.along;
    int64_t indices[block];
    for (int64_t first = 0; first < along.size; first += block) {
      int64_t count = std::min(block, along.size - first);
      if (!readSome(index + first * along.index * indexBytes, along.index,
                    count, indices))
        return false;
      Element *rows = direct + first * along.direct;
      if constexpr (std::is_same_v<Move, AddElement>)
        indexedRows.addRows({reinterpret_cast<const char *>(rows), along.direct,
                             reinterpret_cast<char *>(pointed), along.pointed,
                             indices, count, inner.size});
      else
        for (int64_t i = 0; i < count; ++i)
          Move::applyToRow(rows + i * along.direct,
                           pointed + indices[i] * along.pointed, inner.size);
    }
    return true;
  }

  /// One index for each element of rows that lie across the axis.
  bool visitAcross(Element *direct, const char *index, Element *pointed) {
    const IndexedAxis &along = indexedRows.along;
    int64_t indices[block];
    for (int64_t i = 0; i < along.size; ++i)
      for (int64_t first = 0; first < inner.size; first += block) {
        int64_t count = std::min(block, inner.size - first);
        if (!readSome(index +
                          (i * along.index + first * inner.index) * indexBytes,
                      inner.index, count, indices))
          return false;
        Element *from = direct + i * along.direct + first;
        for (int64_t j = 0; j < count; ++j)
          Move::apply(from[j], pointed[indices[j] * along.pointed + first + j]);
      }
    return true;
  }

  IndexedRows indexedRows;
  IndexedAxis inner;
  const IndexReport &report;
  ReadIndices read;
  int64_t indexBytes;
};

template <typename Move>
void moveBits(const IndexedRows &indexedRows, int64_t bytes,
              const IndexReport &report) {
  switch (bytes) {
  case 1:
    return ElementMover<Move, uint8_t>(indexedRows, report).run();
  case 2:
    return ElementMover<Move, uint16_t>(indexedRows, report).run();
  case 4:
    return ElementMover<Move, uint32_t>(indexedRows, report).run();
  default:
    return ElementMover<Move, uint64_t>(indexedRows, report).run();
  }
}

} // namespace

void tegulaPickRows(const int64_t *rows, int64_t rank, int64_t,
                    int64_t elementBytes, int64_t indexType, int64_t axis,
                    int64_t vectorBits, TegulaCallState *state, int32_t site) {
  moveBits<PickElement>(IndexedRows(rows, rank, indexType, vectorBits),
                        elementBytes, {state, site, axis});
}

void tegulaPutRows(const int64_t *rows, int64_t rank, int64_t,
                   int64_t elementBytes, int64_t indexType, int64_t axis,
                   int64_t vectorBits, TegulaCallState *state, int32_t site) {
  moveBits<PutElement>(IndexedRows(rows, rank, indexType, vectorBits),
                       elementBytes, {state, site, axis});
}

void tegulaAddRows(const int64_t *rows, int64_t rank, int64_t, int64_t dtype,
                   int64_t indexType, int64_t axis, int64_t vectorBits,
                   TegulaCallState *state, int32_t site) {
  IndexedRows indexedRows(rows, rank, indexType, vectorBits);
  IndexReport report{state, site, axis};
  auto type = static_cast<DType>(dtype);
  indexedRows.addRows = getRowAdder(type, vectorBits);
  if (type == DType::FP32)
    return ElementMover<AddElement, float>(indexedRows, report).run();
  if (type == DType::FP64)
    return ElementMover<AddElement, double>(indexedRows, report).run();
  // Sums of integers wrap around, signed or not.
  moveBits<AddElement>(indexedRows, getSize(type), report);
}
