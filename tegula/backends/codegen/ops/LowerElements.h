// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles that are computed element by element, where they are read or in memory
/// of their own.

#ifndef TEGULA_BACKENDS_CODEGEN_OPS_LOWERELEMENTS_H
#define TEGULA_BACKENDS_CODEGEN_OPS_LOWERELEMENTS_H

#include "mlir/IR/Operation.h"

namespace tegula {

class TileLowering;

/// Puts the tile that the op makes into its memory, if the plan gives it any.
void materialize(TileLowering &lowering, mlir::Operation &op);

/// Lowers an op that computes every element, or a scalar, on its own.
void lowerElementwise(TileLowering &lowering, mlir::Operation &op);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_OPS_LOWERELEMENTS_H
