// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The target-independent passes. Each is described in Passes.td.

#ifndef TEGULA_TRANSFORMS_PASSES_H
#define TEGULA_TRANSFORMS_PASSES_H

#include "tegula/transforms/MachineModel.h"

#include "mlir/Pass/Pass.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace tegula {

/// FitTiles for a machine.
std::unique_ptr<mlir::Pass> createFitTiles(const MachineModel &machine);

#define GEN_PASS_DECL
#include "tegula/transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tegula/transforms/Passes.h.inc"

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PASSES_H
