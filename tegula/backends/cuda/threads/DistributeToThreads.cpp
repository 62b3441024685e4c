// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on memory -> a function of the device and one of the host.

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/threads/DistributeGeneric.h"
#include "tegula/backends/cuda/threads/ScratchBounds.h"
#include "tegula/backends/cuda/threads/SharedFrames.h"
#include "tegula/support/Routines.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tegula {
#define GEN_PASS_DEF_CUDADISTRIBUTETOTHREADS
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

static StringRef calleeOf(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call ? call.getCallee().value_or("") : "";
}

namespace {

/// One kernel.
class KernelDistributor {
public:
  KernelDistributor(func::FuncOp kernel, ThreadValues values,
                    int64_t mostShared)
      : kernel(kernel), builder(kernel.getContext()), values(values),
        shared(mostShared) {}

  /// From `first` on: what is before it every thread does for itself.
  LogicalResult run(Operation *first) {
    Block &block = kernel.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(
             llvm::make_range(Block::iterator(first), block.end())))
      if (failed(distributeOp(op, Level::Grid)))
        return failure();
    dropLastWaits(block);
    return success();
  }
  int64_t getSharedBytes() const { return shared.getBytes(); }
  /// How many threads the code is for; nothing if any will do.
  std::optional<int64_t> getThreads() const { return threads; }
  /// Blocks that a multiprocessor has registers for, where all loops say so.
  int64_t getResidentBlocks() const { return residentBlocks.value_or(1); }

private:
  ThreadCode codeAt(Operation *op) {
    builder.setInsertionPoint(op);
    return ThreadCode(builder, op->getLoc(), values);
  }

