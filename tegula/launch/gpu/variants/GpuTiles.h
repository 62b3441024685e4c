// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls in tiles (tiles/), for chips since sm_80 and element types that have
/// no code tuned for the chip: which kernel a call takes.

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_GPUTILES_H
#define TEGULA_LAUNCH_GPU_VARIANTS_GPUTILES_H

#include "tegula/launch/gpu/variants/GpuMatmul.h"

#include <string>
#include <vector>

namespace tegula {

/// The tile of a block.
struct GpuTile {
  int64_t rows, columns, threads;
  /// How many blocks an SM has at once, at least.
  int64_t blocks;
  /// Nanoseconds that an SM takes for one step of the inner axis, as measured:
  /// if it has several blocks, for each of them, and if it has only this one.
  int64_t time, timeAlone;

  /// As kernels are called, after what is multiplied.
  std::string getName() const;
  int64_t countTiles(int64_t ofRows, int64_t ofColumns) const;
};

/// Those of the kernels that multiply such a type.
const std::vector<GpuTile> &getTiles(GpuOperandType type);

/// The first part of the names of kernels for such a type.
std::string getTilePrefix(GpuOperandType type);
/// The kernel that copies such operands; empty if they are taken as they are.
std::string getTileCopy(GpuElement element);

/// How many elements a step of the inner axis has.
int64_t getTileDepth(GpuOperandType type);

/// Bytes of shared memory that the kernel for a tile needs.
int32_t getTileSharedBytes(GpuOperandType type, const GpuTile &tile);

/// The operands of a call as kernels take them. Narrow elements are copied 16
/// bytes at a time, which are contiguous: along the inner axis, or, if they are
/// halves of words and of the rhs, across it. What does not lie so is copied
/// first, and so is FP8. FP32 is taken with any strides.
struct GpuTileOperands {
  GpuMatrix left, right;
  /// Whether columns of the matmul are contiguous in the rhs. Else
  /// its rows are columns of the matmul.
  bool isAcross = false;
  bool isLeftCopied = false, isRightCopied = false;
  /// Whether words are copied to shared memory one by one, though chunks of 16
  /// bytes could be.
  bool isLeftByWords = false, isRightByWords = false;

  explicit GpuTileOperands(const GpuMatmulCall &call);
};

/// How a matmul is shared out.
struct GpuTilePlan {
  const GpuTile *tile;
  int64_t tiles;
  /// Blocks that share the accumulators of a tile, and the steps that each has
  /// at most.
  int64_t splits, splitSteps;

  int64_t countBlocks() const { return tiles * splits; }
  /// Bytes for partial accumulators, and for counting them; none if there is
  /// one part.
  int64_t getPartialBytes() const;
  int64_t getArrivalBytes() const;
};

/// What takes the least time for a matmul of such sizes, which are not 0, on
/// so many SMs.
GpuTilePlan planTiles(GpuOperandType type, int64_t rows, int64_t columns,
                      int64_t inner, int64_t numSMs);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_VARIANTS_GPUTILES_H
