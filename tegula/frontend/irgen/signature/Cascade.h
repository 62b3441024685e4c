// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which axes of an entry, left open by its annotations, are dynamic because a
/// function it calls declares them so, through any number of calls.

#ifndef TEGULA_FRONTEND_IRGEN_SIGNATURE_CASCADE_H
#define TEGULA_FRONTEND_IRGEN_SIGNATURE_CASCADE_H

#include "tegula/frontend/irgen/ModuleGenerator.h"

namespace tegula {

/// The symbols of open axes of `entry` when it is called with `specs`. Axes
/// that must have one extent have one symbol.
std::vector<AxisSymbol> cascadeSymbols(mlir::MLIRContext &context,
                                       const KernelFunction &entry,
                                       llvm::ArrayRef<ArgumentSpec> specs,
                                       const MachineParts &parts);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SIGNATURE_CASCADE_H
