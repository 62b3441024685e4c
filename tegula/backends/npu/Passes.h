// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The passes of the NPU back end. What each does is in Passes.td.

#ifndef TEGULA_BACKENDS_NPU_PASSES_H
#define TEGULA_BACKENDS_NPU_PASSES_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/transforms/MachineModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tegula {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tegula/backends/npu/Passes.h.inc"

/// Cuts whole-array expressions of each kernel to every one of `tilings`, as
/// functions `kernel.0`, `kernel.1`, ... that differ. Those are what the road
/// goes on with. The first `limit` passes of the tile pipeline run.
std::unique_ptr<mlir::Pass> createNpuCutTilings(const MachineModel &model,
                                                std::vector<TileSizes> tilings,
                                                size_t limit);

/// Plans the tiles of each kernel for the machine's memories, and turns what is
/// done with them into steps. Needs a machine, so drivers do not know it by
/// name.
std::unique_ptr<mlir::Pass> createNpuLowerTiles(const sim::Machine &machine,
                                                const MachineModel &model);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_PASSES_H