  LogicalResult distributeBlock(Block &block, Level level) {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(distributeOp(op, level)))
        return failure();
    return success();
  }

  LogicalResult distributeOp(Operation &op, Level level) {
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      return distributeLoop(loop, level);
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      ThreadCode code = codeAt(&op);
      code.onFirstBlock(level, [&] { distributeGeneric(code, generic); });
      waitAfter(&op, level);
      op.erase();
      return success();
    }
    if (auto load = dyn_cast<LLVM::LoadOp>(op);
        load && load.getAddr() == values.state)
      return distributeErrorLoad(load, level);
    if (isa<cuda::CudaDialect>(op.getDialect()))
      return distributeThreadOp(op);
    if (isDistributed && isa<memref::LoadOp, LLVM::LoadOp, LLVM::StoreOp>(op))
      return success();
    if (isa<memref::LoadOp, LLVM::LoadOp>(op)) {
      waitAfter(&op, level);
      return success();
    }
    if (isa<memref::StoreOp, LLVM::StoreOp>(op)) {
      // Numbers for routines each block stores for itself, all the same ones:
      // what was there before, all blocks have passed a barrier.
      storeOnce(&op, isa<LLVM::StoreOp>(op) ? Level::Block : level);
      return success();
    }
    if (auto call = dyn_cast<LLVM::CallOp>(op))
      return distributeCall(call, level);
    for (Region &region : op.getRegions())
      for (Block &block : region)
        if (failed(distributeBlock(block, level)))
          return failure();
    return success();
  }

  /// What a loop that is distributed already asks for.
  LogicalResult distributeThreadOp(Operation &op) {
    ThreadCode code = codeAt(&op);
    if (isa<cuda::BeginBlockRegionOp, cuda::EndBlockRegionOp>(op)) {
      isDistributed = isa<cuda::EndBlockRegionOp>(op);
      op.erase();
      return success();
    }
    if (!isDistributed && !isa<cuda::LoopBoundOp>(op))
      return op.emitOpError("must be in a loop that is distributed to threads");
    if (auto asked = dyn_cast<cuda::ThreadOp>(op)) {
      threads = int64_t(asked.getThreads());
      auto blocks = op.getAttrOfType<IntegerAttr>(cuda::residentBlocksAttrName);
      int64_t resident = blocks ? blocks.getInt() : 1;
      residentBlocks = std::min(residentBlocks.value_or(resident), resident);
      op.replaceAllUsesWith(ValueRange(arith::IndexCastOp::create(
          builder, op.getLoc(), builder.getI32Type(), values.thread)));
    } else if (auto bound = dyn_cast<cuda::LoopBoundOp>(op)) {
      op.replaceAllUsesWith(ValueRange(bound.getNumber()));
    } else if (auto memory = dyn_cast<cuda::SharedMemoryOp>(op)) {
      shared.keep(int64_t(memory.getBytes()));
      op.replaceAllUsesWith(ValueRange(
          code.call(routine::tegulaGpuShared, memory.getType(), {})));
    } else if (auto exchange = dyn_cast<cuda::ExchangeOp>(op)) {
      Value apart = arith::ConstantIntOp::create(
          builder, op.getLoc(), int64_t(exchange.getApart()), 32);
      op.replaceAllUsesWith(
          ValueRange(code.call(routine::tegulaGpuExchange, exchange.getType(),
                               {exchange.getValue(), apart})));
    } else if (isa<cuda::BarrierOp>(op)) {
      code.wait(Level::Block);
    } else {
      return op.emitOpError("must not be left here");
    }
    op.erase();
    return success();
  }

  /// Threads that found different errors would go different ways.
  LogicalResult distributeErrorLoad(LLVM::LoadOp load, Level level) {
    std::string name = routine::tegulaGpuFoundError.str();
    SmallVector<Value> arguments = {values.state};
    if (level == Level::Grid) {
      name += byAllSuffix;
      arguments.insert(arguments.begin(), values.gridBarrier);
    }
    load.replaceAllUsesWith(codeAt(load).call(name, load.getType(), arguments));
    load.erase();
    return success();
  }

  void waitAfter(Operation *op, Level level) {
    builder.setInsertionPointAfter(op);
    ThreadCode(builder, op->getLoc(), values).wait(level);
  }

  /// Numbers that are stored one after the other are waited for once.
  void storeOnce(Operation *op, Level level) {
    ThreadCode code = codeAt(op);
    code.onFirst(level, [&] {
      op->moveBefore(builder.getBlock(), builder.getBlock()->begin());
    });
    Operation *branch = op->getParentOp();
    Operation *next = branch->getNextNode();
    while (next && isPure(next) && next->getNumRegions() == 0)
      next = next->getNextNode();
    if (!isa<LLVM::StoreOp>(op) || !isa_and_nonnull<LLVM::StoreOp>(next))
      waitAfter(branch, level);
  }

  LogicalResult distributeCall(LLVM::CallOp call, Level level) {
    StringRef callee = calleeOf(call);
    RoutineScope scope = findScope(callee).value_or(RoutineScope::Host);
    if (scope == RoutineScope::Ranks)
      return call.emitError("a GPU cannot do this: programs over ranks run on "
                            "processors and on simulated NPUs");
    if (scope == RoutineScope::Host)
      return call.emitError("a GPU cannot do this: its code has no routine '")
             << callee << "'";
    // What goes through memory between tiles in registers is in tensors.
    if ((callee == routine::tegulaScratchPush &&
         shared.replacePush(codeAt(call), call)) ||
        (callee == routine::tegulaScratchAllocate && isDistributed &&
         shared.replaceAllocation(codeAt(call), call)))
      return success();
    ThreadCode code = codeAt(call);
    SmallVector<Value> arguments = {level == Level::Grid ? values.common
                                                         : values.own};
    llvm::append_range(arguments, call.getArgOperands());
    std::string name = getDeviceName(callee);
    bool areAllHere = level == Level::Grid && scope == RoutineScope::Grid;
    if (areAllHere) {
      name += byAllSuffix;
      arguments.insert(arguments.begin(), values.gridBarrier);
    }
    Type result = call.getNumResults() ? call.getResult().getType() : Type();
    auto emitCall = [&] { return code.call(name, result, arguments); };
    if (result || scope == RoutineScope::Thread) {
      if (Value made = emitCall())
        call.getResult().replaceAllUsesWith(made);
    } else if (areAllHere) {
      emitCall();
    } else {
      code.onFirstBlock(level, [&] { emitCall(); });
    }
    if (scope != RoutineScope::Thread)
      code.wait(level);
    call.erase();
    return success();
  }

  /// True for a loop that threads have shared out among themselves.
  static bool asksForThread(scf::ForOp loop) {
    WalkResult found =
        loop.getBody()->walk<WalkOrder::PreOrder>([](Operation *op) {
          return isa<cuda::ThreadOp>(op)    ? WalkResult::interrupt()
                 : isa<scf::ParallelOp>(op) ? WalkResult::skip()
                                            : WalkResult::advance();
        });
    return found.wasInterrupted();
  }

  /// True if blocks that run at once should have few rows and few columns of
  /// iterations, because others load the same.
  static bool isGrouped(scf::ParallelOp loop) {
    WalkResult found = loop.getBody()->walk([](cuda::ThreadOp op) {
      return op->hasAttr(cuda::groupedAttrName) ? WalkResult::interrupt()
                                                : WalkResult::advance();
    });
    return found.wasInterrupted();
  }

  /// The number of an iteration -> those along the axes, the last of which is
  /// the fastest. Grouped, the rows of some blocks come before the
  /// next column.
  SmallVector<Value> splitNumber(Location loc, Value number,
                                 ArrayRef<Value> counts, bool isGrouped) {
    SmallVector<Value> positions(counts.size());
    auto divide = [&](Value by) {
      Value rest = arith::RemUIOp::create(builder, loc, number, by);
      number = arith::DivUIOp::create(builder, loc, number, by);
      return rest;
    };
    size_t axis = counts.size();
    if (isGrouped) {
      constexpr int64_t mostRows = 16;
      Value rows = counts[axis - 2], columns = counts[axis - 1];
      Value most = arith::ConstantIndexOp::create(builder, loc, mostRows);
      Value rest = divide(arith::MulIOp::create(builder, loc, rows, columns));
      Value size = arith::MulIOp::create(builder, loc, columns, most);
      Value first = arith::MulIOp::create(
          builder, loc, arith::DivUIOp::create(builder, loc, rest, size), most);
      Value inGroup = arith::RemUIOp::create(builder, loc, rest, size);
      Value height = arith::MinUIOp::create(
          builder, loc, most, arith::SubIOp::create(builder, loc, rows, first));
      positions[--axis] = arith::DivUIOp::create(builder, loc, inGroup, height);
      positions[--axis] = arith::AddIOp::create(
          builder, loc, first,
          arith::RemUIOp::create(builder, loc, inGroup, height));
    }
    while (axis-- > 0)
      positions[axis] = axis > 0 ? divide(counts[axis]) : number;
    return positions;
  }

  /// Iterations are shared out among blocks, or taken in order where one block
  /// is.
  LogicalResult distributeLoop(scf::ParallelOp loop, Level level) {
    Location loc = loop.getLoc();
    ThreadCode code = codeAt(loop);
    SmallVector<Value> counts;
    Value iterations = code.number(1);
    for (auto [lower, upper, step] : llvm::zip(
             loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
      Value extent = arith::SubIOp::create(builder, loc, upper, lower);
      extent = arith::MaxSIOp::create(builder, loc, extent, code.number(0));
      counts.push_back(arith::CeilDivUIOp::create(builder, loc, extent, step));
      iterations =
          arith::MulIOp::create(builder, loc, iterations, counts.back());
    }
    bool isShared = level == Level::Grid;
    auto made = scf::ForOp::create(
        builder, loc, isShared ? values.block : code.number(0), iterations,
        isShared ? values.numBlocks : code.number(1));
    builder.setInsertionPointToStart(made.getBody());
    SmallVector<Value> positions =
        splitNumber(loc, made.getInductionVar(), counts,
                    isShared && counts.size() > 1 && isGrouped(loop));
    for (size_t axis = 0; axis < counts.size(); ++axis)
      positions[axis] = arith::AddIOp::create(
          builder, loc,
          arith::MulIOp::create(builder, loc, positions[axis],
                                loop.getStep()[axis]),
          loop.getLowerBound()[axis]);
    IRRewriter rewriter(builder);
    Operation *end = loop.getBody()->getTerminator();
    rewriter.eraseOp(end);
    rewriter.inlineBlockBefore(loop.getBody(), made.getBody()->getTerminator(),
                               positions);
    {
      llvm::SaveAndRestore inside(isDistributed,
                                  isDistributed || asksForThread(made));
      if (isShared)
        shared.enter(made);
      if (failed(distributeBlock(*made.getBody(), Level::Block)))
        return failure();
    }
    // The next iteration writes what slower threads may still read.
    builder.setInsertionPoint(made.getBody()->getTerminator());
    ThreadCode(builder, loc, values).wait(Level::Block);
    waitAfter(made, level);
    loop.erase();
    return success();
  }

  /// Who has nothing left to do waits for nobody.
  void dropLastWaits(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      StringRef callee = calleeOf(&op);
      if (callee == routine::tegulaGpuGridBarrier) {
        op.erase();
        continue;
      }
      if (auto branch = dyn_cast<scf::IfOp>(op)) {
        for (Region &region : branch->getRegions())
          for (Block &inner : region)
            dropLastWaits(inner);
        return;
      }
      bool isQuiet = op.hasTrait<OpTrait::IsTerminator>() ||
                     callee == getDeviceName(routine::tegulaScratchPop) ||
                     (isPure(&op) && op.getNumRegions() == 0);
      if (!isQuiet)
        return;
    }
  }

  func::FuncOp kernel;
  OpBuilder builder;
  ThreadValues values;
  SharedFrames shared;
  std::optional<int64_t> threads;
  std::optional<int64_t> residentBlocks;
  /// In a loop whose body each thread runs as it is.
  bool isDistributed = false;
};

