// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scf.parallel -> iterations that threads share, where the loop is worth it.

#include "tegula/backends/codegen/IndexMath.h"
#include "tegula/backends/cpu/threads/IterationScratch.h"
#include "tegula/backends/cpu/threads/ParallelWork.h"
#include "tegula/backends/cpu/threads/SharedBody.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/support/Routines.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {
#define GEN_PASS_DEF_CPUPARALLELTOTHREADS
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The scratch memory that each iteration takes first and gives back last.
struct IterationFrame {
  LLVM::CallOp push;
  scf::IfOp guard;
  LLVM::CallOp pop;
};

static bool calls(Operation &op, StringRef name) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == name;
}

/// True for memory on the stack, such as a buffer of staged rows, and for its
/// size.
static bool isOnStack(Operation *op) {
  return isa<LLVM::AllocaOp>(op) ||
         (op->hasTrait<OpTrait::ConstantLike>() &&
          llvm::all_of(op->getUsers(), llvm::IsaPred<LLVM::AllocaOp>));
}

/// push; if it is there: ... pop
static std::optional<IterationFrame> findFrame(Block &iteration) {
  Operation *first = &iteration.front();
  while (isOnStack(first))
    first = first->getNextNode();
  if (!calls(*first, routine::tegulaScratchPush))
    return std::nullopt;
  auto push = cast<LLVM::CallOp>(first);
  auto guard =
      dyn_cast_or_null<scf::IfOp>(iteration.getTerminator()->getPrevNode());
  if (!guard || guard.getNumResults() != 0)
    return std::nullopt;
  Operation *last = guard.thenBlock()->getTerminator()->getPrevNode();
  if (!last || !calls(*last, routine::tegulaScratchPop) ||
      last->getOperand(0) != push.getResult())
    return std::nullopt;
  for (Operation *op = push->getNextNode(); op != guard; op = op->getNextNode())
    if (!isPure(op) || llvm::any_of(op->getOperands(), [&](Value operand) {
          return operand.getParentBlock() == &iteration &&
                 isa<BlockArgument>(operand);
        }))
      return std::nullopt;
  return IterationFrame{push, guard, cast<LLVM::CallOp>(last)};
}

/// All iterations use the same memory on the stack: what each took of it would
/// be there until the last one ends.
static void takeStackOnce(Block &entry, scf::ForOp iterations) {
  auto taken = llvm::to_vector(iterations.getBody()->getOps<LLVM::AllocaOp>());
  for (LLVM::AllocaOp memory : taken)
    memory->moveBefore(&entry, entry.begin());
  for (LLVM::AllocaOp memory : taken) {
    Operation *size = memory.getArraySize().getDefiningOp();
    assert(size && size->hasTrait<OpTrait::ConstantLike>() &&
           "every iteration takes equally much");
    if (entry.getParent()->isAncestor(size->getParentRegion()))
      size->moveBefore(&entry, entry.begin());
  }
}

/// What a function gets of each loop whose iterations it runs.
struct IterationRange {
  Value from, to, step;
};

