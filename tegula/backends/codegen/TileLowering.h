// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One function of tile programs while it becomes linalg on memory: what the
/// patterns of all ops share. TilePatterns.h lists these by family.

#ifndef TEGULA_BACKENDS_CODEGEN_TILELOWERING_H
#define TEGULA_BACKENDS_CODEGEN_TILELOWERING_H

#include "tegula/backends/codegen/LoweredValues.h"
#include "tegula/backends/codegen/LoweringHooks.h"
#include "tegula/backends/codegen/LoweringTarget.h"
#include "tegula/backends/codegen/memory/OutOfCache.h"
#include "tegula/backends/codegen/memory/ScratchFrames.h"
#include "tegula/ir/extents/ExactArithmetic.h"

namespace tegula {

class TilePatterns;

/// Emits the lowered function next to the original, op by op in program order.
class TileLowering {
public:
  TileLowering(mlir::func::FuncOp source, const LoweringTarget &target,
               const TilePlan &plan, const TilePatterns &patterns,
               llvm::SmallVectorImpl<mlir::Attribute> &sites,
               LoweringHooks *recorder)
      : builder(source.getContext()), target(target), plan(plan),
        steps(builder, recorder), calls(builder, sites),
        scratch(builder, calls, plan), outOfCache(*this), source(source),
        patterns(patterns) {}
  TileLowering(const TileLowering &) = delete;
  TileLowering &operator=(const TileLowering &) = delete;

  /// Replaces the function by its lowered form.
  mlir::LogicalResult run();
  /// Lowers the ops of a block, or one, where the builder is.
  mlir::LogicalResult lower(mlir::Block &block);
  mlir::LogicalResult lower(mlir::Operation &op);
  /// Lets each run of the block use another copy of its buffers, if there are
  /// several.
  void chooseCopies(mlir::Block &block);

  mlir::Value scalar(mlir::Value value) const { return values.scalar(value); }
  Indices indices(mlir::ValueRange range) const {
    return values.indices(range);
  }
  const Tile &tile(mlir::Value value) const { return values.tile(value); }
  const View &view(mlir::Value tensor) const { return values.view(tensor); }
  IndexMath math(mlir::Location loc) { return IndexMath(builder, loc); }
  /// True if the tile was computed where \p other is.
  bool isComputedIn(mlir::Value tile, mlir::Value other) const {
    return plan.placement.getBuffer(tile) == plan.placement.getBuffer(other);
  }

  mlir::OpBuilder builder;
  const LoweringTarget &target;
  const TilePlan &plan;
  LoweredValues values;
  RecordedSteps steps;
  RuntimeCalls calls;
  ScratchFrames scratch;
  OutOfCache outOfCache;
  /// Whether the memory that was taken so far is there; null where that is not
  /// in doubt, as in loops that have no iterations otherwise.
  mlir::Value isMemoryThere;
  pl::ExactArithmetic arithmetic;
  /// Ops that combine with a tile what was reduced into it already.
  llvm::DenseSet<mlir::Operation *> accumulated;

private:
  mlir::func::FuncOp source;
  const TilePatterns &patterns;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_TILELOWERING_H
