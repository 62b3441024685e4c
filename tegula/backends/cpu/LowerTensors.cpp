// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the tensors that a kernel makes.

#include "tegula/backends/cpu/IterationScratch.h"
#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/ops/PlRankOps.h"

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

Value TileLowering::denseBytes(const View &memory, Location loc) {
  Type i64 = builder.getI64Type();
  auto i64Constant = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, 64);
  };
  bool isHalves = memory.isHalfBytes();
  Value bytes =
      i64Constant(isHalves ? 1 : memory.element.getIntOrFloatBitWidth() / 8);
  Value hasOverflow = arith::ConstantIntOp::create(builder, loc, 0, 1);
  for (OpFoldResult size : memory.sizes) {
    Value factor =
        arith::IndexCastOp::create(builder, loc, i64, math(loc).value(size));
    auto product = arith::MulSIExtendedOp::create(builder, loc, bytes, factor);
    bytes = product.getLow();
    Value sign = arith::ShRSIOp::create(builder, loc, bytes, i64Constant(63));
    Value isLost = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         product.getHigh(), sign);
    hasOverflow = arith::OrIOp::create(builder, loc, hasOverflow, isLost);
  }
  if (isHalves) {
    Value one = i64Constant(1);
    Value pairs = arith::ShRUIOp::create(builder, loc, bytes, one);
    Value odd = arith::AndIOp::create(builder, loc, bytes, one);
    bytes = arith::AddIOp::create(builder, loc, pairs, odd);
  }
  return arith::SelectOp::create(builder, loc, hasOverflow, i64Constant(-1),
                                 bytes);
}

View TileLowering::rowsFrom(Value base, Operation *op, pl::TensorViewType type,
                            ValueRange sizes) {
  Location loc = op->getLoc();
  View memory{base,
              tensorElement(type.getElementType()),
              builder.getIndexAttr(0),
              {},
              Indices(type.getRank())};
  for (auto [axis, size] : llvm::enumerate(indices(sizes)))
    memory.sizes.push_back(
        withinBound(op, axis, math(loc).max(size, builder.getIndexAttr(0))));
  OpFoldResult stride = builder.getIndexAttr(1);
  for (unsigned axis = type.getRank(); axis-- > 0;) {
    memory.strides[axis] = stride;
    stride = math(loc).mul(stride, memory.sizes[axis]);
  }
  return memory;
}

/// Memory for what the op, or all of its group, makes; null where there is not
/// so much, which is reported.
LLVM::CallOp TileLowering::takeMemory(pl::CreateTensorOp op, Value bytes,
                                      Value site) {
  bool isShared = op->hasAttr(pl::sharedAttrName);
  return callRuntime(isShared ? "tegulaSharedAllocate"
                              : "tegulaScratchAllocate",
                     state.getType(), {bytes, state, site}, op.getLoc());
}

/// The tensor lies at `base`, if `memory` is there.
void TileLowering::putTensor(pl::CreateTensorOp op, View tensor, Value base,
                             Value memory) {
  Location loc = op.getLoc();
  Value null = LLVM::ZeroOp::create(builder, loc, state.getType());
  Value isThere =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, memory, null);
  tensor.base = tensor.isHalfBytes() ? halfByteAt(builder, loc, base) : base;
  views[op.getResult()] =
      orHarmless(tensor, isThere, op.getResult().getType().getDims(), loc);
  if (!hasFewElements(tensor))
    loopsNeed(isThere);
}

void TileLowering::lowerCreateTensor(pl::CreateTensorOp op) {
  const TensorGroup *group = plan.tensors.findGroup(op);
  if (group && (group->slots.size() > 1 || group->slots[0].size() > 1))
    return lowerGroup(op, *group);
  // It was made with the first one of its group.
  if (views.contains(op.getResult()))
    return;
  Location loc = op.getLoc();
  View tensor = rowsFrom({}, op, op.getResult().getType(), op.getSizes());
  Value site = arith::ConstantIntOp::create(builder, loc, siteOf(loc), 32);
  Value bytes = denseBytes(tensor, loc);
  LLVM::CallOp take = takeMemory(op, bytes, site);
  if (group && group->shrinksOverIterations)
    take->setAttr(shrinkingAttrName, builder.getUnitAttr());
  poison(take.getResult(), bytes, loc);
  putTensor(op, tensor, take.getResult(), take.getResult());
}

/// As many bytes as the largest of the tensors has, rounded up so that what
/// follows is aligned.
Value TileLowering::bytesOfSlot(ArrayRef<View> tensors, Location loc) {
  Value most;
  for (const View &tensor : tensors) {
    Value bytes = denseBytes(tensor, loc);
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

/// Places lie one after the other in one piece of memory. Where there is not so
/// much, the largest of them is to blame.
void TileLowering::lowerGroup(pl::CreateTensorOp first,
                              const TensorGroup &group) {
  Location loc = first.getLoc();
  SmallVector<SmallVector<View>> tensors;
  SmallVector<Value> starts;
  Value end, largest, site;
  for (const TensorSlot &slot : group.slots) {
    SmallVector<View> &views = tensors.emplace_back();
    for (pl::CreateTensorOp op : slot)
      views.push_back(
          rowsFrom({}, op, op.getResult().getType(), op.getSizes()));
    Value bytes = bytesOfSlot(views, loc);
    Value ownSite = arith::ConstantIntOp::create(
        builder, loc, siteOf(pl::CreateTensorOp(slot[0]).getLoc()), 32);
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
  LLVM::CallOp take = takeMemory(first, end, site);
  if (group.shrinksOverIterations)
    take->setAttr(shrinkingAttrName, builder.getUnitAttr());
  Value memory = take.getResult();
  poison(memory, end, loc);
  for (auto [slot, views, start] : llvm::zip(group.slots, tensors, starts)) {
    Value base = memory;
    if (start)
      base = LLVM::GEPOp::create(builder, loc, memory.getType(),
                                 builder.getI8Type(), memory,
                                 ArrayRef<LLVM::GEPArg>{start});
    for (auto [op, tensor] : llvm::zip(slot, views))
      putTensor(op, tensor, base, memory);
  }
}

void TileLowering::poison(Value memory, Value bytes, Location loc) {
  if (options.poisonsTensors)
    callRuntime("tegulaPoison", {}, {memory, bytes}, loc);
}

void TileLowering::poisonAfter(Operation &op) {
  if (!options.poisonsTensors)
    return;
  for (pl::CreateTensorOp tensor : plan.tensors.getEndingWith(&op)) {
    const View memory = view(tensor.getResult());
    // Addresses of half bytes are of another kind.
    if (!memory.isHalfBytes())
      poison(memory.asPointer(builder, op.getLoc()),
             denseBytes(memory, op.getLoc()), op.getLoc());
  }
}
