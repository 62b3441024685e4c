// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Accumulators that start at zero: the first matmul of the loop could as well
/// overwrite them.

#ifndef TEGULA_BACKENDS_CODEGEN_OPS_ZEROACCUMULATOR_H
#define TEGULA_BACKENDS_CODEGEN_OPS_ZEROACCUMULATOR_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// The loop that carries the tile, if it is zero before the first iteration and
/// only a matmul adds to it; null otherwise.
mlir::scf::ForOp findZeroAccumulatorLoop(mlir::Value carried);

/// True if the tile is what such loops start from, and nothing else.
bool startsZeroAccumulators(mlir::Value tile);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_OPS_ZEROACCUMULATOR_H