/// Makes the body of the function the iterations of these loops, all in the
/// scratch memory that an iteration takes.
static void loopOverIterations(Block &entry, ValueRange inductions,
                               ArrayRef<IterationRange> ranges, Location loc) {
  OpBuilder builder(&entry, std::prev(entry.end()));
  std::optional<IterationFrame> frame = findFrame(entry);
  Block *around = frame ? frame->guard.thenBlock() : &entry;
  Operation *end = frame ? frame->pop.getOperation() : entry.getTerminator();
  builder.setInsertionPoint(end);
  SmallVector<scf::ForOp> loops;
  for (auto [induction, range] : llvm::zip(inductions, ranges)) {
    auto loop =
        scf::ForOp::create(builder, loc, range.from, range.to, range.step);
    induction.replaceAllUsesWith(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
    loops.push_back(loop);
  }
  Block *iteration = loops.back().getBody();
  iteration->getOperations().splice(iteration->begin(), around->getOperations(),
                                    around->begin(),
                                    Block::iterator(loops.front()));
  takeStackOnce(entry, loops.back());
  takeScratchOnce(loops.back());
}

/// Moves the body of the loop to a function of ranges of the induction
/// variables and of what it captures, which `captured` gets. Constants are made
/// anew inside.
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
  SmallVector<Type> types(3 * loop.getNumLoops(), builder.getIndexType());
  llvm::append_range(types, ValueRange(captured).getTypes());
  Location loc = loop.getLoc();
  auto iterations =
      func::FuncOp::create(loc, (parent.getName() + "_iterations").str(),
                           builder.getFunctionType(types, {}));
  iterations.setPrivate();
  iterations->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  symbols.insert(iterations, std::next(Block::iterator(parent)));
  Operation *end = body.front().getTerminator();
  builder.setInsertionPoint(end);
  func::ReturnOp::create(builder, loc);
  end->erase();
  iterations.getBody().takeBody(body);
  Block &entry = iterations.getBody().front();
  unsigned numLoops = entry.getNumArguments();
  auto addIndex = [&]() -> Value {
    return entry.addArgument(builder.getIndexType(), loc);
  };
  SmallVector<IterationRange> ranges;
  for (unsigned position = 0; position < numLoops; ++position) {
    Value from = addIndex(), to = addIndex(), step = addIndex();
    ranges.push_back({from, to, step});
  }
  SmallVector<Value> inductions(entry.getArguments().take_front(numLoops));
  loopOverIterations(entry, inductions, ranges, loc);
  entry.eraseArguments(0, numLoops);
  for (Value value : captured)
    replaceAllUsesInRegionWith(
        value, entry.addArgument(value.getType(), value.getLoc()),
        iterations.getBody());
  builder.setInsertionPointToStart(&entry);
  for (Operation *op : constants)
    replaceAllUsesInRegionWith(op->getResult(0),
                               builder.clone(*op)->getResult(0),
                               iterations.getBody());
  return iterations;
}

/// The function and all those of the module that it calls, or they call.
static SetVector<Operation *> functionsFrom(func::FuncOp iterations,
                                            SymbolTable &symbols) {
  SetVector<Operation *> reached;
  reached.insert(iterations);
  for (size_t next = 0; next < reached.size(); ++next)
    reached[next]->walk([&](func::CallOp call) {
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
        reached.insert(callee);
    });
  return reached;
}

static bool hasInside(Operation *function,
                      function_ref<bool(Operation *)> holds) {
  return function
      ->walk([&](Operation *op) {
        return holds(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isPastCaches(Operation *op) {
  auto store = dyn_cast<vector::StoreOp>(op);
  return store && store.getNontemporal();
}

static bool isLock(Operation *op) {
  return calls(*op, routine::tegulaLockReduction) ||
         calls(*op, routine::tegulaUnlockReduction);
}

/// True if it, or a function that it calls, stores past the caches.
static bool streams(func::FuncOp iterations, SymbolTable &symbols) {
  return llvm::any_of(
      functionsFrom(iterations, symbols),
      [](Operation *function) { return hasInside(function, isPastCaches); });
}

/// The same for a thread that is alone and waits for nobody. An iteration that
/// was cut may lock in one function and unlock in another: then all of them
/// stay.
static func::FuncOp withoutLocks(func::FuncOp iterations,
                                 SymbolTable &symbols) {
  SetVector<Operation *> locking = functionsFrom(iterations, symbols);
  locking.remove_if(
      [](Operation *function) { return !hasInside(function, isLock); });
  if (locking.size() != 1 || locking.front() != iterations)
    return iterations;
  func::FuncOp alone = iterations.clone();
  symbols.insert(alone, std::next(Block::iterator(iterations)));
  alone.walk([](LLVM::CallOp call) {
    if (isLock(call))
      call.erase();
  });
  return alone;
}

/// Calls a routine of the runtime.
static LLVM::CallOp callRuntime(OpBuilder &builder, Location loc,
                                StringRef name, TypeRange results,
                                ValueRange arguments) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto routine = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!routine) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    Type none = LLVM::LLVMVoidType::get(builder.getContext());
    auto type =
        LLVM::LLVMFunctionType::get(results.empty() ? none : results.front(),
                                    llvm::to_vector(arguments.getTypes()));
    routine = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  }
  return LLVM::CallOp::create(builder, loc, routine, arguments);
}

/// What `emit` makes where the condition holds, else one.
static Value oneUnless(OpBuilder &builder, Location loc, Value condition,
                       function_ref<Value()> emit) {
  auto branch = scf::IfOp::create(builder, loc, builder.getI32Type(), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emit());
  builder.setInsertionPointToStart(branch.elseBlock());
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  scf::YieldOp::create(builder, loc, one);
  return branch.getResult(0);
}

/// As many threads as there are chunks of work worth one, and not more than
/// `most`; one where sharing does not pay.
static Value threadsFor(OpBuilder &builder, Location loc, Value work,
                        int64_t leastWork, function_ref<Value()> most) {
  Value least = arith::ConstantIndexOp::create(builder, loc, leastWork);
  Value pays = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                     work, least);
  return oneUnless(builder, loc, pays, [&]() -> Value {
    Value grain = arith::ConstantIndexOp::create(
        builder, loc, std::max<int64_t>(1, leastWork / 2));
    Value grains = arith::DivUIOp::create(builder, loc, work, grain);
    Value number =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), grains);
    return arith::MinSIOp::create(builder, loc, number, most());
  });
}

