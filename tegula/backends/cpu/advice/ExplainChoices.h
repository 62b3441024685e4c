// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What compiled code decides at the sizes of a call, and what could be changed
/// about the kernel, as remarks.

#ifndef TEGULA_BACKENDS_CPU_ADVICE_EXPLAINCHOICES_H
#define TEGULA_BACKENDS_CPU_ADVICE_EXPLAINCHOICES_H

#include "tegula/backends/CallSizes.h"
#include "tegula/backends/cpu/CpuOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Emits a remark for each matmul of whole matrices in a module of tiles,
/// whose loops become such matmuls, and those of advice/Advice.h. Of what is
/// in a loop they tell of the first iteration.
llvm::LogicalResult explainCpuChoices(mlir::ModuleOp module,
                                      const CpuOptions &options,
                                      const CallSizes &sizes);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_ADVICE_EXPLAINCHOICES_H
