// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Iterates over the elements of a tensor, each with an index that points into
/// another.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEINDEXEDROWS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEINDEXEDROWS_H

#include "tegula/backends/cuda/device/routines/DeviceRows.h"

namespace tegula::gpu {

inline int64_t readIndex(const char *address, DType dtype) {
  switch (dtype) {
  case DType::Int8:
    return *reinterpret_cast<const int8_t *>(address);
  case DType::UInt8:
  case DType::Bool:
    return *reinterpret_cast<const uint8_t *>(address);
  case DType::Int16:
    return *reinterpret_cast<const int16_t *>(address);
  case DType::UInt16:
    return *reinterpret_cast<const uint16_t *>(address);
  case DType::Int32:
    return *reinterpret_cast<const int32_t *>(address);
  case DType::UInt32:
    return *reinterpret_cast<const uint32_t *>(address);
  default:
    return *reinterpret_cast<const int64_t *>(address);
  }
}

/// The first tensor is iterated over, the second points into the third.
struct IndexedRows {
  Rows all;
  int64_t bytes;
  DType indexType;
  TegulaCallState *state;
  int32_t site;
  int64_t axis;

  int64_t length() const {
    return least(all.get(0, 0, 1).length, all.get(1, 0, 1).length);
  }

  /// The indices of a row: one that is out of range is reported, and -1 then.
  struct Indices {
    Row row;
    DType type;
    int64_t extent, axis;
    TegulaCallState *state;
    int32_t site;

    int64_t at(int64_t position) const {
      int64_t index = readIndex(row.at(position), type);
      if (static_cast<uint64_t>(index) < static_cast<uint64_t>(extent))
        return index;
      report(state, site, axis, index, extent);
      return -1;
    }
    [[gnu::noinline]] static void report(TegulaCallState *state, int32_t site,
                                         int64_t axis, int64_t index,
                                         int64_t extent) {
      tegulaGpuReportError(nullptr, state, TegulaIndexOutOfRange, site, axis,
                           index, extent);
    }
  };
  Indices indicesOf(int64_t row) const {
    return {all.get(1, row, getSize(indexType)),
            indexType,
            all.get(2, 0, 1).length,
            axis,
            state,
            site};
  }
  int64_t indexAt(int64_t row, int64_t position) const {
    return indicesOf(row).at(position);
  }

  /// The element that is pointed at; null if the index is out of range.
  char *find(int64_t row, int64_t position) const {
    int64_t index = indexAt(row, position);
    return index < 0 ? nullptr : all.get(2, row, bytes).at(index);
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

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEINDEXEDROWS_H
