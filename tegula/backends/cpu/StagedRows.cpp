// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/StagedRows.h"

#include "tegula/backends/cpu/View.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula;

/// Bytes of one buffer: some of them, and what is read beside them, stay in the
/// first cache.
static constexpr int64_t stageBytes = 4096;

MemoryPlace MemoryPlace::of(OpBuilder &builder, Location loc, Value memory) {
  Value source;
  MemoryPlace place;
  if (auto made = memory.getDefiningOp<memref::ReinterpretCastOp>()) {
    source = made.getSource();
    place.offset = made.getMixedOffsets().front();
    place.strides.assign(made.getMixedStrides());
  } else {
    auto metadata =
        memref::ExtractStridedMetadataOp::create(builder, loc, memory);
    source = metadata.getBaseBuffer();
    place.offset = metadata.getConstifiedMixedOffset();
    place.strides.assign(metadata.getConstifiedMixedStrides());
  }
  // What is cast from a descriptor folds with this.
  LLVMTypeConverter converter(builder.getContext());
  Value descriptor =
      UnrealizedConversionCastOp::create(
          builder, loc, converter.convertType(source.getType()), source)
          .getResult(0);
  place.base = LLVM::ExtractValueOp::create(builder, loc, descriptor, 1);
  return place;
}

void StagedRows::add(OpOperand &operand, bool isRead, bool isWritten) {
  operands.push_back(&operand);
  rows.push_back({isRead, isWritten, {}, {}, {}, {}, {}});
}

/// Buffers are where the turns of a parallel loop, or the function, begin; the
/// first ones of these are used again by every nest.
Value StagedRows::stageOf(unsigned position) {
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
bool StagedRows::isUnitIfThere(const Row &row) {
  SmallVector<Value> conditions;
  OpFoldResult stride = row.place.strides.back();
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

void StagedRows::askStrides() {
  unsigned numStages = 0;
  for (auto [operand, row] : llvm::zip(operands, rows)) {
    row.place = MemoryPlace::of(builder, loc, operand->get());
    if (isUnitIfThere(row)) {
      assumeDense(*operand, row);
      continue;
    }
    row.stage = stageOf(numStages++);
    row.isUnit = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       math.value(row.place.strides.back()),
                                       math.value(math.constant(1)));
    dense = both(builder, loc, dense, row.isUnit);
  }
}

OpFoldResult StagedRows::getPiece() {
  int64_t widest = 1;
  for (OpOperand *operand : operands)
    widest = std::max<int64_t>(
        widest,
        getElementTypeOrSelf(operand->get()).getIntOrFloatBitWidth() / 8);
  return math.constant(stageBytes / widest);
}

void StagedRows::assumeDense() {
  for (auto [operand, row] : llvm::zip(operands, rows))
    if (row.isUnit)
      assumeDense(*operand, row);
}

void StagedRows::assumeDense(const OpOperand &operand, Row &row) {
  auto type = cast<MemRefType>(operand.get().getType());
  View view{row.place.base,
            type.getElementType(),
            row.place.offset,
            {},
            row.place.strides};
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    view.sizes.push_back(
        memref::getMixedSize(builder, loc, operand.get(), axis));
  view.strides.back() = math.constant(1);
  row.near = view.asMemRef(builder, loc);
}

void StagedRows::begin(function_ref<SmallVector<Value>(OpOperand &)> findPlace,
                       Value first, Value last) {
  from = first;
  to = last;
  for (auto [operand, row] : llvm::zip(operands, rows)) {
    if (!row.isUnit)
      continue;
    Type element = getElementTypeOrSelf(operand->get());
    View view{row.place.base, element, row.place.offset, {math.fold(to)}, {}};
    SmallVector<Value> place = findPlace(*operand);
    place.pop_back();
    for (auto [index, stride] : llvm::zip(place, row.place.strides))
      view.offset = math.add(view.offset, math.mul(index, stride));
    Value start = view.asPointer(builder, loc);
    view.base = start;
    view.offset = math.constant(0);
    view.strides = {row.place.strides.back()};
    row.spread = view.asMemRef(builder, loc);
    // The buffer begins with the element `from`.
    View staged{row.stage, element, math.sub(math.constant(0), from), {}, {}};
    view.strides = {math.constant(1)};
    Value buffer = staged.asPointer(builder, loc);
    view.base =
        arith::SelectOp::create(builder, loc, row.isUnit, start, buffer);
    row.near = view.asMemRef(builder, loc);
    if (row.isRead)
      gather(row);
  }
}

const StagedRows::Row *StagedRows::find(const OpOperand &operand) const {
  auto found = llvm::find(operands, &operand);
  return found == operands.end() ? nullptr : &rows[found - operands.begin()];
}

Value StagedRows::findMemory(const OpOperand &operand) const {
  const Row *row = find(operand);
  return row ? row->near : Value();
}

bool StagedRows::isRow(const OpOperand &operand) const {
  const Row *row = find(operand);
  return row && row->isUnit;
}

static int64_t bytesOfElement(const OpOperand &operand) {
  return getElementTypeOrSelf(operand.get()).getIntOrFloatBitWidth() / 8;
}

Value StagedRows::addressOf(const OpOperand &operand, ValueRange place) {
  const MemoryPlace &memory = find(operand)->place;
  View view{
      memory.base, getElementTypeOrSelf(operand.get()), memory.offset, {}, {}};
  for (auto [index, stride] : llvm::zip(place, memory.strides))
    view.offset = math.add(view.offset, math.mul(index, stride));
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                           view.asPointer(builder, loc));
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    address);
}

OpFoldResult StagedRows::elementsToAlignment(const OpOperand &operand,
                                             ValueRange place,
                                             int64_t numLanes) {
  int64_t bytes = bytesOfElement(operand);
  Value missing = arith::SubIOp::create(
      builder, loc, math.value(math.constant(0)), addressOf(operand, place));
  missing = arith::AndIOp::create(
      builder, loc, missing, math.value(math.constant(numLanes * bytes - 1)));
  return arith::DivUIOp::create(builder, loc, missing,
                                math.value(math.constant(bytes)))
      .getResult();
}

Value StagedRows::areRowsAligned(const OpOperand &operand, OpFoldResult columns,
                                 int64_t numLanes) {
  int64_t bytes = bytesOfElement(operand);
  // Only the last bits count, so those of all distances are put together.
  Value distances = math.value(columns);
  for (OpFoldResult stride : ArrayRef(find(operand)->place.strides).drop_back())
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

void StagedRows::end() {
  for (Row &row : rows)
    if (row.isUnit && row.isWritten)
      scatter(row);
}

void StagedRows::copyElements(Value source, Value target, Value first,
                              Value last) {
  auto loop = scf::ForOp::create(builder, loc, first, last,
                                 math.value(math.constant(1)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar();
  Value element = memref::LoadOp::create(builder, loc, source, index);
  memref::StoreOp::create(builder, loc, element, target, index);
}

void StagedRows::gather(Row &row) {
  Value end = arith::SelectOp::create(builder, loc, row.isUnit, from, to);
  copyElements(row.spread, row.near, from, end);
}

void StagedRows::scatter(Row &row) {
  Value start = arith::SelectOp::create(builder, loc, row.isUnit, to, from);
  copyElements(row.near, row.spread, start, to);
}
