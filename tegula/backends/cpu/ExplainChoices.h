// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What compiled code decides at the sizes of a call, as remarks.

#ifndef TEGULA_BACKENDS_CPU_EXPLAINCHOICES_H
#define TEGULA_BACKENDS_CPU_EXPLAINCHOICES_H

#include "tegula/backends/CallSizes.h"
#include "tegula/backends/cpu/CpuOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Emits a remark for each product of whole matrices in a module of tiles,
/// whose loops become such products. Of those in a loop it tells of the first
/// turn.
llvm::LogicalResult explainCpuChoices(mlir::ModuleOp module,
                                      const CpuOptions &options,
                                      const CallSizes &sizes);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_EXPLAINCHOICES_H
