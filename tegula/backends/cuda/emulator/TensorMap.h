// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tensors as they are described to copies of an emulated chip.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_TENSORMAP_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_TENSORMAP_H

#include <cstdint>
#include <string>

namespace tegula::emulator {

inline constexpr uint32_t mostAxes = 5;

/// What a tensor is described with: the first axis is the one whose elements
/// are contiguous; pitches are in bytes, one for each other axis.
struct TensorDescription {
  int type;
  uint32_t rank;
  void *address;
  const uint64_t *sizes, *pitches;
  const uint32_t *box, *steps;
  int swizzle;
};

/// The description, in the bytes that a kernel gets.
struct TensorMap {
  static constexpr uint32_t mark = 0x7465676d;

  uint32_t magic;
  uint16_t rank;
  uint16_t elementBytes;
  char *address;
  int64_t sizes[mostAxes];
  int64_t pitches[mostAxes - 1];
  uint16_t box[mostAxes];
  uint16_t isSwizzled;
  /// Copies round FP32 to TF32.
  uint16_t isRounded;

  int64_t countBytes() const;
  /// Calls `visit` with every element of the box at `coordinates`: where it is
  /// in the box, in bytes, and its address; null if it is outside the tensor.
  template <typename Visit>
  void forEachElement(const int32_t *coordinates, Visit visit) const {
    int64_t rowBytes = int64_t(box[0]) * elementBytes, rows = 1;
    for (uint32_t axis = 1; axis < rank; ++axis)
      rows *= box[axis];
    for (int64_t row = 0; row < rows; ++row) {
      int64_t rest = row, offset = 0;
      bool isInside = true;
      for (uint32_t axis = 1; axis < rank; ++axis) {
        int64_t coordinate = coordinates[axis] + rest % box[axis];
        rest /= box[axis];
        isInside &= coordinate >= 0 && coordinate < sizes[axis];
        offset += coordinate * pitches[axis - 1];
      }
      for (int64_t i = 0; i < box[0]; ++i) {
        int64_t coordinate = coordinates[0] + i;
        bool isThere = isInside && coordinate >= 0 && coordinate < sizes[0];
        visit(row * rowBytes + i * elementBytes,
              isThere ? address + offset + coordinate * elementBytes : nullptr);
      }
    }
  }
};

/// Writes the map, 128 bytes. Returns what is wrong with the description, as
/// NVIDIA's driver would refuse it; empty if nothing is.
std::string makeTensorMap(const TensorDescription &tensor, void *map);

/// The map that a kernel got, or null if it is none.
const TensorMap *readTensorMap(const void *map);

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_TENSORMAP_H
