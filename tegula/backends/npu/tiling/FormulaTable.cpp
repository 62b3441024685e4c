// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/tiling/FormulaTable.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tegula;

int64_t FormulaTable::add(npu::VectorOp region) {
  Builder builder(region.getContext());
  SmallVector<Attribute> parts = {region.getNameAttr()};
  for (int64_t number :
       {region.getOps(), region.getSpecials(), region.getRowCycles(),
        region.getFillCycles(), region.getIterationElements(),
        region.getIterationCycles()})
    parts.push_back(builder.getI64IntegerAttr(number));
  Attribute formula = builder.getArrayAttr(parts);
  auto *known = llvm::find(formulas, formula);
  if (known == formulas.end()) {
    formulas.push_back(formula);
    return formulas.size() - 1;
  }
  return known - formulas.begin();
}

ArrayAttr FormulaTable::getAttr(MLIRContext *context) const {
  return ArrayAttr::get(context, formulas);
}
