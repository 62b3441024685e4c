// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the lowering of tiles asks of the target it is for.

#ifndef TEGULA_BACKENDS_CODEGEN_LOWERINGTARGET_H
#define TEGULA_BACKENDS_CODEGEN_LOWERINGTARGET_H

#include "tegula/backends/codegen/memory/View.h"

namespace tegula {

class TileLowering;
class TilePatterns;

namespace pl {
class MatmulOp;
} // namespace pl

/// The operands of `acc += lhs * rhs` for tiles in memory.
struct TileMatmul {
  const View &lhs, &rhs, &acc;
};

/// One target. The defaults are those of a target with nothing of its own.
class LoweringTarget {
public:
  virtual ~LoweringTarget();

  /// Bits of a vector register; routines on rows are told.
  virtual unsigned getVectorBits() const { return 256; }
  /// Whether memory of tensors is spoilt before they are written and after they
  /// are read for the last time.
  virtual bool poisonsTensors() const { return false; }
  /// Tensors of at least so many bytes are out of cache.
  virtual int64_t getLeastStreamed() const { return INT64_MAX; }
  /// Adds patterns for ops that only this target has.
  virtual void addPatterns(TilePatterns &patterns) const {}

  /// Emits a matmul whose operands may have any types and strides, and which
  /// overwrites `acc` if the op has no accumulator. False if the target has no
  /// code for these types.
  virtual bool multiplyTiles(TileLowering &lowering, pl::MatmulOp op,
                             const TileMatmul &matmul) const;
  /// Emits `acc += lhs * rhs`, all of one element type; `inner` is how far both
  /// are valid along the axis that is summed up.
  virtual void accumulateTiles(TileLowering &lowering, pl::MatmulOp op,
                               const TileMatmul &matmul,
                               mlir::OpFoldResult inner) const = 0;

  /// The memory with the mark that stores to it, or reads of it, are past the
  /// caches where the i1 holds.
  virtual mlir::Value markStreamed(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Value memory,
                                   mlir::Value isStreamed) const {
    return memory;
  }
  virtual mlir::Value markOutOfCache(mlir::OpBuilder &builder,
                                     mlir::Location loc, mlir::Value memory,
                                     mlir::Value isOutOfCache) const {
    return memory;
  }
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_LOWERINGTARGET_H
