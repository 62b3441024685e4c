// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a kernel gets its parameters.

#ifndef TEGULA_BACKENDS_CODEGEN_KERNELENTRY_H
#define TEGULA_BACKENDS_CODEGEN_KERNELENTRY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

class TileLowering;

/// Gives the arguments of `source` their lowered forms, from the slots of the
/// call.
void lowerArguments(TileLowering &lowering, mlir::func::FuncOp source,
                    mlir::Value slots);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_KERNELENTRY_H