/// The threads for a loop that the builder is before. In a process that has one
/// the work is not estimated: a small call would notice. Where it is a number,
/// it is known before whether to ask how many there are.
static Value countThreads(OpBuilder &builder, scf::ParallelOp loop,
                          int64_t leastWork) {
  Location loc = loop.getLoc();
  auto most = [&]() -> Value {
    return callRuntime(builder, loc, routine::tegulaCountThreads,
                       builder.getI32Type(), {})
        .getResult();
  };
  Operation *before = loop->getPrevNode();
  Value work = emitWork(builder, loop, leastWork);
  if (IndexMath::number(work))
    return threadsFor(builder, loc, work, leastWork, most);
  Block &around = *loop->getBlock();
  Block::iterator first =
      before ? std::next(Block::iterator(before)) : around.begin();
  builder.setInsertionPoint(&around, first);
  Value given = most();
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  Value areSeveral = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sgt, given, one);
  Value threads = oneUnless(builder, loc, areSeveral, [&] {
    Block &estimate = *builder.getBlock();
    estimate.getOperations().splice(estimate.begin(), around.getOperations(),
                                    first, Block::iterator(loop));
    return threadsFor(builder, loc, work, leastWork, [&] { return given; });
  });
  builder.setInsertionPoint(loop);
  return threads;
}

static Value divideUp(OpBuilder &builder, Location loc, Value number,
                      Value by) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value more = arith::SubIOp::create(builder, loc, by, one);
  number = arith::AddIOp::create(builder, loc, number, more);
  return arith::DivUIOp::create(builder, loc, number, by);
}

/// The iterations of a loop that has a step of its own; none if it runs
/// backwards.
static Value countIterations(OpBuilder &builder, Location loc, Value lower,
                             Value upper, Value step) {
  Value way = arith::SubIOp::create(builder, loc, upper, lower);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  way = arith::MaxSIOp::create(builder, loc, way, zero);
  return divideUp(builder, loc, way, step);
}

/// Where each loop is in an iteration of all of them together.
static SmallVector<Value> delinearize(OpBuilder &builder, scf::ParallelOp loop,
                                      ValueRange iterations, Value number) {
  Location loc = loop.getLoc();
  SmallVector<Value> position(iterations.size());
  for (size_t axis = iterations.size(); axis-- > 0;) {
    Value iteration = number;
    if (axis != 0) {
      iteration =
          arith::RemUIOp::create(builder, loc, number, iterations[axis]);
      number = arith::DivUIOp::create(builder, loc, number, iterations[axis]);
    }
    Value way =
        arith::MulIOp::create(builder, loc, iteration, loop.getStep()[axis]);
    position[axis] =
        arith::AddIOp::create(builder, loc, loop.getLowerBound()[axis], way);
  }
  return position;
}

