// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel that multiplies two matrices and computes with the elements of the
/// product, for chips that have a form of their own for it.

#ifndef TEGULA_LAUNCH_GPU_GPUPRODUCT_H
#define TEGULA_LAUNCH_GPU_GPUPRODUCT_H

#include <cstdint>
#include <string>

namespace tegula {

/// Which tensors of the program are multiplied. The left factor is M x K, or K
/// x M if it is turned, and so on.
struct GpuProduct {
  int64_t left, right;
  bool isLeftTurned, isRightTurned;
  /// The factors are BF16, or else FP16.
  bool isBf16;
};

/// A matrix in memory.
struct GpuMatrix {
  uint64_t address;
  int64_t rows, columns;
  /// Elements from one row, and one column, to the next.
  int64_t row, column;

  GpuMatrix turned() const { return {address, columns, rows, column, row}; }
  /// Whether boxes of its rows can be copied: elements of two bytes side by
  /// side, rows that begin at multiples of 16 bytes.
  bool hasBoxes() const;
  /// Whether rows begin at multiples of 32 bytes: boxes of others take longer.
  bool hasQuickBoxes() const { return hasBoxes() && row % 16 == 0; }
};

/// Such a product of a call.
struct GpuProductCall {
  GpuMatrix left, right;

  /// The matrices of the product among the slots of the call, which begin with
  /// the address, the sizes and the strides of each.
  GpuProductCall(const GpuProduct &product, const int64_t *left,
                 const int64_t *right);

  /// Whether the form can take it: it is not empty, and its sizes have 31 bits.
  bool isPossible() const;
  /// Whether the right factor is copied row by row, and not column by column.
  bool isAcross() const {
    return right.hasBoxes() || !right.turned().hasBoxes();
  }
  /// Whether factors are read so often that a copy pays which has quick boxes.
  bool isLarge() const;
  /// Rows of the right factor, or its columns, as they are copied.
  GpuMatrix getRightRows() const { return isAcross() ? right : right.turned(); }

  /// The columns of a tile, 256, 192 or 128: what takes the least time on so
  /// many processors.
  int64_t chooseColumns(int64_t processors) const;
  /// How many tiles there are of so many columns.
  int64_t countTiles(int64_t columns) const;
  /// What the kernel for it is called.
  std::string getKernel(const GpuProduct &product, int64_t columns) const;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUPRODUCT_H
