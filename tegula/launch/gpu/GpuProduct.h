// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel that multiplies two matrices and computes with the elements of the
/// product, for chips that have a form of their own for it.

#ifndef TEGULA_LAUNCH_GPU_GPUPRODUCT_H
#define TEGULA_LAUNCH_GPU_GPUPRODUCT_H

#include <cstdint>
#include <string>

namespace tegula {

/// Element types of factors: Tf32 is FP32 that may be rounded to it. Numbers
/// are written down in programs.
enum class GpuElement {
  Fp16,
  Bf16,
  Fp32,
  Int8,
  Uint8,
  Fp8E4M3FN,
  Fp8E5M2,
  Tf32
};

/// Which tensors of the program are multiplied. The left factor is M x K, or K
/// x M if it is turned, and so on.
struct GpuProduct {
  int64_t left, right;
  bool isLeftTurned, isRightTurned;
  GpuElement element;
  /// Whether what is computed with its sums takes so long that something else
  /// should go on meanwhile.
  bool isLong = false;

  bool isBf16() const { return element == GpuElement::Bf16; }
  /// Whether tensor cores of Hopper chips have a form for it.
  bool isHalf() const { return isBf16() || element == GpuElement::Fp16; }
};

/// A matrix in memory.
struct GpuMatrix {
  uint64_t address;
  int64_t rows, columns;
  /// Elements from one row, and one column, to the next.
  int64_t row, column;

  GpuMatrix turned() const { return {address, columns, rows, column, row}; }
  /// Whether boxes of its rows can be copied: elements of two bytes side by
  /// side, rows that begin at multiples of 16 bytes and do not overlap.
  bool hasBoxes() const;
  /// Whether rows begin at multiples of 32 bytes: boxes of others take longer.
  bool hasQuickBoxes() const { return hasBoxes() && row % 16 == 0; }
  bool hasSlowBoxes() const { return hasBoxes() && row % 16 != 0; }
};

/// How a product is shared out among the blocks of a launch.
struct GpuProductForm {
  /// Columns of a tile.
  int64_t columns;
  /// Tiles have 64 rows, and so many blocks, a cluster, share the steps of one.
  /// 0: tiles have 128 rows, and blocks have tiles for themselves.
  int64_t split;
  /// Whether the groups of a block take turns at tiles.
  bool takesTurns;
  /// So many blocks, a cluster, have tiles below each other and share what they
  /// copy of the right factor.
  int64_t cluster = 1;

  bool operator==(const GpuProductForm &other) const {
    return columns == other.columns && split == other.split &&
           takesTurns == other.takesTurns && cluster == other.cluster;
  }
};

/// Such a product of a call.
struct GpuProductCall {
  GpuMatrix left, right;

  /// The matrices of the product among the slots of the call, which begin with
  /// the address, the sizes and the strides of each.
  GpuProductCall(const GpuProduct &product, const int64_t *left,
                 const int64_t *right);

  /// Why the form cannot take it, or null: it is empty, or its sizes have more
  /// than 31 bits.
  const char *findObstacle() const;
  bool isPossible() const { return !findObstacle(); }
  /// Whether the right factor is copied row by row, and not column by column.
  bool isAcross() const {
    if (right.hasBoxes() || right.turned().hasBoxes())
      return right.hasBoxes();
    // A copy reads what lies side by side.
    return right.column == 1 || right.row != 1;
  }
  /// Whether both factors, as they lie, have quick boxes.
  bool hasQuickBoxes() const {
    return left.hasQuickBoxes() && getRightRows().hasQuickBoxes();
  }
  /// Whether a factor is read as it lies, in boxes that are not quick.
  bool hasSlowBoxes() const {
    return left.hasSlowBoxes() || getRightRows().hasSlowBoxes();
  }
  /// Rows of the right factor, or its columns, as they are copied.
  GpuMatrix getRightRows() const { return isAcross() ? right : right.turned(); }

  /// The form that takes the least time on so many processors, which may be
  /// able to form clusters of blocks.
  GpuProductForm chooseForm(const GpuProduct &product, int64_t processors,
                            bool hasClusters) const;
  /// Steps of a tile.
  int64_t countSteps() const;
  /// How many tiles there are, with those that fill up clusters.
  int64_t countTiles(const GpuProductForm &form) const;
  /// Of the kernel for it, among those of the program: less than 12.
  size_t getNumber(const GpuProductForm &form) const;
  /// What the kernel for it is called.
  std::string getKernel(const GpuProduct &product,
                        const GpuProductForm &form) const;

private:
  /// How many blocks should share what they copy.
  int64_t chooseCluster(bool hasClusters) const;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUPRODUCT_H
