// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowVariants.h"

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/rows/RegisterElements.h"
#include "tegula/backends/cuda/rows/RowCode.h"
#include "tegula/backends/cuda/rows/RowPrefetches.h"
#include "tegula/backends/cuda/rows/RowSums.h"
#include "tegula/ir/OpCosts.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/support/Routines.h"

using namespace mlir;
using namespace tegula;

namespace {

int64_t bitsOf(const RowAccess &access) {
  return pl::getElementOrSelf(access.tensor.getType()).getIntOrFloatBitWidth();
}

/// How many elements are read at once: 16 bytes of the narrowest ones.
int64_t countTogether(const RowwiseKernel &program) {
  bool areNarrow = llvm::any_of(program.accesses, [](const auto &access) {
    return access.second.shape.hasColumns && bitsOf(access.second) < 32;
  });
  return areNarrow ? 8 : 4;
}

/// Emits one variant: a block has some rows, or a chunk of one. It reads,
/// computes, reduces and writes, all elements in registers. There are as many
/// blocks as that takes: in a loop over rows addresses would be kept in
/// registers, too. Where there is no column any more threads read the last ones
/// again, and neither reduce nor write them.
class VariantEmitter : RowCode {
public:
  VariantEmitter(ModuleOp module, func::FuncOp kernel,
                 const RowwiseKernel &program, const GpuRowVariant &variant)
      : RowCode(module, kernel, program, variant.groups * variant.elements,
                variant.alignment == GpuRowAlignment::Single
                    ? 1
                    : variant.elements),
        variant(variant) {
    state.isShifted = variant.alignment == GpuRowAlignment::Shifted;
    state.isNarrow = program.hasNarrowResults();
  }

  void emit() {
    emitFunction();
    code.call(routine::tegulaGpuAwaitEarlier, {}, {});
    tensors.readSlots(
        [&](unsigned slot, Type) { return function.getArgument(slot); });
    auto ask = [&](StringRef name) {
      return math.toIndex(code.call(name, builder.getI32Type(), {}));
    };
    Value thread = ask(routine::tegulaGpuThread);
    Value threads = ask(variant.isFitted ? routine::tegulaGpuNumThreadsOfLaunch
                                         : routine::tegulaGpuNumThreads);
    Value block = ask(routine::tegulaGpuBlock);
    Value warpThreads = code.number(GpuRowVariant::warpThreads);
    auto &[width, laneOfWarp, warp, numWarps] = sums.threads;
    width = variant.isByWarp ? warpThreads : threads;
    warp = math.div(thread, warpThreads);
    numWarps = math.div(threads, warpThreads);
    laneOfWarp = math.rem(thread, warpThreads);
    Value step = math.mul(width, code.number(state.numElements));
    state.firstColumn = code.number(0);
    if (!program.hasReductions) {
      emitRowChunk(block, step);
    } else if (variant.isByWarp) {
      Value wanted = math.add(math.mul(block, numWarps), warp);
      state.isThere = math.below(wanted, state.rows);
      state.row = math.min(wanted, math.sub(state.rows, code.number(1)));
    } else {
      state.row = block;
    }
    Value lane = math.toWord32(variant.isByWarp ? laneOfWarp : thread);
    Value part = state.firstColumn;
    Value end = state.isShifted ? emitShift() : state.columns;
    Value left =
        math.toWord32(math.min(math.sub(end, state.firstColumn), step));
    emitRuns(lane, math.toWord32(width), left);
    if (state.isShifted)
      emitEdges(lane, left, part, end);
    steps.emit([&](Operation *op) {
      return SmallVector<Value>{sums.emit(cast<pl::ReduceOp>(op))};
    });
    func::ReturnOp::create(builder, loc);
  }

private:
  void emitFunction() {
    builder.setInsertionPointToEnd(state.thread.module.getBody());
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    SmallVector<Type> types;
    for (Type type : state.kernel.getArgumentTypes()) {
      auto tensor = dyn_cast<pl::TensorViewType>(type);
      types.push_back(tensor ? pointer : words.wordOf(signlessType(type)));
      if (tensor)
        types.append(2 * tensor.getRank(), builder.getI64Type());
    }
    function = func::FuncOp::create(builder, loc, variant.symbol,
                                    builder.getFunctionType(types, {}));
    function.setPrivate();
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
    function->setAttr(slotsAttrName, builder.getI64IntegerAttr(types.size()));
    GpuRowVariant schedule = variant;
    // The name of the function.
    schedule.symbol.clear();
    setVariant<cuda::RowScheduleAttr>(function, schedule);
    SmallVector<Attribute> bounds;
    if (variant.isFitted)
      bounds.push_back(builder.getStrArrayAttr(
          {"nvvm.maxntid", std::to_string(cudaThreads)}));
    if (int64_t blocks = countBlocks())
      bounds.push_back(
          builder.getStrArrayAttr({"nvvm.minctasm", std::to_string(blocks)}));
    if (!bounds.empty())
      function->setAttr("passthrough", builder.getArrayAttr(bounds));
    builder.setInsertionPointToStart(function.addEntryBlock());
  }

