// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/StridedStaging.h"

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cpu/threads/ParallelWork.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula;

/// Bytes of one buffer: some of them, and what is read with them, stay in the
/// first cache.
static constexpr int64_t stageBytes = 4096;

static int64_t bytesOfElement(const OpOperand &operand) {
  return getElementTypeOrSelf(operand.get()).getIntOrFloatBitWidth() / 8;
}

MemoryLayout MemoryLayout::of(OpBuilder &builder, Location loc, Value memory) {
  Value source;
  MemoryLayout layout;
  if (auto made = memory.getDefiningOp<memref::ReinterpretCastOp>()) {
    source = made.getSource();
    layout.offset = made.getMixedOffsets().front();
    layout.strides.assign(made.getMixedStrides());
  } else {
    auto metadata =
        memref::ExtractStridedMetadataOp::create(builder, loc, memory);
    source = metadata.getBaseBuffer();
    layout.offset = metadata.getConstifiedMixedOffset();
    layout.strides.assign(metadata.getConstifiedMixedStrides());
  }
  // What is cast from a descriptor folds with this.
  LLVMTypeConverter converter(builder.getContext());
  Value descriptor =
      UnrealizedConversionCastOp::create(
          builder, loc, converter.convertType(source.getType()), source)
          .getResult(0);
  layout.base = LLVM::ExtractValueOp::create(builder, loc, descriptor, 1);
  return layout;
}

void StridedStaging::add(OpOperand &operand, bool isRead, bool isWritten) {
  operands.push_back(&operand);
  rows.push_back({isRead, isWritten, {}, {}, {}, {}, {}, {}});
}

/// Buffers are where the iterations of a parallel loop, or the function, begin;
/// the first ones of these are used again by every nest.
Value StridedStaging::stageOf(unsigned position) {
  Block *owner = builder.getBlock();
  while (!isa<func::FuncOp, scf::ParallelOp>(owner->getParentOp()))
    owner = owner->getParentOp()->getBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(owner);
  for (auto stage : owner->getOps<LLVM::AllocaOp>()) {
    if (!stage->hasAttr(stageAttrName))
      continue;
    if (position-- == 0)
      return stage;
    builder.setInsertionPointAfter(stage);
  }
  Value bytes =
      LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), stageBytes);
  auto stage = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      builder.getI8Type(), bytes, /*alignment=*/64);
  stage->setAttr(stageAttrName, builder.getUnitAttr());
  return stage;
}

/// Both conditions; the first one may be missing.
static Value both(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return lhs ? arith::AndIOp::create(builder, loc, lhs, rhs).getResult() : rhs;
}

/// A stride of 1 that is 0 where the memory is missing: `there` learns of it.
bool StridedStaging::isUnitIfThere(const Row &row) {
  SmallVector<Value> conditions;
  OpFoldResult stride = row.layout.strides.back();
  while (auto value = dyn_cast<Value>(stride)) {
    auto choice = value.getDefiningOp<arith::SelectOp>();
    if (!choice || IndexMath::number(choice.getFalseValue()) != 0)
      return false;
    conditions.push_back(choice.getCondition());
    stride = IndexMath::fold(choice.getTrueValue());
  }
  if (IndexMath::number(stride) != 1)
    return false;
  for (Value condition : conditions)
    there = both(builder, loc, there, condition);
  return true;
}

void StridedStaging::askStrides() {
  unsigned numStages = 0;
  for (auto [operand, row] : llvm::zip(operands, rows)) {
    row.layout = MemoryLayout::of(builder, loc, operand->get());
    if (isUnitIfThere(row)) {
      assumeDense(*operand, row);
      continue;
    }
    row.stage = stageOf(numStages++);
    row.isUnit = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       math.value(row.layout.strides.back()),
                                       math.value(math.constant(1)));
    dense = both(builder, loc, dense, row.isUnit);
  }
}

int64_t StridedStaging::getChunk() const {
  int64_t widest = 1;
  for (OpOperand *operand : operands)
    widest = std::max(widest, bytesOfElement(*operand));
  return stageBytes / widest;
}

void StridedStaging::assumeDense() {
  for (auto [operand, row] : llvm::zip(operands, rows))
    if (row.isUnit)
      assumeDense(*operand, row);
}

static View viewOf(OpBuilder &builder, Location loc, Value memory,
                   const MemoryLayout &layout) {
  auto type = cast<MemRefType>(memory.getType());
  View view{
      layout.base, type.getElementType(), layout.offset, {}, layout.strides};
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    view.sizes.push_back(memref::getMixedSize(builder, loc, memory, axis));
  view.strides.back() = IndexMath(builder, loc).constant(1);
  return view;
}

void StridedStaging::assumeDense(const OpOperand &operand, Row &row) {
  row.near =
      viewOf(builder, loc, operand.get(), row.layout).asMemRef(builder, loc);
}

void StridedStaging::begin(
    function_ref<SmallVector<Value>(OpOperand &)> findPosition, Value first,
    Value last) {
  from = first;
  to = last;
  for (auto [operand, row] : llvm::zip(operands, rows))
    if (row.isUnit)
      beginRow(*operand, row, ValueRange(findPosition(*operand)).drop_back());
  unlessDirect([&] {
    for (Row &row : rows)
      if (row.isUnit && row.isRead)
        gather(row);
  });
}

