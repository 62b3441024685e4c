// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/OutlineItems.h"

#include "tegula/backends/npu/trace/CallHooks.h"
#include "tegula/support/TraceAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tegula;

/// The number of iterations along each axis of the loop.
static SmallVector<Value> countIterations(OpBuilder &builder,
                                          scf::ParallelOp loop) {
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> counts;
  for (auto [lower, upper, step] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    Value length = arith::SubIOp::create(builder, loc, upper, lower);
    length = arith::MaxSIOp::create(builder, loc, length, zero);
    Value last = arith::SubIOp::create(builder, loc, step, one);
    length = arith::AddIOp::create(builder, loc, length, last);
    counts.push_back(arith::DivUIOp::create(builder, loc, length, step));
  }
  return counts;
}

/// What the loop's body uses from outside; constants are made anew inside.
static SmallVector<Value> capture(OpBuilder &builder, scf::ParallelOp loop,
                                  ValueRange counts) {
  Region &body = loop.getRegion();
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(body, used);
  SmallVector<Value> captured;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body.front());
  for (Value value : used) {
    Operation *op = value.getDefiningOp();
    if (op && op->hasTrait<OpTrait::ConstantLike>())
      replaceAllUsesInRegionWith(value, builder.clone(*op)->getResult(0), body);
    else
      captured.push_back(value);
  }
  // The place of an item is found from these.
  for (Value more : counts)
    if (!llvm::is_contained(captured, more))
      captured.push_back(more);
  for (auto bounds : {loop.getLowerBound(), loop.getStep()})
    for (Value bound : bounds)
      if (!llvm::is_contained(captured, bound))
        captured.push_back(bound);
  return captured;
}

namespace {

/// Makes the function of one loop.
class ItemOutliner {
public:
  ItemOutliner(scf::ParallelOp loop, func::FuncOp parent, SymbolTable &symbols)
      : loop(loop), parent(parent), symbols(symbols),
        builder(loop->getContext()), loc(loop.getLoc()) {}

  LogicalResult run() {
    builder.setInsertionPoint(loop);
    counts = countIterations(builder, loop);
    captured = capture(builder, loop, counts);
    self = parent.getArguments().back();
    // The call is the item's own.
    llvm::erase(captured, self);
    CallHooks hooks(builder, parent);
    SmallVector<Value> bits;
    for (Value value : captured) {
      bits.push_back(hooks.toBits(value, value.getLoc()));
      if (!bits.back())
        return loop.emitError("an iteration of this loop uses a ")
               << value.getType() << " that only a run knows";
    }
    func::FuncOp item = makeItem();
    Value memory = hooks.store(bits, loc);
    Type function = item.getFunctionType();
    Value address = func::ConstantOp::create(
        builder, loc, function, FlatSymbolRefAttr::get(item.getNameAttr()));
    address = UnrealizedConversionCastOp::create(builder, loc, self.getType(),
                                                 address)
                  .getResult(0);
    Value all = hooks.constant(1, loc);
    for (Value count : counts)
      all = arith::MulIOp::create(builder, loc, all, hooks.toBits(count, loc));
    hooks.call(Hook::Launch,
               {address, memory, hooks.constant(bits.size(), loc), all}, loc);
    loop.erase();
    return success();
  }

private:
  func::FuncOp makeItem() {
    OpBuilder::InsertionGuard guard(builder);
    Type pointer = self.getType();
    auto item = func::FuncOp::create(
        loc, (parent.getName() + "_item").str(),
        builder.getFunctionType({pointer, builder.getI64Type(), pointer}, {}));
    item.setPrivate();
    item->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
    symbols.insert(item, std::next(Block::iterator(parent)));
    Block *entry = item.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    CallHooks hooks(builder, item);
    IRMapping inside;
    inside.map(self, item.getArgument(2));
    for (auto [position, value] : llvm::enumerate(captured))
      inside.map(value,
                 hooks.fromBits(hooks.load(item.getArgument(0), position, loc),
                                value.getType(), loc));
    mapInductions(inside, hooks.fromBits(item.getArgument(1),
                                         builder.getIndexType(), loc));
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, inside);
    func::ReturnOp::create(builder, loc);
    return item;
  }

