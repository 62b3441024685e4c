// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The lowering of tiles for this processor.

#ifndef TEGULA_BACKENDS_CPU_CPULOWERINGTARGET_H
#define TEGULA_BACKENDS_CPU_CPULOWERINGTARGET_H

#include "tegula/backends/codegen/LoweringTarget.h"
#include "tegula/backends/cpu/CpuOptions.h"

namespace tegula {

/// Matmuls by functions that all of their kind share, and hints about caches.
class CpuLoweringTarget : public LoweringTarget {
public:
  explicit CpuLoweringTarget(const CpuOptions &options) : options(options) {}

  unsigned getVectorBits() const override { return options.vectorBits; }
  bool poisonsTensors() const override { return options.poisonsTensors; }
  int64_t getLeastStreamed() const override { return options.leastStreamed; }
  void addPatterns(TilePatterns &patterns) const override;
  bool multiplyTiles(TileLowering &lowering, pl::MatmulOp op,
                     const TileMatmul &matmul) const override;
  void accumulateTiles(TileLowering &lowering, pl::MatmulOp op,
                       const TileMatmul &matmul,
                       mlir::OpFoldResult inner) const override;
  mlir::Value markStreamed(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value memory,
                           mlir::Value isStreamed) const override;
  mlir::Value markOutOfCache(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value memory,
                             mlir::Value isOutOfCache) const override;

  const CpuOptions &getOptions() const { return options; }

private:
  const CpuOptions &options;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_CPULOWERINGTARGET_H