/// The loads from the slots of a call become parameters.
struct CudaDistributeToThreadsPass
    : tegula::impl::CudaDistributeToThreadsBase<CudaDistributeToThreadsPass> {
  using Parent =
      tegula::impl::CudaDistributeToThreadsBase<CudaDistributeToThreadsPass>;
  using Parent::Parent;

  void runOnOperation() override {
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && failed(distribute(function)))
        return signalPassFailure();
  }

private:
  /// Where tensor cores work on registers, it may have all there are.
  static void fixThreads(func::FuncOp kernel, int64_t threads, int64_t blocks) {
    Builder builder(kernel.getContext());
    kernel->setAttr(threadsAttrName, builder.getI64IntegerAttr(threads));
    SmallVector<Attribute> attributes = {
        builder.getStrArrayAttr({"nvvm.reqntid", std::to_string(threads)})};
    WalkResult found = kernel.walk([](LLVM::InlineAsmOp op) {
      return op.getAsmString().contains("mma") ? WalkResult::interrupt()
                                               : WalkResult::advance();
    });
    if (found.wasInterrupted() || blocks > 1)
      attributes.push_back(
          builder.getStrArrayAttr({"nvvm.minctasm", std::to_string(blocks)}));
    kernel->setAttr("passthrough", builder.getArrayAttr(attributes));
  }

  LogicalResult distribute(func::FuncOp kernel) {
    OpBuilder builder(kernel);
    emitHost(builder, kernel);
    int64_t numSlots = takeSlots(kernel);
    Operation *first = &kernel.getBody().front().front();
    ThreadValues values = emitPrologue(kernel);
    kernel.setName((kernel.getName() + "_kernel").str());
    KernelDistributor distributor(kernel, values, mostShared);
    if (failed(distributor.run(first)))
      return failure();
    bool hasGridBarrier = false, hasPrints = false;
    kernel.walk([&](LLVM::CallOp call) {
      // What all blocks share may have a grid barrier inside.
      hasGridBarrier |= calleeOf(call) == routine::tegulaGpuGridBarrier ||
                        calleeOf(call).ends_with(byAllSuffix);
      hasPrints |= calleeOf(call) == getDeviceName(routine::tegulaPrint);
    });
    kernel->setAttr(sharedBytesAttrName,
                    builder.getI64IntegerAttr(distributor.getSharedBytes()));
    kernel->setAttr(slotsAttrName, builder.getI64IntegerAttr(numSlots));
    if (std::optional<int64_t> threads = distributor.getThreads())
      fixThreads(kernel, *threads, distributor.getResidentBlocks());
    if (hasGridBarrier)
      kernel->setAttr(gridBarrierAttrName, builder.getUnitAttr());
    if (hasPrints)
      kernel->setAttr(printsAttrName, builder.getUnitAttr());
    // Routines of the processor are not called any more.
    for (auto routine :
         llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (SymbolTable::symbolKnownUseEmpty(routine, getOperation()))
        routine.erase();
    return success();
  }

  /// The function of the host, with the name of the kernel, that asks for a
  /// launch.
  void emitHost(OpBuilder &builder, func::FuncOp kernel);
  int64_t takeSlots(func::FuncOp kernel);
  ThreadValues emitPrologue(func::FuncOp kernel);
};

} // namespace

