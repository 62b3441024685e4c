// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scf.parallel -> OpenMP threads, where the loop is worth it.

#include "tegula/backends/cpu/IndexMath.h"
#include "tegula/backends/cpu/ParallelWork.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tegula/backends/cpu/Passes.h"

namespace tegula {
#define GEN_PASS_DEF_CPUPARALLELTOOPENMP
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// How often the loop turns, all its dimensions together.
static Value countTurns(OpBuilder &builder, scf::ParallelOp loop) {
  Location loc = loop.getLoc();
  IndexMath math(builder, loc);
  OpFoldResult turns = math.constant(1);
  for (auto [lower, upper, step] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    OpFoldResult length =
        math.sub(IndexMath::fold(upper), IndexMath::fold(lower));
    OpFoldResult last = math.sub(IndexMath::fold(step), math.constant(1));
    Value rounded =
        math.value(math.max(math.add(length, last), math.constant(0)));
    Value count = arith::DivSIOp::create(builder, loc, rounded, step);
    turns = math.mul(turns, count);
  }
  return math.value(turns);
}

/// True where the loop has enough turns: at least 2, and together at least
/// `leastWork` elements.
static Value paysOff(OpBuilder &builder, scf::ParallelOp loop,
                     int64_t leastWork) {
  int64_t work = 1;
  if (auto known = loop->getAttrOfType<IntegerAttr>(workAttrName))
    work = std::max<int64_t>(1, known.getInt());
  int64_t leastTurns = std::max<int64_t>(2, llvm::divideCeil(leastWork, work));
  IndexMath math(builder, loop.getLoc());
  return arith::CmpIOp::create(
      builder, loop.getLoc(), arith::CmpIPredicate::sge,
      countTurns(builder, loop), math.value(math.constant(leastTurns)));
}

/// Moves the body of the loop to a function of the induction variables and of
/// what it captures, which `captured` gets. Constants are made anew inside.
static func::FuncOp outlineBody(scf::ParallelOp loop, SymbolTable &symbols,
                                SmallVectorImpl<Value> &captured) {
  auto parent = loop->getParentOfType<func::FuncOp>();
  OpBuilder builder(parent->getContext());
  builder.setInsertionPointAfter(parent);
  Region &body = loop.getRegion();
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(body, used);
  builder.setInsertionPointToStart(&body.front());
  for (Value value : used) {
    Operation *op = value.getDefiningOp();
    if (!op || !op->hasTrait<OpTrait::ConstantLike>()) {
      captured.push_back(value);
      continue;
    }
    replaceAllUsesInRegionWith(value, builder.clone(*op)->getResult(0), body);
  }
  SmallVector<Type> types(loop.getNumLoops(), builder.getIndexType());
  llvm::append_range(types, ValueRange(captured).getTypes());
  auto turn =
      func::FuncOp::create(loop.getLoc(), (parent.getName() + "_turn").str(),
                           builder.getFunctionType(types, {}));
  turn.setPrivate();
  turn->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  symbols.insert(turn, std::next(Block::iterator(parent)));
  Operation *end = body.front().getTerminator();
  builder.setInsertionPoint(end);
  func::ReturnOp::create(builder, loop.getLoc());
  end->erase();
  turn.getBody().takeBody(body);
  for (Value value : captured)
    replaceAllUsesInRegionWith(
        value, turn.getBody().addArgument(value.getType(), value.getLoc()),
        turn.getBody());
  return turn;
}

static void shareTurns(OpBuilder &builder, Location loc, scf::ParallelOp loop,
                       function_ref<void(ValueRange)> emitTurn) {
  auto parallel =
      omp::ParallelOp::create(builder, loc, omp::ParallelOperands());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&parallel.getRegion());
  auto share = omp::WsloopOp::create(builder, loc, omp::WsloopOperands());
  omp::TerminatorOp::create(builder, loc);
  builder.createBlock(&share.getRegion());
  omp::LoopNestOperands bounds;
  bounds.loopLowerBounds = llvm::to_vector(loop.getLowerBound());
  bounds.loopUpperBounds = llvm::to_vector(loop.getUpperBound());
  bounds.loopSteps = llvm::to_vector(loop.getStep());
  bounds.collapseNumLoops = builder.getI64IntegerAttr(loop.getNumLoops());
  auto nest = omp::LoopNestOp::create(builder, loc, bounds);
  SmallVector<Type> types(loop.getNumLoops(), builder.getIndexType());
  SmallVector<Location> locations(loop.getNumLoops(), loc);
  Block *block = builder.createBlock(&nest.getRegion(), {}, types, locations);
  emitTurn(block->getArguments());
  omp::YieldOp::create(builder, loc, ValueRange());
}

/// Entering a parallel region of one thread still costs half a microsecond, so
/// small loops go around it.
static void toOpenMP(scf::ParallelOp loop, int64_t leastWork,
                     SymbolTable &symbols) {
  SmallVector<Value> captured;
  func::FuncOp turn = outlineBody(loop, symbols, captured);
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto emitTurn = [&](ValueRange inductions) {
    SmallVector<Value> arguments(inductions);
    llvm::append_range(arguments, captured);
    func::CallOp::create(builder, loc, turn, arguments);
  };
  auto branch =
      scf::IfOp::create(builder, loc, paysOff(builder, loop, leastWork),
                        /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  shareTurns(builder, loc, loop, emitTurn);
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> inductions;
  for (auto [lower, upper, step] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    auto inOrder = scf::ForOp::create(builder, loc, lower, upper, step);
    builder.setInsertionPointToStart(inOrder.getBody());
    inductions.push_back(inOrder.getInductionVar());
  }
  emitTurn(inductions);
  loop.erase();
}

namespace {

struct CpuParallelToOpenMPPass
    : tegula::impl::CpuParallelToOpenMPBase<CpuParallelToOpenMPPass> {
  using Parent = tegula::impl::CpuParallelToOpenMPBase<CpuParallelToOpenMPPass>;
  using Parent::Parent;

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
    SymbolTable symbols(getOperation());
    for (scf::ParallelOp loop : loops)
      toOpenMP(loop, leastWork, symbols);
  }
};

} // namespace
