// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a kernel prints and asserts while it runs, as calls of routines.

#ifndef TEGULA_BACKENDS_CODEGEN_OPS_LOWERPRINTS_H
#define TEGULA_BACKENDS_CODEGEN_OPS_LOWERPRINTS_H

#include "tegula/ir/ops/PlRequireOps.h"

namespace tegula {

class TileLowering;

/// A record (PrintAbi.h) in scratch memory, and the call that prints it.
void lowerPrint(TileLowering &lowering, pl::PrintOp op);
/// A branch that reports that the condition does not hold.
void lowerAssert(TileLowering &lowering, pl::AssertOp op);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_OPS_LOWERPRINTS_H
