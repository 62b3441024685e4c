// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The passes of the CPU back end. What each does is in Passes.td.

#ifndef TEGULA_BACKENDS_CPU_PASSES_H
#define TEGULA_BACKENDS_CPU_PASSES_H

#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/transforms/MachineModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tegula {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tegula/backends/cpu/Passes.h.inc"

/// CpuLowerTiles with all options, for a plan with the memories of any machine.
std::unique_ptr<mlir::Pass> createCpuLowerTilesFor(const MachineModel &machine,
                                                   const CpuOptions &options);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_PASSES_H
