// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/RowVariants.h"

#include "tegula/backends/codegen/View.h"
#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/RegisterElements.h"
#include "tegula/backends/cuda/RowCode.h"
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/Reduction.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"

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

/// Emits one form: a block has some rows, or a part of one. It reads, computes,
/// sums up and writes, all elements in registers. There are as many blocks as
/// that takes: in a loop over rows places would be kept in registers, too.
/// Where there is no column any more threads read the last ones again, and
/// neither sum them up nor write them.
class VariantEmitter : RowCode {
public:
  VariantEmitter(ModuleOp module, func::FuncOp kernel,
                 const RowwiseKernel &program, const GpuRowVariant &variant)
      : RowCode(module, kernel, program, variant.groups * variant.elements,
                variant.alignment == GpuRowAlignment::Single
                    ? 1
                    : variant.elements),
        variant(variant) {
    isShifted = variant.alignment == GpuRowAlignment::Shifted;
    isNarrow = program.hasNarrowResults();
  }

  void emit() {
    emitFunction();
    code.call("tegulaGpuAwaitEarlier", {}, {});
    readSlots();
    auto ask = [&](StringRef name) {
      return toIndex(code.call(name, builder.getI32Type(), {}));
    };
    Value thread = ask("tegulaGpuThread");
    Value threads = ask(variant.isFitted ? "tegulaGpuNumThreadsOfLaunch"
                                         : "tegulaGpuNumThreads");
    Value block = ask("tegulaGpuBlock");
    Value warpThreads = code.number(GpuRowVariant::warpThreads);
    width = variant.isByWarp ? warpThreads : threads;
    warp = div(thread, warpThreads);
    numWarps = div(threads, warpThreads);
    laneOfWarp = rem(thread, warpThreads);
    Value step = mul(width, code.number(numElements));
    firstColumn = code.number(0);
    if (!program.hasReductions) {
      emitRowChunk(block, step);
    } else if (variant.isByWarp) {
      Value wanted = add(mul(block, numWarps), warp);
      isThere = below(wanted, rows);
      row = min(wanted, sub(rows, code.number(1)));
    } else {
      row = block;
    }
    Value lane = toWord32(variant.isByWarp ? laneOfWarp : thread);
    Value part = firstColumn;
    Value end = isShifted ? emitShift() : columns;
    Value left = toWord32(min(sub(end, firstColumn), step));
    emitRuns(lane, toWord32(width), left);
    if (isShifted)
      emitEdges(lane, left, part, end);
    emitSteps();
    func::ReturnOp::create(builder, loc);
  }

private:
  void emitFunction() {
    builder.setInsertionPointToEnd(values.module.getBody());
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    SmallVector<Type> types;
    for (Type type : kernel.getArgumentTypes()) {
      auto tensor = dyn_cast<pl::TensorViewType>(type);
      types.push_back(tensor ? pointer : wordOf(signlessType(type)));
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

  /// Blocks that a processor has at once, if the assembler is to see to that,
  /// or 0. Four, which hide each other's waits, leave a thread 64 registers:
  /// enough for so many elements and what is computed of them. Where elements
  /// have 32 bits and others lie in another way, four would read so much at
  /// once that the cache no longer has those.
  int64_t countBlocks() const {
    constexpr int64_t mostRegisters = 32;
    int64_t registers = countRegistersPerColumn(program) * numElements;
    if (!isShifted || variant.isByWarp || registers > mostRegisters)
      return 0;
    return isNarrow ? 4 : goesByRuns() && numElements == mostRegisters ? 3 : 0;
  }

  /// Which part of which row the block has. Rows that are seen as one are
  /// common, and quotients take long.
  void emitRowChunk(Value block, Value step) {
    Type index = builder.getIndexType();
    Value hasOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         rows, code.number(1));
    auto found = scf::IfOp::create(builder, loc, TypeRange{index, index},
                                   hasOne, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(found.thenBlock());
    scf::YieldOp::create(builder, loc, ValueRange{code.number(0), block});
    builder.setInsertionPointToStart(found.elseBlock());
    // No more than there are blocks.
    Value parts = toWord32(div(add(columns, sub(step, code.number(1))), step));
    Value number = toWord32(block);
    scf::YieldOp::create(
        builder, loc,
        ValueRange{toIndex(div(number, parts)), toIndex(rem(number, parts))});
    row = found.getResult(0);
    builder.setInsertionPointAfter(found);
    firstColumn = mul(found.getResult(1), step);
  }

  Value slotAt(unsigned slot, Type) override {
    return function.getArgument(slot);
  }

  /// A thread has every so many groups, or elements, from its own on. Within
  /// what the threads of a row have at once 32 bits count them.
  void emitRuns(Value lane, Value laneStep, Value left) {
    for (int64_t i = 0; i < numElements; i += side) {
      Value groupIndex = add(mul(constant(i / side), laneStep), lane);
      Value column = mul(groupIndex, constant(side));
      bool isSure = i < variant.sureGroups * variant.elements;
      addRun(column, side, isSure ? Value() : below(column, left),
             sub(left, constant(side)));
    }
    isWhole = isEqual(left, mul(laneStep, constant(numElements)));
    isFirst = isEqual(lane, constant(0));
  }

  Value isEqual(Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs,
                                 rhs);
  }

  // Rows that begin anywhere.

  /// Lets columns begin with the first whole groups, wherever the row is, and
  /// returns where the last ones end.
  Value emitShift() {
    const RowAccess *own = nullptr;
    for (Operation *op : program.steps)
      if (auto found = program.accesses.find(op);
          !own && found != program.accesses.end() &&
          found->second.shape.hasColumns && hasOwnRows(found->second))
        own = &found->second;
    Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                             rowOf(*own));
    Value number = div(toIndex(address), code.number(bitsOf(*own) / 8));
    Value lead = code.number(variant.countLead());
    // As many as are missing to the next multiple.
    numBefore = rem(sub(lead, rem(number, lead)), lead);
    firstColumn = add(firstColumn, numBefore);
    Value behind = rem(sub(columns, numBefore), lead);
    return sub(columns, behind);
  }

