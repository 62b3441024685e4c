// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From a kernel function, wherever it comes from, to what it declares and to
/// its module.

#ifndef TEGULA_FRONTEND_IRGEN_GENERATEKERNEL_H
#define TEGULA_FRONTEND_IRGEN_GENERATEKERNEL_H

#include "tegula/frontend/Frontend.h"
#include "tegula/frontend/constants/module/KernelFunction.h"
#include "tegula/frontend/diagnostics/Reporter.h"

namespace tegula {

/// Adds the parameters of `function` to `kernel`, and what it returns on a
/// machine of these `parts`; false if there are mistakes.
bool describeKernel(const KernelFunction &function, const MachineParts &parts,
                    Reporter &reporter, KernelSignature &kernel);

/// The module of `function`, the entry, called with `specs` on a machine of
/// these `parts`; null if there are mistakes. Numbers are fixed only where the
/// program needs them as constants, and with `isDynamic` so are the axes of
/// open parameters.
mlir::OwningOpRef<mlir::ModuleOp>
generateKernel(mlir::MLIRContext &context, const KernelFunction &function,
               llvm::ArrayRef<ArgumentSpec> specs, const MachineParts &parts,
               Reporter &reporter, bool isDynamic = false);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_GENERATEKERNEL_H
