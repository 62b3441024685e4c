// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of tensors: how much it is, and what is left where it is not there.

#ifndef TEGULA_BACKENDS_CODEGEN_MEMORY_TENSORMEMORY_H
#define TEGULA_BACKENDS_CODEGEN_MEMORY_TENSORMEMORY_H

#include "tegula/backends/codegen/memory/View.h"

namespace tegula {

class TileLowering;

/// On a call that takes scratch memory in iterations of parallel loops:
/// whichever of them goes to its next iteration, that one takes no more.
inline constexpr llvm::StringLiteral shrinkingAttrName = "tegula.shrinking";

/// What is left of a view if `isInside` does not hold: one element repeated,
/// and axes of unknown extent empty, so whatever follows is harmless.
View orHarmless(TileLowering &lowering, const View &memory,
                mlir::Value isInside, llvm::ArrayRef<pl::Dim> dims,
                mlir::Location loc);
/// Row-major strides of run-time extents.
Indices packedStrides(IndexMath math, const Indices &extents);
/// A view from `base` on of an op's tensor, which has these extents and whose
/// rows follow each other.
View rowsFrom(TileLowering &lowering, mlir::Value base, mlir::Operation *op,
              pl::TensorViewType type, mlir::ValueRange sizes);
/// The bytes of a contiguous view as i64, or -1 if they are too many.
mlir::Value denseBytes(TileLowering &lowering, const View &memory,
                       mlir::Location loc);
/// From here to the end of the block, loops may be over memory that is there
/// only if the condition holds.
void loopsNeed(TileLowering &lowering, mlir::Value isThere);
/// Spoils the memory of tensors that are read for the last time by the op, if
/// that is asked for.
void poisonAfter(TileLowering &lowering, mlir::Operation &op);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_MEMORY_TENSORMEMORY_H
