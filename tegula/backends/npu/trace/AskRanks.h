// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of the routines of RanksAbi.h become questions to whoever listens.

#ifndef TEGULA_BACKENDS_NPU_TRACE_ASKRANKS_H
#define TEGULA_BACKENDS_NPU_TRACE_ASKRANKS_H

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Of a module whose steps have no code any more. What the routines read of
/// scratch memory gets memory of the functions' own.
void askRanks(mlir::ModuleOp module);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_ASKRANKS_H