void StridedStaging::beginRow(OpOperand &operand, Row &row,
                              ValueRange position) {
  Type element = getElementTypeOrSelf(operand.get());
  auto choose = [&](OpFoldResult ifUnit, OpFoldResult ifNot) -> OpFoldResult {
    return arith::SelectOp::create(builder, loc, row.isUnit, math.value(ifUnit),
                                   math.value(ifNot))
        .getResult();
  };
  // In the buffer all rows are this one, and `from` is its first element.
  View near = viewOf(builder, loc, operand.get(), row.layout);
  near.base =
      arith::SelectOp::create(builder, loc, row.isUnit, near.base, row.stage);
  near.offset =
      choose(near.offset, math.sub(math.constant(0), OpFoldResult(from)));
  for (OpFoldResult &stride : MutableArrayRef(near.strides).drop_back())
    stride = choose(stride, math.constant(0));
  row.near = near.asMemRef(builder, loc);

  View strided{row.layout.base,
               element,
               row.layout.offset,
               {math.fold(to)},
               {row.layout.strides.back()}};
  for (auto [index, stride] : llvm::zip(position, row.layout.strides))
    strided.offset = math.add(strided.offset, math.mul(index, stride));
  row.strided = strided.asMemRef(builder, loc);
  View buffer = strided;
  buffer.base = row.stage;
  buffer.offset = math.constant(0);
  buffer.strides = {math.constant(1)};
  row.buffer = buffer.asMemRef(builder, loc);
}

const StridedStaging::Row *
StridedStaging::find(const OpOperand &operand) const {
  auto found = llvm::find(operands, &operand);
  return found == operands.end() ? nullptr : &rows[found - operands.begin()];
}

Value StridedStaging::findMemory(const OpOperand &operand) const {
  const Row *row = find(operand);
  return row ? row->near : Value();
}

bool StridedStaging::isRow(const OpOperand &operand) const {
  const Row *row = find(operand);
  return row && row->isUnit;
}

Value StridedStaging::addressOf(const OpOperand &operand, ValueRange position) {
  const MemoryLayout &memory = find(operand)->layout;
  View view{
      memory.base, getElementTypeOrSelf(operand.get()), memory.offset, {}, {}};
  for (auto [index, stride] : llvm::zip(position, memory.strides))
    view.offset = math.add(view.offset, math.mul(index, stride));
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                           view.asPointer(builder, loc));
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    address);
}

OpFoldResult StridedStaging::elementsToAlignment(const OpOperand &operand,
                                                 ValueRange position,
                                                 int64_t numLanes) {
  int64_t bytes = bytesOfElement(operand);
  Value missing = arith::SubIOp::create(
      builder, loc, math.value(math.constant(0)), addressOf(operand, position));
  missing = arith::AndIOp::create(
      builder, loc, missing, math.value(math.constant(numLanes * bytes - 1)));
  return arith::DivUIOp::create(builder, loc, missing,
                                math.value(math.constant(bytes)))
      .getResult();
}

Value StridedStaging::areRowsAligned(const OpOperand &operand,
                                     OpFoldResult columns, int64_t numLanes) {
  int64_t bytes = bytesOfElement(operand);
  // Only the last bits count, so those of all distances are put together.
  Value distances = math.value(columns);
  for (OpFoldResult stride :
       ArrayRef(find(operand)->layout.strides).drop_back())
    distances =
        arith::OrIOp::create(builder, loc, distances, math.value(stride));
  distances = arith::MulIOp::create(builder, loc, distances,
                                    math.value(math.constant(bytes)));
  Value all =
      arith::OrIOp::create(builder, loc, addressOf(operand, {}), distances);
  Value last = arith::AndIOp::create(
      builder, loc, all, math.value(math.constant(numLanes * bytes - 1)));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, last,
                               math.value(math.constant(0)));
}

void StridedStaging::end() {
  bool isWritten = llvm::any_of(
      rows, [](const Row &row) { return row.isUnit && row.isWritten; });
  if (!isWritten)
    return;
  unlessDirect([&] {
    for (Row &row : rows)
      if (row.isUnit && row.isWritten)
        scatter(row);
  });
}

void StridedStaging::unlessDirect(function_ref<void()> copy) {
  scf::IfOp branch = createSeldomElse(builder, loc, dense);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  copy();
}

/// What `copy` makes, for each element from `first` to `last`.
static void forElements(OpBuilder &builder, Location loc, Value first,
                        Value last, function_ref<void(Value)> copy) {
  IndexMath math(builder, loc);
  auto loop = scf::ForOp::create(builder, loc, first, last,
                                 math.value(math.constant(1)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  copy(loop.getInductionVar());
}

void StridedStaging::gather(Row &row) {
  Value end = arith::SelectOp::create(builder, loc, row.isUnit, from, to);
  forElements(builder, loc, from, end, [&](Value index) {
    Value element = memref::LoadOp::create(builder, loc, row.strided, index);
    Value offset = arith::SubIOp::create(builder, loc, index, from);
    memref::StoreOp::create(builder, loc, element, row.buffer, offset);
  });
}

void StridedStaging::scatter(Row &row) {
  Value start = arith::SelectOp::create(builder, loc, row.isUnit, to, from);
  forElements(builder, loc, start, to, [&](Value index) {
    Value offset = arith::SubIOp::create(builder, loc, index, from);
    Value element = memref::LoadOp::create(builder, loc, row.buffer, offset);
    memref::StoreOp::create(builder, loc, element, row.strided, index);
  });
}
