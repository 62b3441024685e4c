// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/loops/VectorBody.h"
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/ops/semantics/Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tegula;

std::optional<Combiner> Combiner::of(linalg::GenericOp op) {
  Value before = op.getRegionOutputArgs().front();
  Operation *last =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!last || !before.hasOneUse() ||
      !llvm::is_contained(last->getOperands(), before))
    return std::nullopt;
  std::optional<vector::CombiningKind> kind = linalg::getCombinerOpKind(last);
  std::optional<pl::Scalar> neutral = pl::findNeutral(last);
  if (!kind || !neutral)
    return std::nullopt;
  return Combiner{last, *kind, pl::toAttribute(*neutral, before.getType()),
                  last->getOperand(0) == before ? 1u : 0u};
}

/// Which of two zeros is the largest element is nobody's business, and a
/// product that is added may be rounded together with the sum.
static void relax(Operation *combination, Value element) {
  using Flags = arith::FastMathFlags;
  if (auto maximum = dyn_cast<arith::MaximumFOp>(combination))
    maximum.setFastmath(Flags::nsz);
  if (auto minimum = dyn_cast<arith::MinimumFOp>(combination))
    minimum.setFastmath(Flags::nsz);
  auto product = element.getDefiningOp<arith::MulFOp>();
  if (auto sum = dyn_cast<arith::AddFOp>(combination); sum && product) {
    sum.setFastmath(Flags::contract);
    product.setFastmath(Flags::contract);
  }
}

Value Combiner::apply(OpBuilder &builder, Value before, Value element) const {
  Operation *clone = op->clone();
  clone->setOperand(elementPosition, element);
  clone->setOperand(1 - elementPosition, before);
  clone->getResult(0).setType(before.getType());
  builder.insert(clone);
  relax(clone, element);
  return clone->getResult(0);
}

Value VectorBody::broadcast(Value value) {
  if (isa<VectorType>(value.getType()) || lanes == 1)
    return value;
  auto type = VectorType::get(lanes, value.getType());
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return arith::ConstantOp::create(
        builder, value.getLoc(),
        DenseElementsAttr::get(type, constant.getValue()));
  return vector::BroadcastOp::create(builder, op.getLoc(), type, value);
}

Value VectorBody::emitIndex(linalg::IndexOp index,
                            ArrayRef<Value> loopIndices) {
  Value start = loopIndices[index.getDim()];
  if (lanes == 1 || index.getDim() + 1 != loopIndices.size())
    return start;
  auto type = VectorType::get(lanes, builder.getIndexType());
  Value steps = vector::StepOp::create(builder, op.getLoc(), type);
  return arith::AddIOp::create(builder, op.getLoc(), broadcast(start), steps);
}

void VectorBody::emitOp(Operation &nested, IRMapping &mapping,
                        ArrayRef<Value> loopIndices) {
  if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
    mapping.map(index.getResult(), emitIndex(index, loopIndices));
    return;
  }
  SmallVector<Value> operands =
      llvm::map_to_vector(nested.getOperands(), [&](Value operand) {
        return mapping.lookupOrDefault(operand);
      });
  bool isVector = llvm::any_of(operands, [](Value operand) {
    return isa<VectorType>(operand.getType());
  });
  Operation *clone = nested.clone();
  for (auto [position, operand] : llvm::enumerate(operands))
    clone->setOperand(position, isVector ? broadcast(operand) : operand);
  if (isVector)
    for (Value result : clone->getResults())
      result.setType(VectorType::get(lanes, result.getType()));
  builder.insert(clone);
  mapping.map(nested.getResults(), clone->getResults());
}

Value VectorBody::emit(ValueRange arguments, ArrayRef<Value> loopIndices,
                       Value wanted) {
  IRMapping mapping;
  for (auto [from, to] : llvm::zip(op.getBody()->getArguments(), arguments))
    if (to)
      mapping.map(from, to);
  // A reduction asks for its element only; the combiner is emitted elsewhere.
  Operation *last = wanted.getDefiningOp();
  if (last && last->getBlock() == op.getBody())
    for (Operation &nested : op.getBody()->without_terminator()) {
      emitOp(nested, mapping, loopIndices);
      if (&nested == last)
        break;
    }
  return mapping.lookupOrDefault(wanted);
}