  /// What is before the first whole group and behind the last one: one element
  /// for each of the first threads, and then for each of others.
  void emitEdges(Value lane, Value left, Value part, Value end) {
    Value before = toWord32(numBefore);
    Value behind = toWord32(sub(columns, end));
    Value number = sub(lane, constant(variant.countLead()));
    Value isBefore = below(lane, before);
    Value isBehind = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, number, behind);
    Value column = arith::SelectOp::create(
        builder, loc, isBefore, sub(lane, before), add(left, number));
    if (!program.hasReductions) {
      isBefore = both(isBefore, isEqual(part, code.number(0)));
      // The part that has the last whole group. Behind it there may be one that
      // has none, and would read what was written here.
      Value isLast = both(isEqual(toIndex(left), sub(end, firstColumn)),
                          below(constant(0), left));
      isBehind = both(isBehind, isLast);
    }
    Value mask = builder.createOrFold<arith::OrIOp>(loc, isBefore, isBehind);
    Value from = arith::SelectOp::create(builder, loc, mask, column,
                                         sub(left, constant(side)));
    runs.push_back({column, 1, mask, from});
  }

  SmallVector<Value> emitMatmul() override {
    llvm_unreachable("rows have no matmuls");
  }

  // Sums of rows.

  Value combine(pl::ReduceOp op, Value lhs, Value rhs) {
    Type element = op.getResult().getType().getElementType();
    Value made = pl::buildScalarCombination(builder, loc, op.getReduction(),
                                            lhs, rhs, pl::isUnsigned(element));
    if (Operation *last = made.getDefiningOp())
      relax(last);
    return made;
  }

  /// This thread's elements, then those of a warp, then those of the block.
  Value emitSum(pl::ReduceOp op) override {
    if (!hasPrefetched)
      emitPrefetches(width, variant.countColumns(cudaThreads));
    hasPrefetched = true;
    Type element = op.getResult().getType().getElementType();
    Value neutral = arith::ConstantOp::create(
        builder, loc,
        pl::toAttribute(
            pl::getIdentity(op.getReduction(), *pl::getDType(element)),
            signlessType(element)));
    SmallVector<Value> parts;
    size_t next = 0;
    for (const RowRun &run : runs) {
      Value part = elementOf(op.getSource(), next++);
      for (int64_t i = 1; i < run.count; ++i)
        part = combine(op, part, elementOf(op.getSource(), next++));
      // Where there are none others were read, which may count twice, unless
      // whoever has them has written them by then.
      if (run.mask && (writesWhatIsRead() || !isSameTwice(op.getReduction())))
        part = arith::SelectOp::create(builder, loc, run.mask, part, neutral);
      parts.push_back(part);
    }
    Value sum = sumOfWarp(op, combineAll(op, std::move(parts)));
    return variant.isByWarp ? sum : sumOfBlock(op, sum, neutral);
  }

  bool writesWhatIsRead() const {
    return llvm::any_of(program.accesses, [&](const auto &store) {
      return isa<pl::StoreOp>(store.first) &&
             llvm::any_of(program.accesses, [&](const auto &load) {
               return isa<pl::LoadOp>(load.first) &&
                      load.second.tensor == store.second.tensor;
             });
    });
  }

  static bool isSameTwice(pl::Reduction reduction) {
    return reduction != pl::Reduction::Sum && reduction != pl::Reduction::Prod;
  }

  /// Neighbours first.
  Value combineAll(pl::ReduceOp op, SmallVector<Value> parts) {
    while (parts.size() > 1) {
      SmallVector<Value> next;
      for (size_t i = 0; i + 1 < parts.size(); i += 2)
        next.push_back(combine(op, parts[i], parts[i + 1]));
      if (parts.size() % 2 != 0)
        next.push_back(parts.back());
      parts = std::move(next);
    }
    return parts.front();
  }

  /// All threads of the warp have it.
  Value sumOfWarp(pl::ReduceOp op, Value sum) {
    Type word = builder.getI32Type(), type = sum.getType();
    for (int64_t apart = GpuRowVariant::warpThreads / 2; apart > 0;
         apart /= 2) {
      Value bits = LLVM::BitcastOp::create(builder, loc, word, sum);
      Value other = code.call("tegulaGpuExchange", word,
                              ValueRange{bits, constant(apart)});
      sum =
          combine(op, sum, LLVM::BitcastOp::create(builder, loc, type, other));
    }
    return sum;
  }

  /// Whether all sums fit there, and cache counts: what rows have in common is
  /// read several times.
  bool hasFewPartials() const {
    int64_t count = llvm::count_if(
        program.steps, [](Operation *op) { return isa<pl::ReduceOp>(op); });
    return goesByRuns() && count * mostWarps <= tegulaGpuNumFewPartials;
  }

  /// Each sum of the kernel has memory of its own, so one wait is enough. Then
  /// every thread reads what all warps have.
  Value sumOfBlock(pl::ReduceOp op, Value sum, Value neutral) {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type type = sum.getType();
    Value parts = code.call(hasFewPartials() ? "tegulaGpuFewPartials"
                                             : "tegulaGpuPartials",
                            pointer, {});
    parts = LLVM::GEPOp::create(
        builder, loc, pointer, type, parts,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(numSums++ * mostWarps)});
    auto at = [&](Value column) -> Value {
      Value wide = arith::IndexCastOp::create(builder, loc,
                                              builder.getI64Type(), column);
      return LLVM::GEPOp::create(builder, loc, pointer, type, parts,
                                 ArrayRef<LLVM::GEPArg>{wide});
    };
    emitIf(isEqual(laneOfWarp, code.number(0)),
           [&] { LLVM::StoreOp::create(builder, loc, sum, at(warp)); });
    code.call("tegulaGpuBarrier", {}, {});
    SmallVector<Value> found;
    for (int64_t i = 0; i < mostWarps; ++i) {
      Value number = code.number(i);
      Value part = LLVM::LoadOp::create(builder, loc, type, at(number));
      found.push_back(arith::SelectOp::create(
          builder, loc, below(number, numWarps), part, neutral));
    }
    return combineAll(op, std::move(found));
  }

  /// Of a block.
  static constexpr int64_t mostWarps = 8;

  const GpuRowVariant &variant;
  func::FuncOp function;
  /// Threads that share a row.
  Value width;
  Value laneOfWarp, warp, numWarps;
  /// Columns before the first whole group.
  Value numBefore;
  int64_t numSums = 0;
  bool hasPrefetched = false;
};

/// How many elements threads have, and whether a warp has a row.
struct VariantSize {
  bool isByWarp;
  int64_t elements;
};

} // namespace

/// About how many instructions an element takes.
static int64_t weigh(const RowwiseKernel &program) {
  constexpr int64_t function = 16;
  int64_t weight = 0;
  for (Operation *op : program.steps)
    weight += isa<pl::ExpOp, pl::LogOp, pl::TanhOp, pl::ErfOp, pl::SinOp,
                  pl::CosOp, pl::PowOp>(op)
                  ? function
                  : 1;
  return weight;
}

/// Whether an element takes few instructions.
static bool isLight(int64_t weight) {
  constexpr int64_t mostOfLight = 12;
  return weight <= mostOfLight;
}

/// Variants are not larger: they take too long to compile.
static constexpr int64_t mostWeight = 2500;

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
