// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/rows/RowExtents.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

RowExtent RowExtent::of(Value tensor, unsigned axis) {
  pl::Dim dim = pl::getDims(tensor.getType())[axis];
  if (dim.isExact())
    return {Value(), dim.getBound()};
  for (Operation *user : tensor.getUsers())
    if (auto bind = dyn_cast<pl::BindOp>(user))
      for (auto [known, at] : llvm::zip(bind.getTensors(), bind.getAxes()))
        if (known == tensor && at == static_cast<int64_t>(axis))
          return {bind.getExtent(), std::nullopt};
  return {};
}

RowExtent RowExtent::of(Value number) {
  IntegerAttr constant;
  if (matchPattern(number, m_Constant(&constant)))
    return {Value(), constant.getInt()};
  return {number, std::nullopt};
}

bool tegula::isZero(Value number) { return matchPattern(number, m_Zero()); }

bool tegula::isUncut(Value offset, Value size, Value tensor, unsigned axis) {
  return isZero(offset) && RowExtent::of(size) == RowExtent::of(tensor, axis);
}

bool tegula::isOne(Value shaped, unsigned axis) {
  pl::Dim dim = pl::getDims(shaped.getType())[axis];
  return dim.isExact() && dim.getBound() == 1;
}
