// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel that multiplies two matrices and computes with the elements of the
/// matmul, for chips that have tuned code for it.

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_GPUMATMUL_H
#define TEGULA_LAUNCH_GPU_VARIANTS_GPUMATMUL_H

#include "tegula/launch/gpu/variants/GpuElement.h"
#include "tegula/launch/gpu/variants/GpuParameter.h"

#include <string>

namespace tegula {

/// Which tensors of the program are multiplied. The lhs is M x K, or K
/// x M if it is transposed, and so on.
struct GpuMatmul {
  GpuTensorNumber left, right;
  bool isLeftTransposed = false, isRightTransposed = false;
  GpuElement element = GpuElement::Fp16;
  /// Whether its epilogue takes so long that something else should go on
  /// meanwhile.
  bool isLong = false;
  /// The epilogue operand, in rows, which kernels of Hopper
  /// chips copy in time; -1 if there is none.
  GpuTensorNumber epilogueOperand = -1;

  /// How the names of the kernels of Hopper chips for it begin, and the kernel
  /// that copies its operands for them.
  std::string getPrefix() const;
  std::string getRepack() const;
};

template <> struct Fields<GpuMatmul> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("lhs", self.left);
    visit("rhs", self.right);
    visit("transpose_lhs", self.isLeftTransposed);
    visit("transpose_rhs", self.isRightTransposed);
    visit("precision", self.element);
    visit("long_epilogue", self.isLong);
    visit("epilogue_operand", self.epilogueOperand);
  }
  static const char *findMistake(const GpuMatmul &matmul) {
    return matmul.left < 0 || matmul.right < 0 ? "a matmul has two operands"
                                               : nullptr;
  }
};

/// A matrix in memory.
struct GpuMatrix {
  uint64_t address;
  int64_t rows, columns;
  /// Elements from one row, and one column, to the next.
  int64_t row, column;
  /// Of an element.
  int64_t bytes = 2;

  GpuMatrix transposed() const {
    return {address, columns, rows, column, row, bytes};
  }
  /// Whether boxes of its rows can be copied: elements side by side, rows that
  /// begin at multiples of 16 bytes and do not overlap.
  bool hasBoxes() const;
  /// Whether rows begin at multiples of 32 bytes: boxes of others take longer.
  bool hasQuickBoxes() const { return hasBoxes() && row * bytes % 32 == 0; }
  bool hasSlowBoxes() const { return hasBoxes() && row * bytes % 32 != 0; }
};

/// The matrix among slots that begin with its address, its sizes and its
/// strides.
GpuMatrix matrixAt(const int64_t *slots, int64_t bytes,
                   bool isTransposed = false);

/// How a matmul is shared out among the blocks of a launch.
struct GpuMatmulSchedule {
  /// Columns of a tile.
  int64_t columns;
  /// Tiles have 64 rows, and so many blocks, a cluster, share the steps of one.
  /// 0: tiles have 128 rows, and blocks have tiles for themselves.
  int64_t split;
  /// Whether the warpgroups of a block ping-pong over tiles.
  bool isPingPong;
  /// So many blocks, a cluster, have tiles below each other and share what they
  /// copy of the rhs.
  int64_t cluster = 1;

  bool operator==(const GpuMatmulSchedule &other) const {
    return columns == other.columns && split == other.split &&
           isPingPong == other.isPingPong && cluster == other.cluster;
  }
};

/// Such a matmul of a call.
struct GpuMatmulCall {
  GpuMatrix left, right;
  GpuElement element;

  /// The matrices of the matmul among the slots of the call, which begin with
  /// the address, the sizes and the strides of each.
  GpuMatmulCall(const GpuMatmul &matmul, const int64_t *left,
                const int64_t *right);

  /// Why tuned code cannot take it, or null: it is empty, or its sizes have
  /// more than 31 bits.
  const char *findObstacle() const;
  bool isPossible() const { return !findObstacle(); }
  /// What the code of Hopper chips multiplies.
  GpuOperandType getType() const {
    return getOperandType(element, MatmulCode::Hopper);
  }
  /// Whether boxes of the rhs are of its rows, and not of its columns.
  /// Tensor cores take those of two bytes only; where steps are split, words
  /// are transposed in shared memory.
  bool isAcross(bool isSplit = false) const;
  /// Rows of the rhs, or its columns, as boxes are taken of them.
  GpuMatrix getRightRows(bool isSplit = false) const {
    return isAcross(isSplit) ? right : right.transposed();
  }
  /// Whether elements are copied to become others.
  bool isConverted() const {
    return tegula::isConverted(element, MatmulCode::Hopper);
  }
  /// Whether an operand, as boxes are taken of it, is copied first.
  bool isCopied(const GpuMatrix &matrix) const {
    return isConverted() || !matrix.hasBoxes();
  }
  /// Whether both operands have quick boxes, in place or because what is
  /// copied begins at multiples of 32 bytes, too.
  bool hasQuickBoxes() const {
    return isQuick(left) && isQuick(getRightRows());
  }
  /// Whether an operand is read in place, in boxes that are not quick.
  bool hasSlowBoxes() const {
    return !isConverted() &&
           (left.hasSlowBoxes() || getRightRows().hasSlowBoxes());
  }

  /// The schedule that takes the least time on so many SMs, which may be
  /// able to form clusters of blocks.
  GpuMatmulSchedule chooseSchedule(const GpuMatmul &matmul, int64_t numSMs,
                                   bool hasClusters) const;
  /// Steps of a tile.
  int64_t countSteps() const;
  /// How many tiles there are, with those that fill up clusters.
  int64_t countTiles(const GpuMatmulSchedule &schedule) const;
  /// Of the kernel for it, among those of the program: less than 12.
  size_t getNumber(const GpuMatmulSchedule &schedule) const;
  /// What the kernel for it is called.
  std::string getKernel(const GpuMatmul &matmul,
                        const GpuMatmulSchedule &schedule) const;

private:
  bool isQuick(const GpuMatrix &matrix) const {
    return matrix.hasQuickBoxes() ||
           (isCopied(matrix) && matrix.transposed().hasQuickBoxes());
  }
  /// How many blocks should share what they copy.
  int64_t chooseCluster(bool hasClusters) const;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_VARIANTS_GPUMATMUL_H
