// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/ElementAccess.h"

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cpu/vectorize/NestOperands.h"
#include "tegula/backends/cpu/vectorize/StridedStaging.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tegula;

void ElementAccess::begin() {
  uniform.assign(op->getNumOperands(), Value());
  rowOf.assign(op->getNumOperands(), {});
}

void ElementAccess::beginRow(ArrayRef<RowPointer> rows) {
  begin();
  preloadUniform();
  for (const RowPointer &row : rows)
    rowOf[row.operand->getOperandNumber()] = {memoryOf(row), prefetchedOf(row)};
}

void ElementAccess::preloadUniform() {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    bool isUniform = !isStepped(op, *operand) && !isUnused(op, *operand);
    for (unsigned loop = 0; loop < state.numLoops; ++loop)
      isUniform &= !(state.isReduction(loop) && map.isFunctionOfDim(loop));
    if (isUniform)
      uniform[operand->getOperandNumber()] = memref::LoadOp::create(
          builder, loc, operand->get(), state.indicesOf(*operand));
  }
}

Value ElementAccess::memoryOf(const RowPointer &row) {
  View view{row.pointer,
            getElementTypeOrSelf(row.operand->get()),
            math.constant(0),
            {state.extents[state.getInnermost()]},
            {math.constant(1)}};
  return view.asMemRef(builder, loc);
}

Value ElementAccess::prefetchedOf(const RowPointer &row) {
  if (!row.toPrefetched)
    return Value();
  return LLVM::GEPOp::create(builder, loc, row.pointer.getType(),
                             builder.getI8Type(), row.pointer,
                             ValueRange{row.toPrefetched});
}

void ElementAccess::prefetchNext(OpOperand &operand, Value row) {
  // The nearest cache has enough to do with this row.
  constexpr unsigned secondCache = 2;
  View view{row,
            getElementTypeOrSelf(operand.get()),
            state.indices[state.getInnermost()],
            {},
            {}};
  LLVM::Prefetch::create(builder, loc, view.asPointer(builder, loc), /*rw=*/0,
                         secondCache, /*cache=*/1);
}

Value ElementAccess::read(OpOperand &operand, Value mask) {
  if (Value known = uniform[operand.getOperandNumber()])
    return known;
  auto [memory, position] = elementAt(operand);
  if (lanes == 1 || !isStepped(op, operand))
    return memref::LoadOp::create(builder, loc, memory, position);
  auto type = VectorType::get(lanes, getElementTypeOrSelf(operand.get()));
  if (!mask) {
    if (Value row = rowOf[operand.getOperandNumber()].prefetched)
      prefetchNext(operand, row);
    return vector::LoadOp::create(builder, loc, type, memory, position);
  }
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return vector::MaskedLoadOp::create(builder, loc, type, memory, position,
                                      mask, zero);
}

std::pair<Value, SmallVector<Value>>
ElementAccess::elementAt(OpOperand &operand) {
  if (Value row = rowOf[operand.getOperandNumber()].memory)
    return {row, {state.indices[state.getInnermost()]}};
  Value memory = staged.findMemory(operand);
  return {memory ? memory : operand.get(), state.indicesOf(operand)};
}

void ElementAccess::write(Value value, Value mask) {
  auto [memory, position] = elementAt(state.getTarget());
  if (lanes == 1)
    memref::StoreOp::create(builder, loc, value, memory, position);
  else if (mask)
    vector::MaskedStoreOp::create(builder, loc, memory, position, mask,
                                  state.body.broadcast(value));
  else if (isStreamed)
    vector::StoreOp::create(builder, loc, state.body.broadcast(value), memory,
                            position,
                            /*nontemporal=*/true, alignmentOfVectors());
  else
    vector::StoreOp::create(builder, loc, state.body.broadcast(value), memory,
                            position);
}

llvm::Align ElementAccess::alignmentOfVectors() {
  Type element = getElementTypeOrSelf(state.getTarget().get());
  return llvm::Align(lanes * element.getIntOrFloatBitWidth() / 8);
}
