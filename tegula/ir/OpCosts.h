// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an op costs, for whoever chooses by it. Elementwise ops say it in their
/// definitions; what they are built of in arith and math follows from that.
/// What a machine takes for anything else is in its MachineModel, and what a
/// routine takes is in Routines.h.

#ifndef TEGULA_IR_OPCOSTS_H
#define TEGULA_IR_OPCOSTS_H

#include "mlir/IR/Operation.h"

namespace tegula::pl {

/// About how many instructions `op` takes for one element, where an addition
/// takes one; 0 for what becomes no instruction. An op that is no elementwise
/// one and none of arith and math is one instruction.
int64_t getCost(mlir::Operation *op);

/// The same for an op on the elements of tiles; 0 for any other, which is done
/// once and not for each element.
int64_t getTileCost(mlir::Operation *op);

/// True if it takes several instructions: a function or a quotient. Many
/// machines have fewer or slower units for these.
inline bool isSpecial(mlir::Operation *op) { return getCost(op) > 1; }

} // namespace tegula::pl

#endif // TEGULA_IR_OPCOSTS_H
