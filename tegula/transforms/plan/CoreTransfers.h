// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Machines whose matmuls and whose other ops run on cores of their own:
/// neither sees the memories of the other.

#ifndef TEGULA_TRANSFORMS_PLAN_CORETRANSFERS_H
#define TEGULA_TRANSFORMS_PLAN_CORETRANSFERS_H

#include "tegula/transforms/MachineModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Moves what matmuls make, before other ops read it, to the memory of values,
/// and what these make, before matmuls read it, to that of operands. So every
/// op but a move reads and writes memories of one side.
///
///   %p = pl.matmul %a, %b; %r = pl.exp %p
///     -> %p = pl.matmul %a, %b; %m = pl.relax %p {scratchpad}; %r = pl.exp %m
///
/// What is loaded is loaded where it is read, twice if both sides do. A matmul
/// that is added to what another op made is added by an op. A matmul that is
/// converted and stored, or multiplied again, is converted on its own side.
/// The function's spaces are settled.
void insertCoreTransfers(mlir::func::FuncOp function,
                         const MachineModel &machine);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_CORETRANSFERS_H
