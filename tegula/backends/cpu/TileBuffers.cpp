// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch memory of tiles, and copies that make rows contiguous.

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula;

static constexpr int64_t bufferAlignment = 64;

static Value i64Constant(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantIntOp::create(builder, loc, number, 64);
}

int64_t TileLowering::startOf(Operation *frame,
                              const MachineMemory *memory) const {
  int64_t start = 0;
  for (const MachineMemory &other : plan.machine.memories) {
    if (&other == memory)
      break;
    int64_t bytes = plan.memory.getFrameBytes(frame, other.space);
    start = addBytes(start, llvm::alignTo(bytes, bufferAlignment));
  }
  return start;
}

ScratchFrame TileLowering::openFrame(Operation *owner, Location loc) {
  ScratchFrame frame;
  frame.bytes = startOf(owner, nullptr);
  frame.mostBytes = frame.bytes;
  Type pointer = state.getType();
  frame.push = callRuntime("tegulaScratchPush", pointer,
                           i64Constant(builder, loc, 0), loc);
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  Value isThere = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                       frame.push.getResult(), null);
  frame.guard = scf::IfOp::create(builder, loc, isThere,
                                  /*withElseRegion=*/true);
  builder.setInsertionPointToStart(frame.guard.thenBlock());
  return frame;
}

void TileLowering::closeFrame(ScratchFrame &frame, Location loc) {
  Value block = frame.push.getResult();
  if (frame.mostBytes == 0) {
    // No tile needs memory: what the guard holds takes its place.
    IRRewriter rewriter(builder);
    Operation *test = frame.guard.getCondition().getDefiningOp();
    rewriter.eraseOp(frame.guard.thenBlock()->getTerminator());
    rewriter.inlineBlockBefore(frame.guard.thenBlock(), frame.guard);
    builder.setInsertionPointAfter(frame.guard);
    rewriter.eraseOp(frame.guard);
    rewriter.eraseOp(test);
    rewriter.eraseOp(frame.push);
    return;
  }
  callRuntime("tegulaScratchPop", {}, block, loc);
  builder.setInsertionPoint(frame.push);
  Value bytes = i64Constant(builder, loc, frame.mostBytes);
  frame.push->setOperand(0, bytes);
  builder.setInsertionPointToStart(frame.guard.elseBlock());
  auto small = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, 32);
  };
  callRuntime("tegulaReportError", {},
              {state, small(TegulaOutOfMemory), small(siteOf(loc)), small(0),
               bytes, i64Constant(builder, loc, 0)},
              loc);
  builder.setInsertionPointAfter(frame.guard);
}

static Value addressIn(TileLowering &lowering, Location loc,
                       OpFoldResult offset) {
  OpBuilder &builder = lowering.getBuilder();
  Value frame = lowering.currentFrame().push.getResult();
  std::optional<int64_t> number = IndexMath::number(offset);
  Value bytes =
      number ? i64Constant(builder, loc, *number)
             : Value(arith::IndexCastOp::create(
                   builder, loc, builder.getI64Type(), cast<Value>(offset)));
  return LLVM::GEPOp::create(builder, loc, frame.getType(), builder.getI8Type(),
                             frame, ArrayRef<LLVM::GEPArg>{bytes});
}

static Value addressIn(TileLowering &lowering, Location loc, int64_t offset) {
  return addressIn(lowering, loc,
                   OpFoldResult(lowering.getBuilder().getIndexAttr(offset)));
}

View TileLowering::allocate(Location loc, Type element,
                            ArrayRef<int64_t> shape) {
  ScratchFrame &frame = currentFrame();
  Value pointer = addressIn(*this, loc, frame.bytes);
  int64_t bytes = llvm::alignTo(bufferBytes(element, shape), bufferAlignment);
  frame.bytes = addBytes(frame.bytes, bytes);
  frame.mostBytes = std::max(frame.mostBytes, frame.bytes);
  return contiguousView(pointer, element, shape);
}

View TileLowering::harmlessElement(Type element, Location loc) {
  ScratchFrame &frame = currentFrame();
  if (!frame.harmless) {
    frame.harmless = frame.bytes;
    (void)allocate(loc, element, {});
  }
  return contiguousView(addressIn(*this, loc, *frame.harmless), element, {});
}

View TileLowering::bufferView(BufferId buffer, ArrayRef<int64_t> shape,
                              Location loc) {
  const TileBuffer &planned = plan.placement.getBuffers()[buffer];
  int64_t start = startOf(plan.placement.getFrame(planned.home),
                          plan.machine.findMemory(planned.space));
  int64_t bytes = plan.getCopyBytes(buffer);
  IndexMath math = this->math(loc);
  OpFoldResult offset = math.constant(0);
  if (planned.copies > 1)
    offset = math.mul(ringSlots.at(planned.home), math.constant(bytes));
  Value pointer = addressIn(
      *this, loc,
      math.add(math.constant(start + plan.memory.offsets[buffer]), offset));
  View view = contiguousView(pointer, planned.element, shape);
  view.slot = {planned.space,
               math.add(math.constant(plan.getAddress(buffer)), offset)};
  return view;
}

