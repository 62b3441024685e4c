// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scf.parallel -> OpenMP threads, where the loop is worth it.

#include "tegula/backends/cpu/IndexMath.h"
#include "tegula/backends/cpu/ParallelWork.h"
#include "tegula/backends/cpu/StagedRows.h"
#include "tegula/backends/cpu/SumLockNames.h"
#include "tegula/backends/cpu/TurnScratch.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tegula/backends/cpu/Passes.h"

namespace tegula {
#define GEN_PASS_DEF_CPUPARALLELTOOPENMP
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The scratch memory that each turn takes first and gives back last.
struct TurnFrame {
  LLVM::CallOp push;
  scf::IfOp guard;
  LLVM::CallOp pop;
};

static bool calls(Operation &op, StringRef name) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == name;
}

/// True for a buffer of staged rows, and for its size.
static bool isStage(Operation *op) {
  return op->hasAttr(stageAttrName) ||
         (isa<LLVM::ConstantOp>(op) &&
          llvm::all_of(op->getUsers(), [](Operation *user) {
            return user->hasAttr(stageAttrName);
          }));
}

/// push; if it is there: ... pop
static std::optional<TurnFrame> findFrame(Block &turn) {
  Operation *first = &turn.front();
  while (isStage(first))
    first = first->getNextNode();
  if (!calls(*first, "tegulaScratchPush"))
    return std::nullopt;
  auto push = cast<LLVM::CallOp>(first);
  auto guard = dyn_cast_or_null<scf::IfOp>(turn.getTerminator()->getPrevNode());
  if (!guard || guard.getNumResults() != 0)
    return std::nullopt;
  Operation *last = guard.thenBlock()->getTerminator()->getPrevNode();
  if (!last || !calls(*last, "tegulaScratchPop") ||
      last->getOperand(0) != push.getResult())
    return std::nullopt;
  for (Operation *op = push->getNextNode(); op != guard; op = op->getNextNode())
    if (!isPure(op) || llvm::any_of(op->getOperands(), [&](Value operand) {
          return operand.getParentBlock() == &turn &&
                 isa<BlockArgument>(operand);
        }))
      return std::nullopt;
  return TurnFrame{push, guard, cast<LLVM::CallOp>(last)};
}

/// Makes the body of the function the turns of a loop from `from` to `to`, all
/// in the scratch memory that a turn takes.
static void loopOverTurns(Block &entry, Value induction, Value from, Value to,
                          Value step, Location loc) {
  OpBuilder builder(&entry, std::prev(entry.end()));
  std::optional<TurnFrame> frame = findFrame(entry);
  Block *around = frame ? frame->guard.thenBlock() : &entry;
  Operation *end = frame ? frame->pop.getOperation() : entry.getTerminator();
  builder.setInsertionPoint(end);
  auto loop = scf::ForOp::create(builder, loc, from, to, step);
  loop.getBody()->getOperations().splice(
      loop.getBody()->begin(), around->getOperations(), around->begin(),
      Block::iterator(loop));
  induction.replaceAllUsesWith(loop.getInductionVar());
  // All turns use the same buffers.
  SmallVector<Operation *> stages;
  for (Operation &op : loop.getBody()->without_terminator())
    if (isStage(&op))
      stages.push_back(&op);
  for (Operation *stage : llvm::reverse(stages))
    stage->moveBefore(&entry, entry.begin());
  takeScratchOnce(loop);
}

/// Moves the body of the loop to a function of the induction variables, but of
/// the last one a range, and of what it captures, which `captured` gets.
/// Constants are made anew inside.
static func::FuncOp outlineBody(scf::ParallelOp loop, SymbolTable &symbols,
                                SmallVectorImpl<Value> &captured) {
  auto parent = loop->getParentOfType<func::FuncOp>();
  OpBuilder builder(parent->getContext());
  builder.setInsertionPointAfter(parent);
  Region &body = loop.getRegion();
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(body, used);
  SmallVector<Operation *> constants;
  for (Value value : used) {
    Operation *op = value.getDefiningOp();
    if (!op || !op->hasTrait<OpTrait::ConstantLike>())
      captured.push_back(value);
    else
      constants.push_back(op);
  }
  SmallVector<Type> types(loop.getNumLoops() + 2, builder.getIndexType());
  llvm::append_range(types, ValueRange(captured).getTypes());
  Location loc = loop.getLoc();
  auto turns = func::FuncOp::create(loc, (parent.getName() + "_turns").str(),
                                    builder.getFunctionType(types, {}));
  turns.setPrivate();
  turns->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  symbols.insert(turns, std::next(Block::iterator(parent)));
  Operation *end = body.front().getTerminator();
  builder.setInsertionPoint(end);
  func::ReturnOp::create(builder, loc);
  end->erase();
  turns.getBody().takeBody(body);
  Block &entry = turns.getBody().front();
  BlockArgument induction = entry.getArguments().back();
  auto addIndex = [&]() {
    return entry.addArgument(builder.getIndexType(), loc);
  };
  Value from = addIndex(), to = addIndex(), step = addIndex();
  loopOverTurns(entry, induction, from, to, step, loc);
  entry.eraseArgument(induction.getArgNumber());
  for (Value value : captured)
    replaceAllUsesInRegionWith(
        value, entry.addArgument(value.getType(), value.getLoc()),
        turns.getBody());
  builder.setInsertionPointToStart(&entry);
  for (Operation *op : constants)
    replaceAllUsesInRegionWith(
        op->getResult(0), builder.clone(*op)->getResult(0), turns.getBody());
  return turns;
}

