// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From tile programs to linalg on memory, for any target.

#ifndef TEGULA_BACKENDS_CODEGEN_LOWERTILES_H
#define TEGULA_BACKENDS_CODEGEN_LOWERTILES_H

#include "tegula/transforms/MachineModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tegula {

class LoweringTarget;
class LoweringHooks;

/// On the module: the texts of the locations that can report errors.
inline constexpr llvm::StringLiteral sitesAttrName = "tegula.sites";

/// True for functions that are called from outside: the others are parts of
/// them by now.
bool isKernel(mlir::func::FuncOp function);

/// Lowers every kernel of the module, as planned for the machine, and removes
/// other functions. The recorder, if there is one, hears of every step.
mlir::LogicalResult lowerTiles(mlir::ModuleOp module,
                               const LoweringTarget &target,
                               const MachineModel &machine,
                               LoweringHooks *recorder = nullptr);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_LOWERTILES_H
