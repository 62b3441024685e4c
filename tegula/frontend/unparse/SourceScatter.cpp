// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters to memory as source.
#include "tegula/frontend/unparse/SourceExpressions.h"
#include "tegula/ir/ValueNames.h"

using namespace tegula;
using namespace mlir;

/// The list that the index of a scatter of rows is made of: one number for each
/// row, repeated along the other axes. Null if it is made in another way.
static Value rowList(pl::ScatterStoreOp op) {
  auto unnamed = [](Value value) { return nameOfValue(value).empty(); };
  auto repeat = op.getIndex().getDefiningOp<pl::BroadcastOp>();
  if (op.getAxis() != 0 || !repeat || !unnamed(repeat))
    return {};
  Value column = shownValue(repeat.getSource());
  auto shape = column.getDefiningOp<pl::ReshapeOp>();
  if (!shape || !unnamed(shape) ||
      pl::getDims(shape.getSource().getType()).size() != 1)
    return {};
  return shownValue(shape.getSource());
}

std::string ExpressionWriter::scatterStore(pl::ScatterStoreOp op) {
  auto tile = [&](Value value) {
    return write(shownValue(value), Wanted::Tile, Strength::Any);
  };
  Value rows = style == SourceStyle::Short ? rowList(op) : Value();
  std::string text = "pl.mscatter(" + tile(op.getSource());
  text += ", " + tile(rows ? rows : op.getIndex());
  text += ", " + write(op.getTarget(), Wanted::Value, Strength::Any);
  if (rows)
    text += ", coalesce=\"row\"";
  else if (std::optional<int64_t> axis = op.getAxis())
    text += ", dim=" + std::to_string(*axis);
  return text + (op.getAdd() ? ", atomic=pl.AtomicType.Add)" : ")");
}
