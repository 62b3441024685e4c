// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the tensors that a kernel makes.

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/memory/TensorMemory.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// What tensors begin at multiples of.
static constexpr int64_t tensorAlignment = 64;
/// More than any machine has: sums of this do not overflow, and are refused.
static constexpr int64_t tooManyBytes = int64_t(1) << 47;
/// Loops over fewer elements end soon, whether or not they are there.
static constexpr int64_t fewElements = int64_t(1) << 24;

/// True if the tensor has few elements in every call.
static bool hasFewElements(const View &tensor) {
  int64_t elements = 1;
  for (OpFoldResult size : tensor.sizes) {
    std::optional<int64_t> number = IndexMath::number(size);
    if (!number || *number > fewElements)
      return false;
    elements = std::min(elements * *number, fewElements + 1);
  }
  return elements <= fewElements;
}

/// Spoils memory that holds nothing yet, or nothing any more, if that is asked
/// for.
static void poison(TileLowering &lowering, Value memory, Value bytes,
                   Location loc) {
  if (lowering.target.poisonsTensors())
    lowering.calls.call(routine::tegulaPoison, {}, {memory, bytes}, loc);
}

/// Memory for what the op, or all of its group, makes; null where there is not
/// so much, which is reported.
static LLVM::CallOp takeMemory(TileLowering &lowering, pl::CreateTensorOp op,
                               Value bytes, Value site) {
  bool isShared = op->hasAttr(pl::sharedAttrName);
  return lowering.calls.call(
      isShared ? routine::tegulaSharedAllocate : routine::tegulaScratchAllocate,
      lowering.calls.getState().getType(),
      {bytes, lowering.calls.getState(), site}, op.getLoc());
}

/// The tensor lies at `base`, if `memory` is there.
static void putTensor(TileLowering &lowering, pl::CreateTensorOp op,
                      View tensor, Value base, Value memory) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value null =
      LLVM::ZeroOp::create(builder, loc, lowering.calls.getState().getType());
  Value isThere =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, memory, null);
  tensor.base = tensor.isHalfBytes() ? halfByteAt(builder, loc, base) : base;
  lowering.values.setView(op.getResult(),
                          orHarmless(lowering, tensor, isThere,
                                     op.getResult().getType().getDims(), loc));
  if (!hasFewElements(tensor))
    loopsNeed(lowering, isThere);
}

/// As many bytes as the largest of the tensors has, rounded up so that what
/// follows is aligned.
static Value bytesOfSlot(TileLowering &lowering, ArrayRef<View> tensors,
                         Location loc) {
  OpBuilder &builder = lowering.builder;
  Value most;
  for (const View &tensor : tensors) {
    Value bytes = denseBytes(lowering, tensor, loc);
    // What has overflown is the largest number without a sign.
    most =
        most ? Value(arith::MaxUIOp::create(builder, loc, most, bytes)) : bytes;
  }
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  most = arith::MinUIOp::create(builder, loc, most, number(tooManyBytes));
  most = arith::AddIOp::create(builder, loc, most, number(tensorAlignment - 1));
  most = arith::DivUIOp::create(builder, loc, most, number(tensorAlignment));
  return arith::MulIOp::create(builder, loc, most, number(tensorAlignment));
}

/// Slots lie one after the other in one piece of memory. Where there is not so
/// much, the largest of them is to blame.
static void lowerGroup(TileLowering &lowering, pl::CreateTensorOp first,
                       const TensorGroup &group) {
  OpBuilder &builder = lowering.builder;
  Location loc = first.getLoc();
  SmallVector<SmallVector<View>> tensors;
  SmallVector<Value> starts;
  Value end, largest, site;
  for (const TensorSlot &slot : group.slots) {
    SmallVector<View> &views = tensors.emplace_back();
    for (pl::CreateTensorOp op : slot)
      views.push_back(
          rowsFrom(lowering, {}, op, op.getResult().getType(), op.getSizes()));
    Value bytes = bytesOfSlot(lowering, views, loc);
    Value ownSite = arith::ConstantIntOp::create(
        builder, loc,
        lowering.calls.siteOf(pl::CreateTensorOp(slot[0]).getLoc()), 32);
    starts.push_back(end);
    if (!end) {
      end = largest = bytes;
      site = ownSite;
      continue;
    }
    end = arith::AddIOp::create(builder, loc, end, bytes);
    Value isLarger = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ugt, bytes, largest);
    site = arith::SelectOp::create(builder, loc, isLarger, ownSite, site);
    largest = arith::MaxUIOp::create(builder, loc, largest, bytes);
  }
  LLVM::CallOp take = takeMemory(lowering, first, end, site);
  if (group.shrinksOverIterations)
    take->setAttr(shrinkingAttrName, builder.getUnitAttr());
  Value memory = take.getResult();
  poison(lowering, memory, end, loc);
  for (auto [slot, views, start] : llvm::zip(group.slots, tensors, starts)) {
    Value base = memory;
    if (start)
      base = LLVM::GEPOp::create(builder, loc, memory.getType(),
                                 builder.getI8Type(), memory,
                                 ArrayRef<LLVM::GEPArg>{start});
    for (auto [op, tensor] : llvm::zip(slot, views))
      putTensor(lowering, op, tensor, base, memory);
  }
}

static void lowerCreateTensor(TileLowering &lowering, pl::CreateTensorOp op) {
  OpBuilder &builder = lowering.builder;
  const TensorGroup *group = lowering.plan.tensors.findGroup(op);
  if (group && (group->slots.size() > 1 || group->slots[0].size() > 1))
    return lowerGroup(lowering, op, *group);
  // It was made with the first one of its group.
  if (lowering.values.hasView(op.getResult()))
    return;
  Location loc = op.getLoc();
  View tensor =
      rowsFrom(lowering, {}, op, op.getResult().getType(), op.getSizes());
  Value site = arith::ConstantIntOp::create(builder, loc,
                                            lowering.calls.siteOf(loc), 32);
  Value bytes = denseBytes(lowering, tensor, loc);
  LLVM::CallOp take = takeMemory(lowering, op, bytes, site);
  if (group && group->shrinksOverIterations)
    take->setAttr(shrinkingAttrName, builder.getUnitAttr());
  poison(lowering, take.getResult(), bytes, loc);
  putTensor(lowering, op, tensor, take.getResult(), take.getResult());
}

void tegula::poisonAfter(TileLowering &lowering, Operation &op) {
  OpBuilder &builder = lowering.builder;
  if (!lowering.target.poisonsTensors())
    return;
  for (pl::CreateTensorOp tensor : lowering.plan.tensors.getEndingWith(&op)) {
    const View memory = lowering.view(tensor.getResult());
    // Addresses of half bytes are of another kind.
    if (!memory.isHalfBytes())
      poison(lowering, memory.asPointer(builder, op.getLoc()),
             denseBytes(lowering, memory, op.getLoc()), op.getLoc());
  }
}

void tegula::addTensorPatterns(TilePatterns &patterns) {
  patterns.add(lowerCreateTensor);
}