  /// Blocks that an SM has at once, if the assembler is to see to that, or 0.
  /// Four, which hide each other's waits, leave a thread 64 registers: enough
  /// for so many elements and what is computed of them. Where elements have 32
  /// bits and others lie in another way, four would read so much at once that
  /// the cache no longer has those.
  int64_t countBlocks() const {
    constexpr int64_t mostRegisters = 32;
    int64_t registers = countRegistersPerColumn(program) * state.numElements;
    if (!state.isShifted || variant.isByWarp || registers > mostRegisters)
      return 0;
    return state.isNarrow                                              ? 4
           : runByRun.isChosen() && state.numElements == mostRegisters ? 3
                                                                       : 0;
  }

  /// Which part of which row the block has. Rows that are seen as one are
  /// common, and quotients take long.
  void emitRowChunk(Value block, Value step) {
    Type index = builder.getIndexType();
    Value hasOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         state.rows, code.number(1));
    auto found = scf::IfOp::create(builder, loc, TypeRange{index, index},
                                   hasOne, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(found.thenBlock());
    scf::YieldOp::create(builder, loc, ValueRange{code.number(0), block});
    builder.setInsertionPointToStart(found.elseBlock());
    // No more than there are blocks.
    Value parts = math.toWord32(math.div(
        math.add(state.columns, math.sub(step, code.number(1))), step));
    Value number = math.toWord32(block);
    scf::YieldOp::create(builder, loc,
                         ValueRange{math.toIndex(math.div(number, parts)),
                                    math.toIndex(math.rem(number, parts))});
    state.row = found.getResult(0);
    builder.setInsertionPointAfter(found);
    state.firstColumn = math.mul(found.getResult(1), step);
  }

  /// A thread has every so many groups, or elements, from its own on. Within
  /// what the threads of a row have at once 32 bits count them.
  void emitRuns(Value lane, Value laneStep, Value left) {
    for (int64_t i = 0; i < state.numElements; i += state.side) {
      Value groupIndex =
          math.add(math.mul(math.constant(i / state.side), laneStep), lane);
      Value column = math.mul(groupIndex, math.constant(state.side));
      bool isSure = i < variant.sureGroups * variant.elements;
      state.addRun(column, state.side,
                   isSure ? Value() : math.below(column, left),
                   math.sub(left, math.constant(state.side)));
    }
    state.isWhole = math.isEqual(
        left, math.mul(laneStep, math.constant(state.numElements)));
    state.isFirst = math.isEqual(lane, math.constant(0));
  }

  // Rows that begin anywhere.

  /// Lets columns begin with the first whole groups, wherever the row is, and
  /// returns where the last ones end.
  Value emitShift() {
    const RowAccess *own = nullptr;
    for (Operation *op : program.steps)
      if (auto found = program.accesses.find(op);
          !own && found != program.accesses.end() &&
          found->second.shape.hasColumns && state.hasOwnRows(found->second))
        own = &found->second;
    Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                             tensors.rowOf(*own));
    Value number =
        math.div(math.toIndex(address), code.number(bitsOf(*own) / 8));
    Value lead = code.number(variant.countLead());
    // As many as are missing to the next multiple.
    numBefore = math.rem(math.sub(lead, math.rem(number, lead)), lead);
    state.firstColumn = math.add(state.firstColumn, numBefore);
    Value behind = math.rem(math.sub(state.columns, numBefore), lead);
    return math.sub(state.columns, behind);
  }

  /// What is before the first whole group and behind the last one: one element
  /// for each of the first threads, and then for each of others.
  void emitEdges(Value lane, Value left, Value part, Value end) {
    Value before = math.toWord32(numBefore);
    Value behind = math.toWord32(math.sub(state.columns, end));
    Value number = math.sub(lane, math.constant(variant.countLead()));
    Value isBefore = math.below(lane, before);
    Value isBehind = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, number, behind);
    Value column = arith::SelectOp::create(
        builder, loc, isBefore, math.sub(lane, before), math.add(left, number));
    if (!program.hasReductions) {
      isBefore = math.both(isBefore, math.isEqual(part, code.number(0)));
      // The part that has the last whole group. Behind it there may be one that
      // has none, and would read what was written here.
      Value isLast = math.both(
          math.isEqual(math.toIndex(left), math.sub(end, state.firstColumn)),
          math.below(math.constant(0), left));
      isBehind = math.both(isBehind, isLast);
    }
    Value mask = builder.createOrFold<arith::OrIOp>(loc, isBefore, isBehind);
    Value from = arith::SelectOp::create(
        builder, loc, mask, column, math.sub(left, math.constant(state.side)));
    state.runs.push_back({column, 1, mask, from});
  }

  const GpuRowVariant &variant;
  func::FuncOp function;
  /// Columns before the first whole group.
  Value numBefore;
  RowPrefetches prefetches{state, tensors};
  RowSums sums{state, values, runByRun, prefetches, variant};
};

