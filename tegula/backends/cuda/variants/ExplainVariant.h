// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which variant a kernel has on a GPU, as a remark.

#ifndef TEGULA_BACKENDS_CUDA_VARIANTS_EXPLAINVARIANT_H
#define TEGULA_BACKENDS_CUDA_VARIANTS_EXPLAINVARIANT_H

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

struct CudaBlocks;

/// What chips of the target have.
struct VariantChips {
  /// Whether one of them multiplies on tensor cores as tuned code does.
  bool hasMatmuls = false;
  /// Whether one of them multiplies in tiles.
  bool hasTiles = false;
  /// What they are called: "sm_80".
  std::string names;
};

/// Emits a remark at the kernel of a module at stage inferred, and one where it
/// has what prevents a faster variant, as passes note it on the way to stage
/// layouts. Takes the module there.
llvm::LogicalResult explainVariant(mlir::ModuleOp module,
                                   const VariantChips &chips,
                                   const CudaBlocks &blocks);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_VARIANTS_EXPLAINVARIANT_H
