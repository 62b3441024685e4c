// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/rows/NarrowWords.h"
#include "tegula/backends/cuda/rows/RelaxFloats.h"
#include "tegula/backends/cuda/rows/RowQuotients.h"
#include "tegula/backends/cuda/rows/RowValues.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

/// Whether elements are divided by the same, which is not known before.
bool RowArithmetic::isShared(Value first, Value second) const {
  return first == second && first.getType().isF32() && !state.isHurried &&
         !matchPattern(first, m_Constant());
}

SmallVector<Value> RowArithmetic::operandsAt(Operation *op, size_t i) {
  return llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return values.elementOf(operand, i);
  });
}

void RowArithmetic::emitElements(Operation *op) {
  auto elementwise = cast<pl::ElementwiseOpInterface>(op);
  size_t count = 1;
  for (Value operand : op->getOperands())
    count = std::max(count,
                     values.elements.lookup(program.resolve(operand)).size());
  SmallVector<Value> results;
  if (isa<pl::DivOp>(op) && count > 1 &&
      isShared(operandsAt(op, 0)[1], operandsAt(op, 1)[1])) {
    for (size_t i = 0; i < count; ++i)
      results.push_back(operandsAt(op, i)[0]);
    results = quotients.emitQuotients(results, operandsAt(op, 0)[1]);
  } else {
    bool isQuotient = isa<pl::DivOp>(op) && state.isHurried && state.isNarrow;
    for (size_t i = 0; i < count;) {
      SmallVector<Value> pair;
      if (isQuotient && i + 1 < count)
        pair = quotients.emitTwoSilu(operandsAt(op, i), operandsAt(op, i + 1));
      if (pair.empty())
        pair = {emitElement(elementwise, operandsAt(op, i))};
      llvm::append_range(results, pair);
      i += pair.size();
    }
  }
  values.elements[op->getResult(0)] = std::move(results);
}

Value RowArithmetic::emitElement(pl::ElementwiseOpInterface op,
                                 ArrayRef<Value> operands) {
  if (isa<pl::CastOp>(op.getOperation()) &&
      operands.front().getType().isBF16() &&
      signlessType(pl::getElementOrSelf(op->getResult(0).getType())).isF32())
    if (Value wide = words.widen(operands.front()))
      return wide;
  if (state.isHurried && isa<pl::DivOp>(op.getOperation()))
    if (Value quick = quotients.emitByOnePlusExp(operands[0], operands[1]))
      return quick;
  Block *block = builder.getBlock();
  Block::iterator end = builder.getInsertionPoint();
  bool isFirst = end == block->begin();
  Block::iterator before = isFirst ? end : std::prev(end);
  Value made = op.buildScalar(builder, operands);
  // An exact division branches, and then those of a thread wait for each other.
  if (auto quotient = made.getDefiningOp<arith::DivFOp>();
      quotient && state.isHurried && isa<pl::DivOp>(op.getOperation()) &&
      quotient.getType().isF32())
    quotient.setFastmath(arith::FastMathFlags::afn);
  for (Operation &added :
       llvm::make_range(isFirst ? block->begin() : std::next(before), end))
    relaxFloats(state, &added);
  return made;
}

void RowArithmetic::emitNumber(Operation *op) {
  auto elementwise = dyn_cast<pl::ElementwiseOpInterface>(op);
  if (!elementwise) {
    builder.clone(*op, values.numbers);
    return;
  }
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) {
        return values.numbers.lookup(operand);
      });
  values.numbers.map(op->getResult(0), emitElement(elementwise, operands));
}
