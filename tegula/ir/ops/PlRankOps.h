// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ops of programs over ranks: who runs them, windows, signals, dispatches.

#ifndef TEGULA_IR_OPS_PLRANKOPS_H
#define TEGULA_IR_OPS_PLRANKOPS_H

#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRankEnums.h.inc"

namespace tegula::pl {

/// On a pl.create_tensor: all ranks see one memory.
inline constexpr llvm::StringLiteral sharedAttrName = "pl.shared";

/// On an argument of a function: it is a window.
inline constexpr llvm::StringLiteral windowAttrName = "pl.window";

/// So many ranks there are at most.
inline constexpr int64_t maxRanks = int64_t(1) << 20;

/// True if the tensor is a window: memory that each rank has one of.
bool isWindow(mlir::Value tensor);

class CallbackOp;
/// What is said when it could not be run.
std::string describeFailure(CallbackOp callback);

} // namespace tegula::pl

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlRankOps.h.inc"

#endif // TEGULA_IR_OPS_PLRANKOPS_H