View TileLowering::destinationOf(Value tile, Location loc) {
  return bufferView(*plan.placement.getBuffer(tile),
                    boundsOf(cast<pl::TileType>(tile.getType())), loc);
}

View TileLowering::addressable(OpOperand &operand, Location loc) {
  const Tile known = tile(operand.get());
  if (known.view)
    return *known.view;
  View memory =
      bufferView(*plan.placement.getBuffer(operand),
                 boundsOf(cast<pl::TileType>(operand.get().getType())), loc);
  evaluateInto(operand.get(), memory, known.extents, loc);
  return memory.shrink(known.extents);
}

/// True where the elements of the last axis are contiguous, or there is at
/// most one of them.
static Value isContiguousInside(OpBuilder &builder, Location loc,
                                const View &view) {
  Value stride = IndexMath(builder, loc).value(view.strides.back());
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, stride,
                               one);
}

View TileLowering::withUnitInnerStride(const View &view,
                                       ArrayRef<int64_t> bounds, Location loc) {
  if (view.hasUnitInnerStride())
    return view;
  View packed = allocate(loc, view.element, bounds).shrink(view.sizes);
  Value isUnit = isContiguousInside(builder, loc, view);
  Value address = view.asPointer(builder, loc);
  View chosen = view;
  chosen.offset = builder.getIndexAttr(0);
  for (auto [axis, stride] : llvm::enumerate(chosen.strides))
    stride = arith::SelectOp::create(builder, loc, isUnit,
                                     math(loc).value(view.strides[axis]),
                                     math(loc).value(packed.strides[axis]))
                 .getResult();
  chosen.strides.back() = builder.getIndexAttr(1);
  Value room = roomForCopy(view.getRank(), loc);
  auto branch = scf::IfOp::create(builder, loc, address.getType(), isUnit,
                                  /*withElseRegion=*/true);
  chosen.base = branch.getResult(0);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, address);
  builder.setInsertionPointToStart(branch.elseBlock());
  copyStrided("tegulaPackTile", packed, view, room, loc);
  scf::YieldOp::create(builder, loc, packed.base);
  return chosen;
}

/// Rows are described by the arguments of the call.
static constexpr int64_t rankOfRows = 2;

Value TileLowering::roomForCopy(int64_t rank, Location loc) {
  return rank > rankOfRows ? allocateNumbers(3 * rank, loc) : Value();
}

void TileLowering::copyRows(const View &target, const View &origin,
                            Location loc) {
  auto pad = [&](const Indices &numbers, int64_t first) {
    Indices padded(rankOfRows - numbers.size(), builder.getIndexAttr(first));
    llvm::append_range(padded, numbers);
    return padded;
  };
  Indices numbers = pad(origin.sizes, 1);
  llvm::append_range(numbers, pad(target.strides, 0));
  llvm::append_range(numbers, pad(origin.strides, 0));
  numbers.push_back(
      builder.getIndexAttr(origin.element.getIntOrFloatBitWidth() / 8));
  SmallVector<Value> arguments = {target.asPointer(builder, loc),
                                  origin.asPointer(builder, loc)};
  for (OpFoldResult number : numbers)
    if (std::optional<int64_t> constant = IndexMath::number(number))
      arguments.push_back(i64Constant(builder, loc, *constant));
    else
      arguments.push_back(arith::IndexCastOp::create(
          builder, loc, builder.getI64Type(), math(loc).value(number)));
  if (!target.streams) {
    callRuntime("tegulaCopyRows", {}, arguments, loc);
    return;
  }
  arguments.push_back(arith::ExtUIOp::create(builder, loc, builder.getI32Type(),
                                             target.streams));
  callRuntime("tegulaTransposeRows", {}, arguments, loc);
}

void TileLowering::copyStrided(StringRef routine, const View &target,
                               const View &origin, Value room, Location loc) {
  int64_t rank = target.getRank();
  if (rank <= rankOfRows)
    return copyRows(target, origin, loc);
  Indices numbers = origin.sizes;
  llvm::append_range(numbers, target.strides);
  llvm::append_range(numbers, origin.strides);
  storeNumbers(numbers, room, loc);
  int64_t bytes = origin.element.getIntOrFloatBitWidth() / 8;
  callRuntime(routine, {},
              {target.asPointer(builder, loc), origin.asPointer(builder, loc),
               i64Constant(builder, loc, rank), room,
               i64Constant(builder, loc, bytes)},
              loc);
}