/// True if it stores past the caches.
static bool streams(func::FuncOp turns) {
  return turns
      .walk([](vector::StoreOp store) {
        return store.getNontemporal() ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isLock(LLVM::CallOp call) {
  StringRef callee = call.getCallee().value_or("");
  return callee == lockSumName || callee == unlockSumName;
}

/// The same for a thread that is alone and waits for nobody.
static func::FuncOp withoutLocks(func::FuncOp turns, SymbolTable &symbols) {
  bool hasLocks = turns
                      .walk([](LLVM::CallOp call) {
                        return isLock(call) ? WalkResult::interrupt()
                                            : WalkResult::advance();
                      })
                      .wasInterrupted();
  if (!hasLocks)
    return turns;
  func::FuncOp alone = turns.clone();
  symbols.insert(alone, std::next(Block::iterator(turns)));
  alone.walk([](LLVM::CallOp call) {
    if (isLock(call))
      call.erase();
  });
  return alone;
}

/// A number that OpenMP has.
static Value askOpenMP(OpBuilder &builder, Location loc, StringRef name) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  Type i32 = builder.getI32Type();
  auto routine = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!routine) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    routine = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                                       LLVM::LLVMFunctionType::get(i32, {}));
  }
  return LLVM::CallOp::create(builder, loc, routine, ValueRange()).getResult();
}

/// As many threads as there are pieces of work worth one, and not more than
/// the runtime gives; one, which the runtime is not asked for, where sharing
/// does not pay.
static Value countThreads(OpBuilder &builder, Location loc, Value work,
                          int64_t leastWork) {
  Type i32 = builder.getI32Type();
  Value least = arith::ConstantIndexOp::create(builder, loc, leastWork);
  Value pays = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                     work, least);
  auto branch =
      scf::IfOp::create(builder, loc, i32, pays, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value piece = arith::ConstantIndexOp::create(
      builder, loc, std::max<int64_t>(1, leastWork / 2));
  Value pieces = arith::DivUIOp::create(builder, loc, work, piece);
  Value number = arith::IndexCastOp::create(builder, loc, i32, pieces);
  Value most = askOpenMP(builder, loc, "omp_get_max_threads");
  Value threads = arith::MinSIOp::create(builder, loc, number, most);
  scf::YieldOp::create(builder, loc, threads);
  builder.setInsertionPointToStart(branch.elseBlock());
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  scf::YieldOp::create(builder, loc, one);
  return branch.getResult(0);
}

static Value divideUp(OpBuilder &builder, Location loc, Value number,
                      Value by) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value more = arith::SubIOp::create(builder, loc, by, one);
  number = arith::AddIOp::create(builder, loc, number, more);
  return arith::DivUIOp::create(builder, loc, number, by);
}

/// The turns of a loop that has a step of its own; none if it runs backwards.
static Value countTurns(OpBuilder &builder, Location loc, Value lower,
                        Value upper, Value step) {
  Value way = arith::SubIOp::create(builder, loc, upper, lower);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  way = arith::MaxSIOp::create(builder, loc, way, zero);
  return divideUp(builder, loc, way, step);
}

/// The pieces of the thread that asks, in one row with those of all others.
static scf::ForOp loopOverPieces(OpBuilder &builder, Location loc,
                                 Value pieces) {
  auto ask = [&](StringRef name) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      askOpenMP(builder, loc, name));
  };
  Value each = divideUp(builder, loc, pieces, ask("omp_get_num_threads"));
  Value first =
      arith::MulIOp::create(builder, loc, each, ask("omp_get_thread_num"));
  Value last = arith::AddIOp::create(builder, loc, first, each);
  last = arith::MinSIOp::create(builder, loc, last, pieces);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return scf::ForOp::create(builder, loc, first, last, one);
}