static LLVM::GlobalOp makeGlobal(OpBuilder &builder, Location loc, Type type,
                                 StringRef name, Attribute value,
                                 bool isConstant) {
  return LLVM::GlobalOp::create(builder, loc, type, isConstant,
                                LLVM::Linkage::Internal, name, value);
}

void CudaDistributeToThreadsPass::emitHost(OpBuilder &builder,
                                           func::FuncOp kernel) {
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  std::string name = kernel.getName().str();
  auto host = func::FuncOp::create(
      builder, loc, name, builder.getFunctionType({pointer, pointer}, {}));
  // Filled when there is code.
  makeGlobal(builder, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), 1),
             programName, builder.getStringAttr(StringRef("\0", 1)), true);
  makeGlobal(builder, loc, i64, programBytesName, builder.getI64IntegerAttr(0),
             true);
  auto makePointer = [&](StringRef global) {
    LLVM::GlobalOp op =
        makeGlobal(builder, loc, pointer, global, Attribute(), false);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&op.getInitializerRegion());
    Value zero = LLVM::ZeroOp::create(builder, loc, pointer);
    LLVM::ReturnOp::create(builder, loc, zero);
  };
  constexpr StringLiteral loadedName = "tegula_gpu_loaded";
  makePointer(loadedName);
  makePointer(emulatedName);

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(host.addEntryBlock());
  Value slots = host.getArgument(0), state = host.getArgument(1);
  LaunchBounds bounds = emitLaunchBounds(builder, slots, kernel);
  auto address = [&](StringRef global) -> Value {
    return LLVM::AddressOfOp::create(builder, loc, pointer, global);
  };
  Value bytes =
      LLVM::LoadOp::create(builder, loc, i64, address(programBytesName));
  Value emulated =
      LLVM::LoadOp::create(builder, loc, pointer, address(emulatedName));
  // As TegulaGpuRequest.
  Value fields[] = {address(loadedName),
                    address(programName),
                    bytes,
                    emulated,
                    slots,
                    state,
                    bounds.commonBytes,
                    bounds.ownBytes,
                    bounds.iterations};
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
  Value request = LLVM::AllocaOp::create(
      builder, loc, pointer, LLVM::LLVMArrayType::get(i64, std::size(fields)),
      one);
  for (auto [position, field] : llvm::enumerate(fields)) {
    Value fieldAddress = LLVM::GEPOp::create(
        builder, loc, pointer, i64, request,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    LLVM::StoreOp::create(builder, loc, field, fieldAddress);
  }
  ThreadValues values;
  values.module = getOperation();
  ThreadCode(builder, loc, values).call(routine::tegulaGpuRun, {}, request);
  func::ReturnOp::create(builder, loc);
}

