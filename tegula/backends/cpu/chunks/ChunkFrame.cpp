// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/chunks/ChunkFrame.h"

#include "tegula/backends/cpu/chunks/CodeWeight.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tegula;

/// An address that is a fixed way from another one is found again, too.
static bool isRepeated(Operation *op) {
  return isRepeatable(op) || isa_and_nonnull<LLVM::GEPOp>(op);
}

bool ChunkFrame::canCut(Block &block) {
  auto canCross = [](Value value) {
    return isPlainScalar(value.getType()) || isRepeated(value.getDefiningOp());
  };
  for (Operation &op : block.without_terminator())
    if (!llvm::all_of(op.getResults(), canCross))
      return false;
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(*block.getParent(), used);
  return llvm::all_of(used, canCross) &&
         llvm::all_of(block.getArguments(), canCross);
}

Block *ChunkFrame::ownerOf(Block &block) {
  Block *owner = &block;
  while (!isa<scf::ParallelOp, func::FuncOp>(owner->getParentOp()))
    owner = owner->getParentOp()->getBlock();
  return owner;
}

ChunkFrame::ChunkFrame(Block &owner) : owner(owner) {
  OpBuilder builder = OpBuilder::atBlockBegin(&owner);
  Location loc = owner.getParentOp()->getLoc();
  Value count = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  memory = LLVM::AllocaOp::create(builder, loc, pointer, builder.getI64Type(),
                                  count);
  prologue.insert(count.getDefiningOp());
  prologue.insert(memory);
}

bool ChunkFrame::isOurs(Region *region) {
  for (; region; region = region->getParentRegion())
    if (region == owner.getParent() || chunks.contains(region))
      return true;
  return false;
}

Value ChunkFrame::frameAt(Operation *op) {
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion()) {
    if (region == owner.getParent())
      break;
    if (chunks.contains(region))
      return region->getArgument(0);
  }
  return memory;
}

static Value addressOf(OpBuilder &builder, Location loc, Value frame,
                       int64_t slot) {
  return LLVM::GEPOp::create(
      builder, loc, frame.getType(), builder.getI64Type(), frame,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(slot)});
}

/// What a value is kept as: LLVM has no type for floats of 8 bits, and those
/// of 16 are integers below.
static Type memoryTypeOf(Type type) {
  if (isa<IndexType>(type))
    return IntegerType::get(type.getContext(), 64);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  return type;
}

/// What is made inside the owner is saved where it is made; what comes from
/// outside, at its start.
void ChunkFrame::save(Value value, int64_t slot) {
  OpBuilder builder(memory);
  bool isInside = isOurs(value.getParentRegion());
  Operation *made = value.getDefiningOp();
  bool isAtStart = !isInside || (!made && value.getParentBlock() == &owner);
  if (isAtStart)
    builder.setInsertionPointAfter(memory);
  else if (made)
    builder.setInsertionPointAfter(made);
  else
    builder.setInsertionPointToStart(value.getParentBlock());
  Location loc = value.getLoc();
  Value frame =
      isAtStart ? memory : frameAt(made ? made : &*builder.getInsertionPoint());
  // Where a block begins, its arguments are put into the frame, and that stays
  // there: in a chunk they would be read from where they are about to be put.
  // The same is true of memory, which is never made in a chunk.
  bool stays = isAtStart || !made || isa<LLVM::AllocaOp>(made);
  auto &ours = stays ? prologue : saves;
  Value stored = value;
  if (Type type = memoryTypeOf(value.getType()); type != value.getType()) {
    stored =
        isa<IndexType>(value.getType())
            ? arith::IndexCastOp::create(builder, loc, type, value).getResult()
            : arith::BitcastOp::create(builder, loc, type, value).getResult();
    ours.insert(stored.getDefiningOp());
  }
  Value address = addressOf(builder, loc, frame, slot);
  ours.insert(address.getDefiningOp());
  ours.insert(LLVM::StoreOp::create(builder, loc, stored, address));
}

int64_t ChunkFrame::slotOf(Value value) {
  auto [known, isNew] = slots.try_emplace(value, slots.size());
  int64_t slot = known->second;
  if (isNew) {
    Value count = memory.getArraySize();
    count.getDefiningOp<arith::ConstantOp>().setValueAttr(
        IntegerAttr::get(count.getType(), slots.size()));
    save(value, slot);
  }
  return slot;
}

Value ChunkFrame::bring(Value value, OpBuilder &builder, IRMapping &inside,
                        Value frame) {
  if (value == memory)
    return frame;
  if (Value known = inside.lookupOrNull(value))
    return known;
  Value brought;
  Operation *made = value.getDefiningOp();
  if (isRepeated(made)) {
    for (Value operand : made->getOperands())
      bring(operand, builder, inside, frame);
    brought = builder.clone(*made, inside)->getResult(0);
  } else {
    Location loc = value.getLoc();
    Type type = value.getType();
    Type kept = memoryTypeOf(type);
    Value address = addressOf(builder, loc, frame, slotOf(value));
    brought = LLVM::LoadOp::create(builder, loc, kept, address);
    if (isa<IndexType>(type))
      brought = arith::IndexCastOp::create(builder, loc, type, brought);
    else if (kept != type)
      brought = arith::BitcastOp::create(builder, loc, type, brought);
  }
  inside.map(value, brought);
  return brought;
}

void ChunkFrame::bringOperands(Operation *op, OpBuilder &builder,
                               IRMapping &inside, Region &visible,
                               Value frame) {
  op->walk([&](Operation *user) {
    for (OpOperand &operand : user->getOpOperands()) {
      Region *made = operand.get().getParentRegion();
      if (!visible.isAncestor(made) && operand.get() != frame)
        operand.set(bring(operand.get(), builder, inside, frame));
    }
  });
}

void ChunkFrame::outline(ArrayRef<Operation *> ops, SymbolTable &symbols) {
  Location loc = ops.front()->getLoc();
  auto parent = ops.front()->getParentOfType<func::FuncOp>();
  Value frame = frameAt(ops.front());
  OpBuilder builder(parent);
  auto chunk =
      func::FuncOp::create(loc, (parent.getName() + "_part").str(),
                           builder.getFunctionType(memory.getType(), {}));
  chunk.setPrivate();
  chunk->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  symbols.insert(chunk);
  builder.setInsertionPoint(ops.front());
  func::CallOp::create(builder, loc, chunk, frame);
  Block *body = chunk.addEntryBlock();
  chunks.insert(&chunk.getBody());
  builder.setInsertionPointToEnd(body);
  Operation *end = func::ReturnOp::create(builder, loc);
  for (Operation *op : ops)
    op->moveBefore(end);
  IRMapping inside;
  builder.setInsertionPoint(ops.front());
  for (Operation *op : ops)
    bringOperands(op, builder, inside, chunk.getBody(), body->getArgument(0));
}

void ChunkFrame::reconnect(Block &block) {
  Region *root = block.getParent();
  while (!isa<func::FuncOp>(root->getParentOp()))
    root = root->getParentRegion();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    OpBuilder builder(&op);
    IRMapping inside;
    bringOperands(&op, builder, inside, *root, frameAt(&op));
  }
}
