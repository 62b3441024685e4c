// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums, and elements that move from and to places that are data.

#include "tegula/launch/gpu/device/DeviceRows.h"

using namespace tegula;
using namespace tegula::gpu;

template <typename Element> static void scan(const Rows &all) {
  shareOut(all.count(), [&](int64_t number) {
    Row from = all.get(0, number, sizeof(Element)),
        to = all.get(1, number, sizeof(Element));
    Element sum = 0;
    for (int64_t i = 0; i < least(from.length, to.length); ++i)
      to.as<Element>(i) = sum += from.as<Element>(i);
  });
}

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

  /// Calls `move` with the element and the one pointed at, unless the index is
  /// out of range.
  template <typename Move>
  void visit(int64_t row, int64_t place, Move move) const {
    int64_t index =
        readIndex(all.get(1, row, getSize(indexType)).at(place), indexType);
    Row pointed = all.get(2, row, bytes);
    if (static_cast<uint64_t>(index) >= static_cast<uint64_t>(pointed.length))
      return tegulaGpuReportError(nullptr, state, TegulaIndexOutOfRange, site,
                                  axis, index, pointed.length);
    move(all.get(0, row, bytes).at(place), pointed.at(index));
  }

  /// Each element on its own.
  template <typename Move> void spread(Move move) const {
    int64_t each = length();
    if (each > 0)
      shareOut(all.count() * each,
               [&](int64_t i) { visit(i / each, i % each, move); });
    tegulaGpuBarrier();
  }

  /// Rows that may meet in one target are walked by one thread in order, so
  /// that the last element stays. Which may is not known: all are.
  template <typename Move> void inOrder(Move move) const {
    int64_t each = length();
    if (tegulaGpuThread() == 0)
      for (int64_t row = 0; row < all.count(); ++row)
        for (int64_t i = 0; i < each; ++i)
          visit(row, i, move);
    tegulaGpuBarrier();
  }
};

template <typename Element> struct Add {
  void operator()(char *from, char *to) const {
    *reinterpret_cast<Element *>(to) += *reinterpret_cast<Element *>(from);
  }
};

} // namespace

extern "C" {

void tegulaGpuScanRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                       int64_t, int64_t dtype, int64_t, TegulaCallState *,
                       int32_t) {
  Rows all{rows, rank};
  auto type = static_cast<DType>(dtype);
  if (type == DType::FP32)
    scan<float>(all);
  else if (type == DType::FP64)
    scan<double>(all);
  else if (getSize(type) == 4)
    scan<uint32_t>(all);
  else
    scan<uint64_t>(all);
  tegulaGpuBarrier();
}

void tegulaGpuPickRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                       int64_t, int64_t bytes, int64_t indexType, int64_t axis,
                       int64_t, TegulaCallState *state, int32_t site) {
  Walk{{rows, rank}, bytes, static_cast<DType>(indexType), state, site, axis}
      .spread([&](char *to, char *from) { copyElement(to, from, bytes); });
}

void tegulaGpuPutRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                      int64_t, int64_t bytes, int64_t indexType, int64_t axis,
                      int64_t, TegulaCallState *state, int32_t site) {
  Walk{{rows, rank}, bytes, static_cast<DType>(indexType), state, site, axis}
      .inOrder([&](char *from, char *to) { copyElement(to, from, bytes); });
}

void tegulaGpuAddRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                      int64_t, int64_t dtype, int64_t indexType, int64_t axis,
                      int64_t, TegulaCallState *state, int32_t site) {
  auto type = static_cast<DType>(dtype);
  Walk walk{{rows, rank}, getSize(type), static_cast<DType>(indexType),
            state,        site,          axis};
  if (type == DType::FP32)
    return walk.inOrder(Add<float>());
  if (type == DType::FP64)
    return walk.inOrder(Add<double>());
  // Sums of integers wrap around, signed or not.
  switch (walk.bytes) {
  case 1:
    return walk.inOrder(Add<uint8_t>());
  case 2:
    return walk.inOrder(Add<uint16_t>());
  case 4:
    return walk.inOrder(Add<uint32_t>());
  default:
    return walk.inOrder(Add<uint64_t>());
  }
}

} // extern "C"
