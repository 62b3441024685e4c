// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The target-independent passes. Each is described in Passes.td.

#ifndef TEGULA_TRANSFORMS_PASSES_H
#define TEGULA_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace tegula {

#define GEN_PASS_DECL
#include "tegula/transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tegula/transforms/Passes.h.inc"

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PASSES_H
