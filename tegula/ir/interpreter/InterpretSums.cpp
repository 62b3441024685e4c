// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.reduce on data. Floats are summed in double and rounded once; integers
// wrap.

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/semantics/Reduction.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

LogicalResult ReduceOp::interpret(Frame &frame) {
  const Tile &source = frame.getTile(getSource());
  DType dtype = source.dtype;
  SmallVector<int64_t, 4> extents(source.extents);
  extents[getAxis()] = 1;
  FailureOr<Tile> tile = frame.makeTile(*this, dtype, extents);
  if (failed(tile))
    return failure();
  llvm::fill(tile->elements, getIdentity(getReduction(), dtype).getSlot());
  Strided<Slot> totals{tile->elements.data(), rowMajorStrides(extents)};
  totals.strides[getAxis()] = 0;
  const Slot *next = source.elements.data();
  Combination combine = getCombination(getReduction(), dtype);
  forEachRow(source.extents, [&](ArrayRef<int64_t> index, int64_t length) {
    auto [total, stride] = totals.row(index);
    for (int64_t column = 0; column < length; ++column, ++next)
      total[column * stride] = combine(total[column * stride], *next);
  });
  for (Slot &slot : tile->elements)
    slot = (isFloat(dtype) ? Scalar::ofReal(dtype, slot.real)
                           : Scalar::ofInteger(dtype, slot.integer))
               .getSlot();
  return frame.set(getResult(), std::move(*tile));
}
