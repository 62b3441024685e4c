// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies of elements between views of one shape by routines of the runtime,
/// and tiles as memory that an op can read.

#ifndef TEGULA_BACKENDS_CODEGEN_MEMORY_TILECOPIES_H
#define TEGULA_BACKENDS_CODEGEN_MEMORY_TILECOPIES_H

#include "tegula/backends/codegen/memory/View.h"

#include "mlir/IR/Value.h"

namespace tegula {

class TileLowering;

/// Copies elements; `room` is what roomForCopy gave.
void copyStrided(TileLowering &lowering, llvm::StringRef routine,
                 const View &target, const View &origin, mlir::Value room,
                 mlir::Location loc);
/// Scratch memory for what describes a copy; null where none is needed.
mlir::Value roomForCopy(TileLowering &lowering, int64_t rank,
                        mlir::Location loc);
/// The tile an operand is as memory; computed now if it has none.
View addressable(TileLowering &lowering, mlir::OpOperand &operand,
                 mlir::Location loc);
/// The same elements with unit inner stride, checked and copied at run time
/// where it is not known. No extent exceeds its bound.
View withUnitInnerStride(TileLowering &lowering, const View &view,
                         llvm::ArrayRef<int64_t> bounds, mlir::Location loc);
/// Computes the elements of a tile into memory, or moves them there.
void storeInto(TileLowering &lowering, mlir::Value value, const View &target,
               mlir::Location loc);
/// The memory of a tile that is columns of another one as rows, where they
/// lie.
std::optional<View> findTransposed(TileLowering &lowering, mlir::Value value);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_MEMORY_TILECOPIES_H
