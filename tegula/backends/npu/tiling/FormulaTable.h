// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The formulas of a kernel's vector regions. Regions that cost the same have
/// one.

#ifndef TEGULA_BACKENDS_NPU_TILING_FORMULATABLE_H
#define TEGULA_BACKENDS_NPU_TILING_FORMULATABLE_H

#include "tegula/backends/npu/NpuDialect.h"

namespace tegula {

/// Formulas as attributes, in order.
class FormulaTable {
public:
  /// The number of what the region costs.
  int64_t add(npu::VectorOp region);

  /// On the module: what add gave numbers to, each as an array of a name and
  /// six numbers, in the order of TegulaTraceFormula.
  static constexpr llvm::StringLiteral attrName = "npu.formulas";
  mlir::ArrayAttr getAttr(mlir::MLIRContext *context) const;

private:
  llvm::SmallVector<mlir::Attribute> formulas;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TILING_FORMULATABLE_H
