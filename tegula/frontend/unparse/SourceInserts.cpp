// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles with a part replaced, as source. An index into a tile is checked at run
// time, which the source says by the axes it leaves out.
#include "tegula/frontend/unparse/SourceExpressions.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/ops/PlRequireOps.h"

using namespace tegula;
using namespace mlir;

/// The part of the target that is replaced, as long as something asks for its
/// extents; null if nothing does.
static pl::WindowOp replacedPart(pl::InsertOp op) {
  for (Operation *user : op.getTarget().getUsers())
    if (auto window = dyn_cast<pl::WindowOp>(user))
      if (window.getSource() == op.getTarget() &&
          llvm::equal(window.getOffsets(), op.getOffsets()))
        return window;
  return {};
}

/// "[1, n]", the sizes of a part that is one element long along the axes in
/// `drop`.
static std::string writeSizes(ValueRange sizes, ArrayRef<int64_t> drop,
                              llvm::function_ref<std::string(Value)> write) {
  std::string text;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    bool isOne = llvm::is_contained(drop, static_cast<int64_t>(axis));
    text += (axis ? ", " : "") + (isOne ? "1" : write(size));
  }
  return "[" + text + "]";
}

/// `pl.assemble(t, x, [i, 0], shapes=[1, n], drop_dims=[0])`, which is
/// `t[i, 0:n] = x`: a number or a single row is put everywhere.
WrittenSource ExpressionWriter::insertAt(pl::InsertOp op,
                                         ArrayRef<Value> offsets,
                                         ArrayRef<int64_t> drop) {
  Value source = shownValue(op.getSource());
  bool isNamed = !isa<BlockArgument>(source) && !nameOfValue(source).empty();
  auto full = isNamed ? nullptr : source.getDefiningOp<pl::FullOp>();
  auto repeat = isNamed ? nullptr : source.getDefiningOp<pl::BroadcastOp>();
  pl::WindowOp part = replacedPart(op);
  ValueRange sizes;
  if (part)
    sizes = part.getSizes();
  else if (full)
    sizes = full.getSizes();
  else if (repeat)
    sizes = repeat.getSizes();
  if (full)
    source = full.getValue();
  else if (repeat)
    source = shownValue(repeat.getSource());
  std::string text = "pl.assemble(" + write(shownValue(op.getTarget()),
                                            Wanted::Value, Strength::Any);
  text += ", " + write(source, Wanted::Tile, Strength::Any);
  text += ", " + list(offsets);
  if (!sizes.empty())
    text += ", shapes=" + writeSizes(sizes, drop, [&](Value size) {
              return write(size, Wanted::Scalar, Strength::Any);
            });
  text += ", drop_dims=[";
  for (auto [position, axis] : llvm::enumerate(drop))
    text += (position ? ", " : "") + std::to_string(axis);
  return {text + "])"};
}

WrittenSource ExpressionWriter::insert(pl::InsertOp op) {
  SmallVector<Value> offsets;
  SmallVector<int64_t> drop;
  for (auto [axis, offset] : llvm::enumerate(op.getOffsets())) {
    auto check = offset.getDefiningOp<pl::CheckIndexOp>();
    offsets.push_back(check ? check.getIndex() : offset);
    if (check)
      drop.push_back(axis);
  }
  if (!drop.empty())
    return insertAt(op, offsets, drop);
  std::string text = "pl.assemble(" + write(shownValue(op.getTarget()),
                                            Wanted::Value, Strength::Any);
  text += ", " + write(shownValue(op.getSource()), Wanted::Tile, Strength::Any);
  return {text + ", " + list(offsets) + ")"};
}