int64_t CudaDistributeToThreadsPass::takeSlots(func::FuncOp kernel) {
  Block &entry = kernel.getBody().front();
  Value slots = entry.getArgument(0);
  OpBuilder builder(kernel.getContext());
  SmallVector<SmallVector<LLVM::LoadOp>> loads;
  auto note = [&](size_t slot, LLVM::LoadOp load) {
    if (loads.size() <= slot)
      loads.resize(slot + 1);
    loads[slot].push_back(load);
  };
  for (Operation *user : slots.getUsers()) {
    if (auto load = dyn_cast<LLVM::LoadOp>(user))
      note(0, load);
    else if (auto gep = dyn_cast<LLVM::GEPOp>(user))
      for (Operation *reader : gep->getUsers())
        note(gep.getRawConstantIndices()[0], cast<LLVM::LoadOp>(reader));
  }
  for (auto &readers : loads) {
    Type type = readers.empty() ? Type(builder.getI64Type())
                                : readers.front().getType();
    Value parameter = entry.addArgument(type, kernel.getLoc());
    for (LLVM::LoadOp load : readers) {
      load.getResult().replaceAllUsesWith(parameter);
      load.erase();
    }
  }
  for (Operation *gep : llvm::make_early_inc_range(slots.getUsers()))
    gep->erase();
  return static_cast<int64_t>(loads.size());
}

