// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tensors that a view may be a part of, where the run decides which.

#ifndef TEGULA_FRONTEND_EMIT_TENSORROOTS_H
#define TEGULA_FRONTEND_EMIT_TENSORROOTS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tegula {

/// The parameters and allocations behind a view: all that branches and loops
/// may choose, as far as they are generated. What a called function gives back
/// is not among them.
llvm::SmallVector<mlir::Value> rootsOf(mlir::Value tensor);

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_TENSORROOTS_H
