// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/memory/ScratchFrames.h"

#include "tegula/backends/codegen/LoweringHooks.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/Routines.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula;

static constexpr int64_t bufferAlignment = 64;

static Value i64Constant(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantIntOp::create(builder, loc, number, 64);
}

int64_t ScratchFrames::startOf(Operation *frame,
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

void ScratchFrames::open(Operation *owner, Location loc) {
  Frame &frame = *frames.emplace_back(std::make_unique<Frame>());
  frame.bytes = startOf(owner, nullptr);
  frame.mostBytes = frame.bytes;
  Type pointer = calls.getState().getType();
  frame.push = calls.call(routine::tegulaScratchPush, pointer,
                          i64Constant(builder, loc, 0), loc);
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  Value isThere = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                       frame.push.getResult(), null);
  frame.guard = scf::IfOp::create(builder, loc, isThere,
                                  /*withElseRegion=*/true);
  builder.setInsertionPointToStart(frame.guard.thenBlock());
}

/// No tile needs memory: what the guard holds takes its place.
void ScratchFrames::removeFrame(Frame &frame) {
  IRRewriter rewriter(builder);
  Operation *test = frame.guard.getCondition().getDefiningOp();
  rewriter.eraseOp(frame.guard.thenBlock()->getTerminator());
  rewriter.inlineBlockBefore(frame.guard.thenBlock(), frame.guard);
  builder.setInsertionPointAfter(frame.guard);
  rewriter.eraseOp(frame.guard);
  rewriter.eraseOp(test);
  rewriter.eraseOp(frame.push);
}

void ScratchFrames::close(Location loc) {
  std::unique_ptr<Frame> frame = frames.pop_back_val();
  if (frame->mostBytes == 0)
    return removeFrame(*frame);
  calls.call(routine::tegulaScratchPop, {}, frame->push.getResult(), loc);
  builder.setInsertionPoint(frame->push);
  Value bytes = i64Constant(builder, loc, frame->mostBytes);
  frame->push->setOperand(0, bytes);
  builder.setInsertionPointToStart(frame->guard.elseBlock());
  auto small = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, 32);
  };
  calls.call(routine::tegulaReportError, {},
             {calls.getState(), small(TegulaOutOfMemory),
              small(calls.siteOf(loc)), small(0), bytes,
              i64Constant(builder, loc, 0)},
             loc);
  builder.setInsertionPointAfter(frame->guard);
}

Value ScratchFrames::addressOf(OpFoldResult offset, Location loc) {
  Value frame = frames.back()->push.getResult();
  std::optional<int64_t> number = IndexMath::number(offset);
  Value bytes =
      number ? i64Constant(builder, loc, *number)
             : Value(arith::IndexCastOp::create(
                   builder, loc, builder.getI64Type(), cast<Value>(offset)));
  return LLVM::GEPOp::create(builder, loc, frame.getType(), builder.getI8Type(),
                             frame, ArrayRef<LLVM::GEPArg>{bytes});
}

View ScratchFrames::allocate(Location loc, Type element,
                             ArrayRef<int64_t> shape) {
  Frame &frame = *frames.back();
  Value pointer = addressOf(builder.getIndexAttr(frame.bytes), loc);
  int64_t bytes = llvm::alignTo(bufferBytes(element, shape), bufferAlignment);
  frame.bytes = addBytes(frame.bytes, bytes);
  frame.mostBytes = std::max(frame.mostBytes, frame.bytes);
  return contiguousView(pointer, element, shape);
}

View ScratchFrames::harmlessElement(Type element, Location loc) {
  Frame &frame = *frames.back();
  if (!frame.harmless) {
    frame.harmless = frame.bytes;
    (void)allocate(loc, element, {});
  }
  Value pointer = addressOf(builder.getIndexAttr(*frame.harmless), loc);
  return contiguousView(pointer, element, {});
}

View ScratchFrames::bufferView(BufferId buffer, ArrayRef<int64_t> shape,
                               Location loc) {
  const TileBuffer &planned = plan.placement.getBuffers()[buffer];
  int64_t start = startOf(plan.placement.getFrame(planned.home),
                          plan.machine.findMemory(planned.space));
  int64_t bytes = plan.getCopyBytes(buffer);
  IndexMath math(builder, loc);
  OpFoldResult offset = math.constant(0);
  if (planned.copies > 1)
    offset = math.mul(copies.at(planned.home), math.constant(bytes));
  Value pointer = addressOf(
      math.add(math.constant(start + plan.memory.offsets[buffer]), offset),
      loc);
  View view = contiguousView(pointer, planned.element, shape);
  view.slot = {planned.space,
               math.add(math.constant(plan.getAddress(buffer)), offset)};
  return view;
}

View ScratchFrames::destinationOf(Value tile, Location loc) {
  return bufferView(*plan.placement.getBuffer(tile),
                    boundsOf(cast<pl::TileType>(tile.getType())), loc);
}

void ScratchFrames::chooseCopies(Block &block, LoweringHooks *recorder) {
  int64_t most = 1;
  for (const TileBuffer &buffer : plan.placement.getBuffers())
    if (buffer.home == &block)
      most = std::max(most, buffer.copies);
  if (most > 1)
    copies[&block] = recorder->takeRingSlot(
        builder, block.getParentOp()->getLoc(), copies.size(), most);
}

Value ScratchFrames::allocateNumbers(size_t count, Location loc) {
  return allocate(loc, builder.getI64Type(), std::max<int64_t>(1, count)).base;
}

Value ScratchFrames::storeNumbers(const Indices &numbers, Location loc) {
  Value memory = allocateNumbers(numbers.size(), loc);
  storeNumbers(numbers, memory, loc);
  return memory;
}

void ScratchFrames::storeNumbers(const Indices &numbers, Value memory,
                                 Location loc) {
  Type i64 = builder.getI64Type();
  IndexMath math(builder, loc);
  for (auto [position, number] : llvm::enumerate(numbers)) {
    Value address = LLVM::GEPOp::create(
        builder, loc, memory.getType(), i64, memory,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    Value wide =
        arith::IndexCastOp::create(builder, loc, i64, math.value(number));
    LLVM::StoreOp::create(builder, loc, wide, address);
  }
}