/// Adds what TegulaGpuKernelTail lists, and takes the pointers away that it
/// replaces.
ThreadValues CudaDistributeToThreadsPass::emitPrologue(func::FuncOp kernel) {
  Block &entry = kernel.getBody().front();
  Location loc = kernel.getLoc();
  OpBuilder builder(kernel.getContext());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  ThreadValues values;
  values.module = getOperation();
  values.gridBarrier = entry.addArgument(pointer, loc);
  Value common = entry.addArgument(pointer, loc);
  Value commonBytes = entry.addArgument(i64, loc);
  Value own = entry.addArgument(pointer, loc);
  Value ownBytes = entry.addArgument(i64, loc);
  values.state = entry.addArgument(pointer, loc);
  entry.getArgument(1).replaceAllUsesWith(values.state);
  entry.eraseArguments(0, 2);
  kernel.setFunctionType(builder.getFunctionType(entry.getArgumentTypes(), {}));
  kernel.setPrivate();
  kernel->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));

  builder.setInsertionPointToStart(&entry);
  ThreadCode code(builder, loc, values);
  auto ask = [&](StringRef name) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      code.call(name, i32, {}));
  };
  values.thread = ask(routine::tegulaGpuThread);
  values.numThreads = ask(routine::tegulaGpuNumThreads);
  values.block = ask(routine::tegulaGpuBlock);
  values.numBlocks = ask(routine::tegulaGpuNumBlocks);
  // As TegulaGpuArena.
  auto makeArena = [&](Value start, Value bytes) -> Value {
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
    Value arena = LLVM::AllocaOp::create(
        builder, loc, pointer, LLVM::LLVMArrayType::get(pointer, 2), one);
    auto at = [&](Value from, Type step, LLVM::GEPArg index) -> Value {
      return LLVM::GEPOp::create(builder, loc, pointer, step, from,
                                 ArrayRef<LLVM::GEPArg>{index});
    };
    LLVM::StoreOp::create(builder, loc, start, arena);
    LLVM::StoreOp::create(builder, loc, at(start, builder.getI8Type(), bytes),
                          at(arena, pointer, 1));
    return arena;
  };
  values.common = makeArena(common, commonBytes);
  Value block = arith::IndexCastOp::create(builder, loc, i64, values.block);
  Value offset = arith::MulIOp::create(builder, loc, block, ownBytes);
  Value mine = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(),
                                   own, ArrayRef<LLVM::GEPArg>{offset});
  values.own = makeArena(mine, ownBytes);
  return values;
}
