// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementwise ops on data: one loop for all of them.

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

static LogicalResult interpretScalars(ElementwiseOpInterface op, Frame &frame) {
  SmallVector<Scalar, 3> scalars;
  for (Value operand : op->getOperands())
    scalars.push_back(frame.getScalar(operand));
  return frame.set(op->getResult(0), op.evaluate(scalars));
}

LogicalResult tegula::pl::detail::interpretElementwise(Operation *operation,
                                                       Frame &frame) {
  auto op = cast<ElementwiseOpInterface>(operation);
  auto type = dyn_cast<TileType>(op->getResult(0).getType());
  if (!type)
    return interpretScalars(op, frame);
  SmallVector<const Tile *, 3> tiles;
  for (Value operand : op->getOperands())
    tiles.push_back(&frame.getTile(operand));
  SmallVector<int64_t, 4> extents(tiles.front()->extents);
  for (const Tile *tile : tiles)
    for (auto [least, extent] : llvm::zip_equal(extents, tile->extents))
      least = std::min(least, extent);
  FailureOr<Tile> result =
      frame.makeTile(op, *getDType(type.getElementType()), extents);
  if (failed(result))
    return failure();
  SmallVector<Scalar, 3> scalars(tiles.size());
  auto out = result->elements.begin();
  forEachRow(extents, [&](ArrayRef<int64_t> row, int64_t length) {
    SmallVector<const Slot *, 3> rows;
    for (const Tile *tile : tiles)
      rows.push_back(tile->elements.data() + flatIndex(*tile, row));
    for (int64_t column = 0; column < length; ++column) {
      for (auto [scalar, tile, slots] : llvm::zip_equal(scalars, tiles, rows))
        scalar = Scalar(tile->dtype, slots[column]);
      *out++ = op.evaluate(scalars).getSlot();
    }
  });
  return frame.set(op->getResult(0), std::move(*result));
}