  /// The last axis is the fastest.
  void mapInductions(IRMapping &inside, Value index) {
    for (size_t axis = counts.size(); axis-- > 0;) {
      Value count = inside.lookup(counts[axis]);
      Value iteration = arith::RemUIOp::create(builder, loc, index, count);
      index = arith::DivUIOp::create(builder, loc, index, count);
      Value lower = inside.lookup(loop.getLowerBound()[axis]);
      Value step = inside.lookup(loop.getStep()[axis]);
      Value distance = arith::MulIOp::create(builder, loc, iteration, step);
      inside.map(
          loop.getInductionVars()[axis],
          arith::AddIOp::create(builder, loc, lower, distance).getResult());
    }
  }

  scf::ParallelOp loop;
  func::FuncOp parent;
  SymbolTable &symbols;
  OpBuilder builder;
  Location loc;
  SmallVector<Value> counts, captured;
  Value self;
};

} // namespace

/// A loop inside an item runs in order.
static void runInOrder(scf::ParallelOp loop) {
  OpBuilder builder(loop);
  IRMapping inside;
  for (auto [lower, upper, step, induction] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                 loop.getInductionVars())) {
    auto inOrder =
        scf::ForOp::create(builder, loop.getLoc(), lower, upper, step);
    builder.setInsertionPointToStart(inOrder.getBody());
    inside.map(induction, inOrder.getInductionVar());
  }
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, inside);
  loop.erase();
}

/// Emits an event without numbers.
static void emit(CallHooks &hooks, OpBuilder &builder, TegulaTraceKind kind,
                 Location loc) {
  Value which = arith::ConstantIntOp::create(builder, loc, kind, 32);
  hooks.call(Hook::Emit, {which, hooks.store({}, loc)}, loc);
}

static void emitInOrder(scf::ParallelOp loop) {
  auto parent = loop->getParentOfType<func::FuncOp>();
  OpBuilder builder(loop);
  CallHooks hooks(builder, parent);
  Location loc = loop.getLoc();
  Value all = hooks.constant(1, loc);
  for (Value count : countIterations(builder, loop))
    all = arith::MulIOp::create(builder, loc, all, hooks.toBits(count, loc));
  Value null = LLVM::ZeroOp::create(builder, loc,
                                    parent.getArguments().back().getType());
  hooks.call(Hook::Launch, {null, null, hooks.constant(0, loc), all}, loc);
  builder.setInsertionPointAfter(loop);
  emit(hooks, builder, TegulaTraceItemsEnd, loc);
  builder.setInsertionPointToStart(loop.getBody());
  emit(hooks, builder, TegulaTraceItemBegins, loc);
}

void tegula::emitItemsInOrder(ModuleOp module) {
  SmallVector<scf::ParallelOp> loops;
  module.walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
  for (scf::ParallelOp loop : loops)
    if (!loop->getParentOfType<scf::ParallelOp>())
      emitInOrder(loop);
  for (scf::ParallelOp loop : loops)
    runInOrder(loop);
}

LogicalResult tegula::outlineItems(ModuleOp module) {
  SmallVector<scf::ParallelOp> nested;
  module.walk([&](scf::ParallelOp loop) {
    if (loop->getParentOfType<scf::ParallelOp>())
      nested.push_back(loop);
  });
  for (scf::ParallelOp loop : nested)
    runInOrder(loop);
  SymbolTable symbols(module);
  SmallVector<scf::ParallelOp> loops;
  module.walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
  for (scf::ParallelOp loop : loops)
    if (failed(
            ItemOutliner(loop, loop->getParentOfType<func::FuncOp>(), symbols)
                .run()))
      return failure();
  return success();
}