/// How many elements threads have, and whether a warp has a row.
struct VariantSize {
  bool isByWarp;
  int64_t elements;
};

} // namespace

/// About how many instructions an element takes.
static int64_t weigh(const RowwiseKernel &program) {
  int64_t weight = 0;
  for (Operation *op : program.steps)
    weight += pl::getCost(op);
  return weight;
}

/// Whether an element takes few instructions.
static bool isLight(int64_t weight) {
  return weight <= getCudaMachine().costs.read;
}

/// Variants are not larger: they take too long to compile.
static constexpr int64_t mostWeight = 3000;

GpuRows tegula::describeRows(const RowwiseKernel &program) {
  GpuRows rows;
  rows.hasReductions = program.hasReductions;
  rows.mayBeFlat = !program.hasReductions && !program.usesExtents;
  llvm::DenseSet<Value> seen;
  for (Operation *op : program.steps) {
    auto access = program.accesses.find(op);
    if (access == program.accesses.end() ||
        !seen.insert(access->second.tensor).second)
      continue;
    RowShape shape = access->second.shape;
    rows.tensors.push_back({access->second.tensor.getArgNumber(), shape.hasRows,
                            shape.hasColumns});
    auto rank =
        cast<pl::TensorViewType>(access->second.tensor.getType()).getRank();
    rows.mayBeFlat &= rank == 2 && shape.hasRows && shape.hasColumns;
  }
  return rows;
}

/// Blocks fit rows that begin anywhere up to so many groups for each thread.
/// Those of longer rows have all threads, which is known then.
static constexpr int64_t fittedGroups = 4;

/// Whether a variant is worth the time it takes to compile: there are fewer of
/// those that are slower or rare, or whose blocks fit. Elements are read so
/// many at once.
static bool isWorthwhile(VariantSize size, GpuRowAlignment alignment,
                         int64_t weight, int64_t together) {
  constexpr int64_t usual = 32;
  bool isHeavy = weight * usual > mostWeight;
  switch (alignment) {
  case GpuRowAlignment::Aligned:
    return true;
  case GpuRowAlignment::Shifted:
    return size.isByWarp ? size.elements == usual
                         : isHeavy || size.elements >= fittedGroups * together;
  case GpuRowAlignment::Single:
    return size.elements == usual;
  }
  return false;
}

/// How many groups threads have in any case, where calls take the smallest
/// variant of a kind that has all of a row. The next smaller one has so many
/// `before`; rows that are too short for blocks that fit go to warps, if they
/// can.
static int64_t countSure(const GpuRowVariant &variant, int64_t before,
                         bool hasWarp) {
  if (!variant.isFitted)
    return before;
  return before != 0 ? variant.groups / 4 * 3
         : hasWarp   ? variant.groups / 2
                     : 0;
}

static StringRef suffixOf(GpuRowAlignment alignment) {
  return alignment == GpuRowAlignment::Aligned   ? "_aligned"
         : alignment == GpuRowAlignment::Shifted ? "_shifted"
                                                 : "";
}

GpuRows tegula::emitRowVariants(ModuleOp module, func::FuncOp kernel,
                                const RowwiseKernel &program) {
  GpuRows rows = describeRows(program);
  int64_t weight = weigh(program);
  int64_t together = countTogether(program);
  constexpr VariantSize ofSums[] = {{true, 16},  {true, 32},  {false, 8},
                                    {false, 16}, {false, 24}, {false, 32},
                                    {false, 64}};
  // What computes little waits for memory alone: more threads then.
  const VariantSize ofElements[] = {
      {false, isLight(weight) ? together : std::max<int64_t>(together, 8)}};
  for (GpuRowAlignment alignment :
       {GpuRowAlignment::Aligned, GpuRowAlignment::Shifted,
        GpuRowAlignment::Single}) {
    // Calls take the smallest variant of a kind that has all of a row.
    int64_t fewest[] = {0, 0};
    for (VariantSize size : program.hasReductions
                                ? ArrayRef<VariantSize>(ofSums)
                                : ArrayRef<VariantSize>(ofElements)) {
      if (weight * size.elements > mostWeight)
        continue;
      if (program.hasReductions &&
          !isWorthwhile(size, alignment, weight, together))
        continue;
      int64_t groups = size.elements / together;
      std::string symbol =
          (kernel.getName() + "_rows_" + (size.isByWarp ? "warp" : "block") +
           llvm::Twine(groups) + suffixOf(alignment))
              .str();
      GpuRowVariant &variant = rows.variants.emplace_back();
      variant = {symbol, size.isByWarp, groups, together, alignment};
      variant.isFitted = program.hasReductions && !size.isByWarp &&
                         alignment == GpuRowAlignment::Shifted &&
                         groups <= fittedGroups;
      variant.sureGroups =
          countSure(variant, fewest[size.isByWarp], fewest[true] != 0);
      VariantEmitter(module, kernel, program, variant).emit();
      fewest[size.isByWarp] = groups;
    }
  }
  return rows;
}
