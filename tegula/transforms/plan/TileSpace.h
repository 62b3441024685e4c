// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which memory of a machine a tile is to lie in: the one its author asked for,
/// or the one that is made for what it is.

#ifndef TEGULA_TRANSFORMS_PLAN_TILESPACE_H
#define TEGULA_TRANSFORMS_PLAN_TILESPACE_H

#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/MachineModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// True for an op that only names elements of its operand and has no memory of
/// its own for them.
bool isNameOfElements(mlir::Operation *op);

/// The space of a tile in a function whose spaces are settled.
pl::MemorySpace getSpace(mlir::Value tile, const MachineModel &machine);

/// Leaves `pl.space` only where it says something to this machine: where it is
/// a memory that the machine has and the tile would not lie in anyway, and not
/// on tiles of one number, which need no memory. A window or a transposed tile
/// in another memory becomes a move to it, and a move to where the tile is
/// already goes away.
void settleSpaces(mlir::func::FuncOp function, const MachineModel &machine);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_TILESPACE_H
