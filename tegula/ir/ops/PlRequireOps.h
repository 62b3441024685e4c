// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// pl.require: what must hold for a call to be right. The guard of the call
/// checks it, and the compiler uses it.

#ifndef TEGULA_IR_OPS_PLREQUIREOPS_H
#define TEGULA_IR_OPS_PLREQUIREOPS_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula::pl {

/// Who asks for a requirement.
inline constexpr llvm::StringLiteral assumedOrigin = "assumed";
inline constexpr llvm::StringLiteral declaredOrigin = "declared";
inline constexpr llvm::StringLiteral derivedOrigin = "derived";

/// The state in which a call reports errors: no memory of the program.
struct CallStateResource
    : mlir::SideEffects::Resource::Base<CallStateResource> {
  llvm::StringRef getName() final { return "<CallState>"; }
};

/// What a program prints to: no memory of it.
struct ConsoleResource : mlir::SideEffects::Resource::Base<ConsoleResource> {
  llvm::StringRef getName() final { return "<Console>"; }
};

} // namespace tegula::pl

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlRequireOps.h.inc"

namespace tegula::pl {

/// True if the guard of the call checks the requirement, or will once it is
/// moved to the top: it stands in an entry, no branch decides about it, and it
/// depends on nothing but what the call brings. Nor do the loops around it: if
/// one of them makes no iteration, nothing is required. Only such requirements
/// are facts: compiled code goes on after a check at run time.
bool isCheckedAtCall(RequireOp op);

/// True if nothing but loops and places in the machine is around the op.
bool isUnconditional(mlir::Operation *op);

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_PLREQUIREOPS_H
