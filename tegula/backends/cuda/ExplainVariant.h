// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which variant a kernel has on a GPU, as a remark.

#ifndef TEGULA_BACKENDS_CUDA_EXPLAINVARIANT_H
#define TEGULA_BACKENDS_CUDA_EXPLAINVARIANT_H

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// What chips of the target have.
struct VariantChips {
  /// Whether one of them multiplies on tensor cores as tuned code does.
  bool hasMatmuls = false;
  /// Whether one of them multiplies in tiles.
  bool hasTiles = false;
  /// Whether loops without a tuned variant keep their tiles in registers.
  bool keepsTiles = false;
  /// What they are called: "sm_80".
  std::string names;
};

/// Emits a remark at the kernel of a module that FindRows would get, and one
/// where it has what prevents a faster variant.
llvm::LogicalResult explainVariant(mlir::ModuleOp module,
                                   const VariantChips &chips);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_EXPLAINVARIANT_H
