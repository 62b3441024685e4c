// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on tiles that no single call says, and the choice between all kinds of
// expressions.
#include "tegula/frontend/unparse/SourceExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace tegula;
using namespace mlir;
using pl::Dim;
using pl::getDims;

static Type elementOf(Value value) {
  return pl::getElementOrSelf(value.getType());
}

/// Any order of axes is one exchange of two after the other.
WrittenSource ExpressionWriter::transpose(pl::TransposeOp op) {
  std::string text =
      write(shownValue(op.getSource()), Wanted::Value, Strength::Any);
  SmallVector<int64_t> order(op.getPermutation());
  std::string calls;
  // From the last call to the first: what it leaves is what is left to do.
  for (int64_t axis = 0; axis < static_cast<int64_t>(order.size()); ++axis) {
    int64_t from = llvm::find(order, axis) - order.begin();
    if (from == axis)
      continue;
    std::swap(order[axis], order[from]);
    calls =
        ", " + std::to_string(axis) + ", " + std::to_string(from) + ")" + calls;
    text = "pl.transpose(" + text;
  }
  return {text + calls};
}

/// A broadcast that does not come about by itself: to the shape of a tile that
/// nobody reads.
WrittenSource ExpressionWriter::broadcast(pl::BroadcastOp op) {
  ArrayRef<Dim> dims = getDims(op.getSource().getType());
  bool isColumn = !dims.empty() && dims.back().isExactly(1);
  Type element = elementOf(op.getSource());
  return {std::string(isColumn ? "pl.row_expand(" : "pl.col_expand(") +
          "pl.full(" + list(op.getSizes()) + ", dtype=" + writeDtype(element) +
          ", value=0), " +
          write(shownValue(op.getSource()), Wanted::Tile, Strength::Any) + ")"};
}

std::optional<WrittenSource> ExpressionWriter::tileOp(Operation *op) {
  if (auto put = dyn_cast<pl::InsertOp>(op))
    return insert(put);
  if (auto transposed = dyn_cast<pl::TransposeOp>(op))
    return transpose(transposed);
  if (auto repeat = dyn_cast<pl::BroadcastOp>(op))
    return broadcast(repeat);
  if (auto shape = dyn_cast<pl::ReshapeOp>(op))
    if (std::optional<WrittenSource> text = droppingWindow(shape))
      return text;
  if (std::optional<std::string> text = call(op))
    return WrittenSource{*text};
  return std::nullopt;
}

/// True for the ops that the front end finds by their names.
static bool isPlainElementwise(Operation *op) {
  return isa<pl::ElementwiseOpInterface>(op) &&
         op->getName().getAttributeNames().empty();
}

/// `, target_memory=pl.Mem.Left`; nothing if no memory was asked for.
static std::string targetMemory(Operation *op) {
  auto space = op->getAttrOfType<pl::MemorySpaceAttr>(pl::spaceAttrName);
  if (!space)
    return "";
  auto name = [&]() -> StringRef {
    switch (space.getValue()) {
    case pl::MemorySpace::Global:
      return "DDR";
    case pl::MemorySpace::Scratchpad:
      return "Vec";
    case pl::MemorySpace::Matrix:
      return "Mat";
    case pl::MemorySpace::Left:
      return "Left";
    case pl::MemorySpace::Right:
      return "Right";
    case pl::MemorySpace::Accumulator:
      return "Acc";
    case pl::MemorySpace::Bias:
      return "Bias";
    case pl::MemorySpace::Scalar:
      return "ScalarLocal";
    case pl::MemorySpace::Shared:
    case pl::MemorySpace::Registers:
      break;
    }
    return "";
  }();
  return name.empty() ? "" : (", target_memory=pl.Mem." + name).str();
}

FailureOr<WrittenSource> ExpressionWriter::expression(Operation *op) {
  std::optional<WrittenSource> text;
  if (isa<arith::ArithDialect>(op->getDialect())) {
    text = arithmetic(op);
  } else if (isShortCircuit(op)) {
    text = shortCircuit(llvm::cast<scf::IfOp>(op));
  } else if (auto conversion = dyn_cast<pl::CastOp>(op)) {
    Value from = shownValue(conversion.getOperand());
    auto index = from.getDefiningOp<arith::IndexCastOp>();
    bool isDirect = index && index.getIn().getType().isIndex();
    text = cast(isDirect ? index.getIn() : from,
                elementOf(conversion.getResult()), conversion.getRounding());
  } else if (isa<pl::SliceOp, pl::WindowOp>(op)) {
    text = window(op);
  } else if (auto load = dyn_cast<pl::LoadOp>(op)) {
    text = WrittenSource{"pl.load(" +
                         write(load.getSource(), Wanted::Value, Strength::Any) +
                         targetMemory(op) + ")"};
  } else if (isa<pl::RelaxOp>(op)) {
    text = WrittenSource{
        "pl.move(" + write(op->getOperand(0), Wanted::Value, Strength::Any) +
        targetMemory(op) + ")"};
  } else if (auto read = dyn_cast<pl::ReadOp>(op)) {
    SmallVector<int64_t> drop;
    for (unsigned axis = 0; axis < read.getIndices().size(); ++axis)
      drop.push_back(axis);
    if (auto found = subscript(shownValue(read.getSource()), read.getIndices(),
                               read.getIndices(), drop))
      text = WrittenSource{*found};
  } else if (isa<pl::CmpOp>(op) || isPlainElementwise(op)) {
    text = elementwise(op);
  } else {
    text = tileOp(op);
  }
  if (text)
    return *text;
  return op->emitError("'")
         << op->getName() << "' cannot be written as kernel source";
}
