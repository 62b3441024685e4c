// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The epilogue of a matmul on one tile of it.

#ifndef TEGULA_TRANSFORMS_MATMUL_EPILOGUETILE_H
#define TEGULA_TRANSFORMS_MATMUL_EPILOGUETILE_H

#include "tegula/ir/ops/PlMatmulOps.h"

namespace tegula {

/// Emits what is stored for a tile: `tiles` are that of the accumulator, and
/// those of the epilogue operands in their order. What repeats along an axis is
/// computed before it is repeated.
mlir::Value emitEpilogueTile(mlir::OpBuilder &builder, pl::MatmulIntoOp matmul,
                             llvm::ArrayRef<mlir::Value> tiles);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_EPILOGUETILE_H
