// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scf.parallel -> OpenMP threads, where the loop is worth it.

#include "tegula/backends/cpu/IndexMath.h"
#include "tegula/backends/cpu/ParallelWork.h"
#include "tegula/backends/cpu/SumLockNames.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tegula/backends/cpu/Passes.h"

namespace tegula {
#define GEN_PASS_DEF_CPUPARALLELTOOPENMP
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

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

static bool isLock(LLVM::CallOp call) {
  StringRef callee = call.getCallee().value_or("");
  return callee == lockSumName || callee == unlockSumName;
}

/// The same for a thread that is alone and waits for nobody.
static func::FuncOp withoutLocks(func::FuncOp turn, SymbolTable &symbols) {
  bool hasLocks = turn.walk([](LLVM::CallOp call) {
                        return isLock(call) ? WalkResult::interrupt()
                                            : WalkResult::advance();
                      })
                      .wasInterrupted();
  if (!hasLocks)
    return turn;
  func::FuncOp alone = turn.clone();
  symbols.insert(alone, std::next(Block::iterator(turn)));
  alone.walk([](LLVM::CallOp call) {
    if (isLock(call))
      call.erase();
  });
  return alone;
}

/// As many threads as there are pieces of work worth one, and not more than
/// the runtime gives.
static Value countThreads(OpBuilder &builder, Location loc, Value work,
                          int64_t leastWork) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  constexpr StringLiteral name = "omp_get_max_threads";
  Type i32 = builder.getI32Type();
  auto routine = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!routine) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    routine = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                                       LLVM::LLVMFunctionType::get(i32, {}));
  }
  Value piece = arith::ConstantIndexOp::create(
      builder, loc, std::max<int64_t>(1, leastWork / 2));
  Value pieces = arith::DivUIOp::create(builder, loc, work, piece);
  Value number = arith::IndexCastOp::create(builder, loc, i32, pieces);
  Value most =
      LLVM::CallOp::create(builder, loc, routine, ValueRange()).getResult();
  return arith::MinSIOp::create(builder, loc, number, most);
}

static void shareTurns(OpBuilder &builder, Location loc, scf::ParallelOp loop,
                       Value threads, function_ref<void(ValueRange)> emitTurn) {
  omp::ParallelOperands clauses;
  clauses.numThreads = threads;
  auto parallel = omp::ParallelOp::create(builder, loc, clauses);
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

/// Waking threads costs from 2 to 50 microseconds, and a parallel region of one
/// thread still half a microsecond, so small calls go around it.
static void toOpenMP(scf::ParallelOp loop, int64_t leastWork,
                     SymbolTable &symbols) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  bool isDecided = loop->hasAttr(turnPerThreadAttrName);
  Value turns = loop.getUpperBound().front();
  Value work = isDecided ? turns : emitWork(builder, loop, leastWork);
  SmallVector<Value> captured;
  func::FuncOp turn = outlineBody(loop, symbols, captured);
  auto call = [&](func::FuncOp callee, ValueRange inductions) {
    SmallVector<Value> arguments(inductions);
    llvm::append_range(arguments, captured);
    func::CallOp::create(builder, loc, callee, arguments);
  };
  Value least =
      arith::ConstantIndexOp::create(builder, loc, isDecided ? 2 : leastWork);
  Value pays = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                     work, least);
  auto branch = scf::IfOp::create(builder, loc, pays, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value threads = isDecided ? Value(arith::IndexCastOp::create(
                                  builder, loc, builder.getI32Type(), turns))
                            : countThreads(builder, loc, work, leastWork);
  shareTurns(builder, loc, loop, threads,
             [&](ValueRange inductions) { call(turn, inductions); });
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> inductions;
  for (auto [lower, upper, step] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    auto inOrder = scf::ForOp::create(builder, loc, lower, upper, step);
    builder.setInsertionPointToStart(inOrder.getBody());
    inductions.push_back(inOrder.getInductionVar());
  }
  call(withoutLocks(turn, symbols), inductions);
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
