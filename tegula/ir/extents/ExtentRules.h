// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The extent rules of ops whose result type is inferred, for the inference:
/// there is no op then, only what it will be made of. All rules are in
/// ExtentRules.cpp.

#ifndef TEGULA_IR_EXTENTS_EXTENTRULES_H
#define TEGULA_IR_EXTENTS_EXTENTRULES_H

#include "tegula/ir/ops/PlIndexOps.h"
#include "tegula/ir/ops/PlOps.h"

namespace tegula::pl {

/// The operands of a matmul and how they are read.
struct MatmulOperands {
  mlir::Value lhs, rhs, acc;
  bool transposeLhs, transposeRhs;
};

ExtentRule ruleOf(const MatmulOperands &matmul, unsigned axis);
ExtentRule ruleOf(LoadOpAdaptor op, unsigned axis);
ExtentRule ruleOf(ReduceOpAdaptor op, unsigned axis);
ExtentRule ruleOf(TransposeOpAdaptor op, unsigned axis);
ExtentRule ruleOf(ConcatOpAdaptor op, unsigned axis);
ExtentRule ruleOf(FillPadOpAdaptor op, unsigned axis);
ExtentRule ruleOf(GatherOpAdaptor op, unsigned axis);
ExtentRule ruleOf(FindOpAdaptor op, unsigned axis);

/// The dims that the rule gives for each of `rank` axes; fails, with an error
/// at `loc` if there is one, where tiles meet that differ.
template <typename Op>
llvm::LogicalResult inferDims(std::optional<mlir::Location> loc, const Op &op,
                              unsigned rank, Dims &dims) {
  for (unsigned axis = 0; axis < rank; ++axis) {
    std::optional<Dim> dim = ruleOf(op, axis).getDim(loc, axis);
    if (!dim)
      return llvm::failure();
    dims.push_back(*dim);
  }
  return llvm::success();
}

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_EXTENTRULES_H
