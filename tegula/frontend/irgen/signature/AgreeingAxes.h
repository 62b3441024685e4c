// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which open axes of an entry must be as long as one that is dynamic, because
/// an operation of the program needs it. Axes that only happen to be as long in
/// one call are no such axes.

#ifndef TEGULA_FRONTEND_IRGEN_SIGNATURE_AGREEINGAXES_H
#define TEGULA_FRONTEND_IRGEN_SIGNATURE_AGREEINGAXES_H

#include "tegula/frontend/irgen/ModuleGenerator.h"

namespace tegula {

/// What an entry is generated for.
struct EntryCall {
  llvm::ArrayRef<ArgumentSpec> specs;
  llvm::ArrayRef<Fixed> fixed;
  MachineParts parts;
};

/// Adds the open axes to `symbols`, each with the symbol that it must agree
/// with. An axis that would broadcast if it were 1 is marked, and not added if
/// it is 1 in this call.
void addAgreeingAxes(mlir::MLIRContext &context, const KernelFunction &entry,
                     EntryCall call, std::vector<AxisSymbol> &symbols);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SIGNATURE_AGREEINGAXES_H