/// Emits calls for the iterations from `first` to before `last`: one call where
/// there is one loop, and else one for each.
static void
callIterations(OpBuilder &builder, scf::ParallelOp loop, ValueRange iterations,
               Value first, Value last,
               function_ref<void(ValueRange, ValueRange)> emitCall) {
  Location loc = loop.getLoc();
  Value upper = loop.getUpperBound().back(), step = loop.getStep().back();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto emitTo = [&](ValueRange position, Value end) {
    SmallVector<Value> ends;
    for (Value outer : position.drop_back())
      ends.push_back(arith::AddIOp::create(builder, loc, outer, one));
    ends.push_back(arith::MinSIOp::create(builder, loc, end, upper));
    emitCall(position, ends);
  };
  if (iterations.size() == 1) {
    Value way = arith::MulIOp::create(builder, loc, last, step);
    Value end =
        arith::AddIOp::create(builder, loc, loop.getLowerBound().back(), way);
    return emitTo(delinearize(builder, loop, iterations, first), end);
  }
  auto each = scf::ForOp::create(builder, loc, first, last, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(each.getBody());
  SmallVector<Value> position =
      delinearize(builder, loop, iterations, each.getInductionVar());
  emitTo(position, arith::AddIOp::create(builder, loc, position.back(), step));
}

/// Lets threads share the loop: the runtime calls a function with numbers of
/// iterations, which `emitIterations` emits, and what that uses from here.
static void emitParallelFor(OpBuilder &builder, scf::ParallelOp loop,
                            Value threads, SymbolTable &symbols,
                            function_ref<void(ValueRange, ValueRange)> emitCall,
                            function_ref<void()> emitEnd) {
  Location loc = loop.getLoc();
  SmallVector<Value> iterations;
  for (auto [from, to, by] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep()))
    iterations.push_back(countIterations(builder, loc, from, to, by));
  Value count = iterations.front();
  for (Value more : ArrayRef(iterations).drop_front())
    count = arith::MulIOp::create(builder, loc, count, more);
  SharedBody body(builder, loop, symbols);
  callIterations(builder, loop, iterations, body.getFirst(), body.getLast(),
                 emitCall);
  emitEnd();
  auto [run, context] = body.finish();
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), count);
  callRuntime(builder, loc, routine::tegulaParallelFor, {},
              {run, context, number, threads});
}

/// Waking threads costs from 2 to 50 microseconds, so small calls, and those of
/// a process that has one thread, go around it.
static void toThreads(scf::ParallelOp loop, int64_t leastWork,
                      SymbolTable &symbols) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  bool isDecided = loop->hasAttr(iterationPerThreadAttrName);
  Value threads =
      isDecided
          ? Value(arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                             loop.getUpperBound().front()))
          : countThreads(builder, loop, leastWork);
  SmallVector<Value> captured;
  func::FuncOp body = outlineBody(loop, symbols, captured);
  auto call = [&](func::FuncOp callee, ValueRange from, ValueRange to) {
    SmallVector<Value> arguments;
    for (auto [first, end, step] : llvm::zip(from, to, loop.getStep()))
      arguments.append({first, end, step});
    llvm::append_range(arguments, captured);
    func::CallOp::create(builder, loc, callee, arguments);
  };
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  Value areSeveral = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sgt, threads, one);
  auto branch =
      scf::IfOp::create(builder, loc, areSeveral, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitParallelFor(
      builder, loop, threads, symbols,
      [&](ValueRange from, ValueRange to) { call(body, from, to); },
      [&] {
        // What a thread stored past the caches is there at its next barrier.
        if (streams(body, symbols))
          LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst,
                                /*syncscope=*/"");
      });
  builder.setInsertionPointToStart(branch.elseBlock());
  call(withoutLocks(body, symbols), loop.getLowerBound(), loop.getUpperBound());
  loop.erase();
}

namespace {

struct CpuParallelToThreadsPass
    : tegula::impl::CpuParallelToThreadsBase<CpuParallelToThreadsPass> {
  using Parent =
      tegula::impl::CpuParallelToThreadsBase<CpuParallelToThreadsPass>;
  using Parent::Parent;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<scf::ParallelOp> loops;
    // A loop that is inside of another one is in a function of that one by
    // then, or in two of them.
    do {
      loops.clear();
      getOperation().walk<WalkOrder::PreOrder>(
          [&](scf::ParallelOp loop) { loops.push_back(loop); });
      for (scf::ParallelOp loop : loops)
        toThreads(loop, leastWork, symbols);
    } while (!loops.empty());
  }
};

} // namespace