/// Loops that threads share: `emitPiece` gets where it is in every loop, and
/// `emitEnd` says what a thread does after its last piece.
/// OpenMP's own way to share a loop out costs a microsecond.
static void shareLoops(OpBuilder &builder, Location loc, Value threads,
                       ValueRange lower, ValueRange upper, ValueRange step,
                       function_ref<void(ValueRange)> emitPiece,
                       function_ref<void()> emitEnd) {
  SmallVector<Value> turns;
  for (auto [from, to, by] : llvm::zip(lower, upper, step))
    turns.push_back(countTurns(builder, loc, from, to, by));
  Value pieces = turns.front();
  for (Value more : ArrayRef(turns).drop_front())
    pieces = arith::MulIOp::create(builder, loc, pieces, more);
  omp::ParallelOperands clauses;
  clauses.numThreads = threads;
  auto parallel = omp::ParallelOp::create(builder, loc, clauses);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&parallel.getRegion());
  scf::ForOp loop = loopOverPieces(builder, loc, pieces);
  emitEnd();
  omp::TerminatorOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  Value left = loop.getInductionVar();
  SmallVector<Value> inductions(lower.size());
  for (size_t position = lower.size(); position-- > 0;) {
    Value turn = left;
    if (position != 0) {
      turn = arith::RemUIOp::create(builder, loc, left, turns[position]);
      left = arith::DivUIOp::create(builder, loc, left, turns[position]);
    }
    Value way = arith::MulIOp::create(builder, loc, turn, step[position]);
    inductions[position] =
        arith::AddIOp::create(builder, loc, lower[position], way);
  }
  emitPiece(inductions);
}

/// How far a piece of a loop goes if each thread has one: whole turns, and at
/// least one.
static Value pieceOfThread(OpBuilder &builder, scf::ParallelOp loop,
                           Value threads) {
  Location loc = loop.getLoc();
  Value step = loop.getStep().front();
  Value turns = countTurns(builder, loc, loop.getLowerBound().front(),
                           loop.getUpperBound().front(), step);
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), threads);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value each = arith::MaxSIOp::create(
      builder, loc, divideUp(builder, loc, turns, number), one);
  return arith::MulIOp::create(builder, loc, each, step);
}

/// The turns of one loop go to threads in pieces, those of several one by one.
static void shareTurns(OpBuilder &builder, scf::ParallelOp loop, Value threads,
                       function_ref<void(ValueRange, Value)> emitTurns,
                       function_ref<void()> emitEnd) {
  Location loc = loop.getLoc();
  SmallVector<Value> step(loop.getStep());
  if (loop.getNumLoops() == 1)
    step.front() = pieceOfThread(builder, loop, threads);
  shareLoops(
      builder, loc, threads, loop.getLowerBound(), loop.getUpperBound(), step,
      [&](ValueRange inductions) {
        Value end =
            arith::AddIOp::create(builder, loc, inductions.back(), step.back());
        end = arith::MinSIOp::create(builder, loc, end,
                                     loop.getUpperBound().back());
        emitTurns(inductions, end);
      },
      emitEnd);
}

/// Waking threads costs from 2 to 50 microseconds, and a parallel region of one
/// thread still half a microsecond, so small calls, and those of a process that
/// has one thread, go around it.
static void toOpenMP(scf::ParallelOp loop, int64_t leastWork,
                     SymbolTable &symbols) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  bool isDecided = loop->hasAttr(turnPerThreadAttrName);
  Value turns = loop.getUpperBound().front();
  Value work = isDecided ? turns : emitWork(builder, loop, leastWork);
  SmallVector<Value> captured;
  func::FuncOp body = outlineBody(loop, symbols, captured);
  auto call = [&](func::FuncOp callee, ValueRange inductions, Value to) {
    SmallVector<Value> arguments(inductions);
    arguments.append({to, loop.getStep().back()});
    llvm::append_range(arguments, captured);
    func::CallOp::create(builder, loc, callee, arguments);
  };
  Value threads = isDecided ? Value(arith::IndexCastOp::create(
                                  builder, loc, builder.getI32Type(), turns))
                            : countThreads(builder, loc, work, leastWork);
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  Value areSeveral = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sgt, threads, one);
  auto branch =
      scf::IfOp::create(builder, loc, areSeveral, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  shareTurns(
      builder, loop, threads,
      [&](ValueRange inductions, Value to) { call(body, inductions, to); },
      [&] {
        // What a thread stored past the caches is there when it meets others.
        if (streams(body))
          LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst,
                                /*syncscope=*/"");
      });
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> inductions;
  for (unsigned outer = 0; outer + 1 < loop.getNumLoops(); ++outer) {
    auto inOrder =
        scf::ForOp::create(builder, loc, loop.getLowerBound()[outer],
                           loop.getUpperBound()[outer], loop.getStep()[outer]);
    builder.setInsertionPointToStart(inOrder.getBody());
    inductions.push_back(inOrder.getInductionVar());
  }
  inductions.push_back(loop.getLowerBound().back());
  call(withoutLocks(body, symbols), inductions, loop.getUpperBound().back());
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
