// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/threads/ScratchBounds.h"

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/launch/gpu/abi/GpuAbi.h"
#include "tegula/support/DType.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tegula;

/// Room for what is not known beforehand.
static constexpr int64_t unknownCommonBytes = 64 << 20;
static constexpr int64_t unknownOwnBytes = 1 << 20;
static constexpr int64_t unknownIterations = 1 << 20;
/// Blocks of scratch memory begin at multiples of it.
static constexpr int64_t alignment = 64;

namespace {

class BoundEmitter {
public:
  BoundEmitter(OpBuilder &builder, Value hostSlots, func::FuncOp kernel)
      : builder(builder), loc(kernel.getLoc()), hostSlots(hostSlots),
        kernel(kernel) {}

  LaunchBounds run() {
    Value common = number(0), own = number(0), iterations = number(1);
    // What routines take they give back when they return.
    Value taken[2] = {common, own};
    kernel.walk([&](Operation *op) {
      bool isOwn = op->getParentOfType<scf::ParallelOp>() != nullptr;
      int64_t unknown = isOwn ? unknownOwnBytes : unknownCommonBytes;
      if (Value bytes = bytesOf(op, unknown))
        (isOwn ? own : common) = add(isOwn ? own : common, bytes);
      if (Value bytes = bytesWhile(op, unknown, isOwn))
        taken[isOwn] = max(taken[isOwn], bytes);
      if (auto loop = dyn_cast<scf::ParallelOp>(op); loop && !isOwn)
        iterations = max(iterations, iterationsOf(loop));
      if (auto call = dyn_cast<LLVM::CallOp>(op); call && !isOwn)
        if (Value blocks = blocksOf(call))
          iterations = max(iterations, blocks);
    });
    return {add(common, taken[0]), add(own, taken[1]), iterations};
  }

private:
  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  Value add(Value lhs, Value rhs) {
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  }
  Value mul(Value lhs, Value rhs) {
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  }
  Value sub(Value lhs, Value rhs) {
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  }
  Value max(Value lhs, Value rhs) {
    return arith::MaxSIOp::create(builder, loc, lhs, rhs);
  }
  Value min(Value lhs, Value rhs) {
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  }

  /// What the op may take of an arena, with what goes lost in between; null if
  /// it takes nothing.
  Value bytesOf(Operation *op, int64_t unknown) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    StringRef callee = call ? call.getCallee().value_or("") : "";
    Value bytes;
    if (callee == routine::tegulaScratchPush ||
        callee == routine::tegulaScratchAllocate)
      bytes = upper(call.getArgOperands()[0]);
    else if (callee == routine::tegulaReshapeView)
      bytes = upperOfReshape(call);
    else
      return {};
    Value times = timesKept(op);
    if (!bytes || !times)
      return number(unknown);
    return mul(add(max(bytes, number(0)), number(alignment)), times);
  }

  /// How often memory is taken before it is given back. Null if that is not
  /// known.
  Value timesKept(Operation *op) {
    Value times = number(1);
    Operation *inner = op;
    for (Operation *loop = op->getParentOp(); !isa<func::FuncOp>(loop);
         inner = loop, loop = loop->getParentOp()) {
      if (!isa<scf::ForOp, scf::WhileOp>(loop))
        continue;
      bool isGivenBack = llvm::any_of(*inner->getBlock(), [](Operation &other) {
        auto call = dyn_cast<LLVM::CallOp>(other);
        return call && call.getCallee() == routine::tegulaScratchPop;
      });
      if (isGivenBack)
        continue;
      auto counted = dyn_cast<scf::ForOp>(loop);
      Value end = counted ? upper(counted.getUpperBound()) : Value();
      Value begin = counted ? lower(counted.getLowerBound()) : Value();
      if (!end || !begin)
        return {};
      times = mul(times, max(sub(end, begin), number(1)));
    }
    return times;
  }

  /// At least what was stored at one of these indices of an array; in the order
  /// of the indices. Null where that is not known.
  SmallVector<Value> upperOfStored(Value array, ArrayRef<int64_t> indices) {
    SmallVector<Value> found(indices.size());
    llvm::SmallBitVector isUnknown(indices.size());
    auto note = [&](Operation *user, Value address, int64_t index) {
      auto stored = dyn_cast<LLVM::StoreOp>(user);
      const auto *wanted = llvm::find(indices, index);
      if (!stored || stored.getAddr() != address || wanted == indices.end())
        return;
      size_t position = wanted - indices.begin();
      Value bound = upper(stored.getValue());
      if (!bound)
        isUnknown.set(position);
      else
        found[position] = found[position] ? max(found[position], bound) : bound;
    };
    for (Operation *user : array.getUsers()) {
      note(user, array, 0);
      auto gep = dyn_cast<LLVM::GEPOp>(user);
      if (gep && gep.getRawConstantIndices().size() == 1)
        for (Operation *store : gep->getUsers())
          note(store, gep, gep.getRawConstantIndices()[0]);
    }
    for (int position : isUnknown.set_bits())
      found[position] = Value();
    return found;
  }

  /// A copy of what is seen in another shape: the sizes were stored before.
  Value upperOfReshape(LLVM::CallOp call) {
    IntegerAttr rank, elementBytes;
    if (!matchPattern(call.getArgOperands()[2], m_Constant(&rank)) ||
        !matchPattern(call.getArgOperands()[4], m_Constant(&elementBytes)))
      return {};
    auto indices = llvm::to_vector(llvm::seq<int64_t>(0, rank.getInt()));
    Value bytes = number(std::max<int64_t>(1, elementBytes.getInt()));
    for (Value size : upperOfStored(call.getArgOperands()[1], indices)) {
      if (!size)
        return {};
      bytes = mul(bytes, max(size, number(0)));
    }
    return bytes;
  }

  /// What an op takes of an arena while it runs; null if it takes nothing, or
  /// can do without.
  Value bytesWhile(Operation *op, int64_t unknown, bool isOwn) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    StringRef callee = call ? call.getCallee().value_or("") : "";
    if (std::optional<Value> keys = upperOfSort(callee, call, isOwn))
      return *keys ? *keys : number(unknown);
    if (isOwn)
      return {};
    if (callee == routine::tegulaArgReduce || callee == routine::tegulaScanRows)
      return upperOfChunks(call);
    if (callee == routine::tegulaPutRows || callee == routine::tegulaAddRows)
      return upperOfPuts(call, callee == routine::tegulaAddRows);
    return {};
  }

  /// A number or two for each piece of rows that several blocks share. Null if
  /// no bound is known.
  Value upperOfChunks(LLVM::CallOp call) {
    constexpr int64_t chunkBytes = 16;
    Value elements = upper(call.getArgOperands()[2]);
    if (!elements)
      return {};
    // The last piece may be short.
    Value chunks = arith::DivSIOp::create(builder, loc, elements,
                                          number(TegulaGpuChunkLength / 2));
    return add(mul(chunks, number(chunkBytes)), number(alignment));
  }

  /// What is sorted by where it goes, and parts of sums, as DeviceSegments.h
  /// has them. Null if no bound is known, or nothing is sorted.
  Value upperOfPuts(LLVM::CallOp call, bool adds) {
    IntegerAttr rank, kind;
    if (!matchPattern(call.getArgOperands()[1], m_Constant(&rank)) ||
        !matchPattern(call.getArgOperands()[3], m_Constant(&kind)))
      return {};
    auto type = static_cast<DType>(kind.getInt());
    // These are added by atomic instructions.
    if (adds && !isFloat(type) && getSize(type) >= 4)
      return {};
    Value elements = upper(call.getArgOperands()[2]);
    Value length =
        upperOfStored(call.getArgOperands()[0], {rank.getInt() + 1}).front();
    if (!elements || !length)
      return {};
    Value bytes = add(bytesForKeys(length, 8), length);
    // Two parts for each tile, and so on with these: less than an eighth.
    constexpr int64_t share = 8;
    static_assert(TegulaGpuAddedInOrder > 2 * share, "parts are few");
    if (adds)
      bytes = add(bytes, arith::CeilDivSIOp::create(
                             builder, loc, mul(elements, number(getSize(type))),
                             number(share)));
    Value sorted = noneIfFew(length, TegulaGpuFewPut, bytes);
    if (!adds || type != DType::FP32)
      return sorted;
    return max(sorted, upperOfExactSums(call, rank.getInt(), elements, length));
  }

  /// Nothing where there are no more than so many.
  Value noneIfFew(Value count, int64_t few, Value bytes) {
    Value isFew = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                        count, number(few));
    return arith::SelectOp::create(builder, loc, isFew, number(0), bytes);
  }

  /// Sums by index, as DeviceExactSums.h has them; nothing if there are too
  /// many, or no bound is known.
  Value upperOfExactSums(LLVM::CallOp call, int64_t rank, Value elements,
                         Value length) {
    int64_t third = rank + 2 * (3 + rank) + 1;
    Value bins = upperOfStored(call.getArgOperands()[0], {third}).front();
    if (!bins)
      return number(0);
    // Elements are rows times their length.
    Value rows = arith::CeilDivSIOp::create(builder, loc, elements,
                                            max(length, number(1)));
    Value slots = max(mul(bins, rows), number(TegulaGpuFewBins));
    Value bytes = add(mul(slots, number(TegulaGpuBinBytes)), number(alignment));
    Value isMuch =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, bytes,
                              number(TegulaGpuMostAccumulatorBytes));
    bytes = arith::SelectOp::create(builder, loc, isMuch, number(0), bytes);
    return noneIfFew(elements, TegulaGpuFewAdded, bytes);
  }

  /// What a sort takes for the keys of its longest list, or of as many as are
  /// sorted at once by all blocks, as DeviceLists.h has them; short ones take
  /// nothing. Null inside if no bound is known, and nothing if the call sorts
  /// nothing.
  std::optional<Value> upperOfSort(StringRef callee, LLVM::CallOp call,
                                   bool isOwn) {
    bool sortsRuns = callee == routine::tegulaSortRuns;
    bool merges = callee == routine::tegulaMergeRuns;
    if (callee != routine::tegulaSortRows && !sortsRuns && !merges)
      return std::nullopt;
    IntegerAttr rank, kind;
    if (!matchPattern(call.getArgOperands()[1], m_Constant(&rank)) ||
        !matchPattern(call.getArgOperands()[3], m_Constant(&kind)))
      return Value();
    // The lengths of the rows of each tensor, as KernelAbi.h lays them out.
    SmallVector<int64_t> indices;
    for (int64_t tensor = 0; tensor < (merges ? kind.getInt() : 1); ++tensor)
      indices.push_back(rank.getInt() + tensor * (3 + rank.getInt()) + 1);
    Value length = number(0);
    for (Value part : upperOfStored(call.getArgOperands()[0], indices)) {
      if (!part)
        return Value();
      length = add(length, part);
    }
    if (sortsRuns)
      length = min(length, number(kind.getInt()));
    bool isWide =
        !sortsRuns && !merges && getSize(static_cast<DType>(kind.getInt())) > 4;
    Value isShort =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, length,
                              number(TegulaGpuShortList));
    Value keys = length;
    if (!isOwn && !sortsRuns && !merges)
      if (Value elements = upper(call.getArgOperands()[2]))
        keys = max(keys, min(elements, number(TegulaGpuSortedAtOnce)));
    return arith::SelectOp::create(builder, loc, isShort, number(0),
                                   bytesForKeys(keys, isWide ? 16 : 8))
        .getResult();
  }

  /// Of lists that are sorted in memory.
  Value bytesForKeys(Value keys, int64_t keyBytes) {
    constexpr int64_t leastCounts = 4096;
    return add(mul(keys, number(2 * keyBytes + TegulaGpuCountBytes)),
               number(leastCounts + alignment));
  }

  /// How many blocks a routine is shared by, if it is one that all share; else
  /// null.
  Value blocksOf(LLVM::CallOp call) {
    StringRef callee = call.getCallee().value_or("");
    if (callee != routine::tegulaPutRows && callee != routine::tegulaAddRows &&
        callee != routine::tegulaSortRows &&
        callee != routine::tegulaArgReduce && callee != routine::tegulaScanRows)
      return {};
    constexpr int64_t eachElements = TegulaGpuBlockElements;
    Value elements = upper(call.getArgOperands()[2]);
    return elements ? arith::CeilDivSIOp::create(builder, loc, elements,
                                                 number(eachElements))
                    : number(unknownIterations);
  }

  Value iterationsOf(scf::ParallelOp loop) {
    Value iterations = number(1);
    for (auto [from, to, step] : llvm::zip(
             loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
      Value begin = lower(from), end = upper(to);
      IntegerAttr by;
      if (!begin || !end)
        return number(unknownIterations);
      Value extent = sub(end, begin);
      if (matchPattern(step, m_Constant(&by)) && by.getInt() > 1)
        extent = arith::CeilDivSIOp::create(builder, loc, extent,
                                            number(by.getInt()));
      iterations = mul(iterations, max(extent, number(0)));
    }
    return iterations;
  }

  using Bounds = llvm::DenseMap<Value, Value>;

  /// The bound of a value, which is made once.
  Value remember(Bounds &bounds, Value value,
                 Value (BoundEmitter::*make)(Value)) {
    auto known = bounds.find(value);
    if (known != bounds.end())
      return known->second;
    Value bound = (this->*make)(value);
    bounds[value] = bound;
    return bound;
  }

  /// At least the value, an i64 of the host; null if no bound is known. Sizes
  /// and what they are made of are not negative where that matters.
  Value upper(Value value) {
    return remember(upperBounds, value, &BoundEmitter::makeUpper);
  }

  /// True if the value is at least 0 whatever the slots hold.
  static bool isNotNegative(Value value) {
    IntegerAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return constant.getInt() >= 0;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        return value == loop.getInductionVar() &&
               isNotNegative(loop.getLowerBound());
      auto loop = dyn_cast<scf::ParallelOp>(parent);
      return loop &&
             isNotNegative(loop.getLowerBound()[argument.getArgNumber()]);
    }
    Operation *op = value.getDefiningOp();
    if (isa<arith::MaxSIOp>(op))
      return llvm::any_of(op->getOperands(), isNotNegative);
    return isa<arith::MinSIOp, arith::IndexCastOp, arith::DivSIOp,
               arith::RemSIOp>(op) &&
           llvm::all_of(op->getOperands(), isNotNegative);
  }

  /// At most the value, an i64 of the host; null if no bound is known.
  Value lower(Value value) {
    return remember(lowerBounds, value, &BoundEmitter::makeLower);
  }

  Value makeLower(Value value) {
    IntegerAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return number(constant.getInt());
    if (isNotNegative(value))
      return number(0);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        return value == loop.getInductionVar() ? lower(loop.getLowerBound())
                                               : Value();
      auto loop = dyn_cast<scf::ParallelOp>(parent);
      return loop ? lower(loop.getLowerBound()[argument.getArgNumber()])
                  : Value();
    }
    if (Value exact = makeExact(value))
      return exact;
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      return slotOf(load);
    if (isa<arith::IndexCastOp, arith::ExtSIOp, cuda::LoopBoundOp>(op))
      return lower(op->getOperand(0));
    if (isa<arith::AddIOp, arith::MinSIOp>(op)) {
      Value lhs = lower(op->getOperand(0)), rhs = lower(op->getOperand(1));
      if (!lhs || !rhs)
        return {};
      return isa<arith::AddIOp>(op) ? add(lhs, rhs) : min(lhs, rhs);
    }
    if (isa<arith::SubIOp>(op)) {
      Value lhs = lower(op->getOperand(0)), rhs = upper(op->getOperand(1));
      return lhs && rhs ? sub(lhs, rhs) : Value();
    }
    return {};
  }

  /// How far the value may be below 0, or more; null if that is not known.
  Value depth(Value value) {
    Value least = lower(value);
    return least ? max(sub(number(0), least), number(0)) : least;
  }

  /// A product of what may be negative is large where both operands are.
  Value upperOfProduct(Operation *op, Value lhs, Value rhs) {
    Value most = mul(max(lhs, number(0)), max(rhs, number(0)));
    Value left = op->getOperand(0), right = op->getOperand(1);
    if (isNotNegative(left) || isNotNegative(right))
      return most;
    Value under = depth(left), below = depth(right);
    return under && below ? max(most, mul(under, below)) : Value();
  }

  /// At least the operand, and what it is without its sign if the other one may
  /// be negative.
  Value upperOfSize(Value value, Value other) {
    Value most = upper(value);
    if (!most || isNotNegative(other))
      return most ? max(most, number(0)) : most;
    Value below = depth(value);
    return below ? max(most, below) : below;
  }

  Value makeUpper(Value value) {
    IntegerAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return number(constant.getInt());
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent);
          loop && value == loop.getInductionVar())
        return upper(loop.getUpperBound());
      if (auto loop = dyn_cast<scf::ParallelOp>(parent))
        return upper(loop.getUpperBound()[argument.getArgNumber()]);
      return {};
    }
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      return slotOf(load);
    if (Value exact = makeExact(value))
      return exact;
    auto each = [&](unsigned position) {
      return upper(op->getOperand(position));
    };
    if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp,
            cuda::LoopBoundOp>(op))
      return each(0);
    if (isa<arith::SubIOp>(op) && !isNotNegative(op->getOperand(1)))
      return {};
    if (isa<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(op))
      return upperOfSize(op->getOperand(0), op->getOperand(1));
    if (isa<arith::SubIOp, arith::DivUIOp, arith::ShRUIOp, arith::ShRSIOp>(
            op)) {
      Value most = each(0);
      return most ? max(most, number(0)) : most;
    }
    if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      return upperOfSize(op->getOperand(1), op->getOperand(1));
    if (isa<arith::MinSIOp, arith::MinUIOp>(op)) {
      Value lhs = each(0), rhs = each(1);
      return lhs && rhs ? min(lhs, rhs) : lhs ? lhs : rhs;
    }
    if (isa<arith::SelectOp>(op)) {
      Value lhs = each(1), rhs = each(2);
      return lhs && rhs ? max(lhs, rhs) : Value();
    }
    if (!isa<arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MaxUIOp,
             arith::MulSIExtendedOp>(op))
      return {};
    Value lhs = each(0), rhs = each(1);
    if (!lhs || !rhs ||
        (isa<arith::MulSIExtendedOp>(op) && value != op->getResult(0)))
      return {};
    if (isa<arith::AddIOp>(op))
      return add(lhs, rhs);
    if (isa<arith::MaxSIOp, arith::MaxUIOp>(op))
      return max(lhs, rhs);
    return upperOfProduct(op, lhs, rhs);
  }

  /// The value itself, where it depends on slots only.
  Value makeExact(Value value) {
    if (!isExact(value))
      return {};
    Value made = cloneExact(value);
    if (made.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                        made);
    if (made.getType().isInteger(64))
      return made;
    return {};
  }

  /// True unless it divides by what may be 0: the host computes it even where
  /// the kernel would not get there.
  static bool isHarmless(Operation *op) {
    IntegerAttr divisor;
    return !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
               op) ||
           (matchPattern(op->getOperand(1), m_Constant(&divisor)) &&
            divisor.getInt() > 0);
  }

  bool isExact(Value value) {
    auto known = exactness.find(value);
    if (known != exactness.end())
      return known->second;
    Operation *op = value.getDefiningOp();
    bool isIt = op && (isSlot(op) ||
                       (isa<arith::ArithDialect>(op->getDialect()) &&
                        isPure(op) && isHarmless(op) &&
                        llvm::all_of(op->getOperands(), [&](Value operand) {
                          return isExact(operand);
                        })));
    exactness[value] = isIt;
    return isIt;
  }

  Value cloneExact(Value value) {
    if (Value made = clones.lookupOrNull(value))
      return made;
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      Value slot = slotOf(load);
      clones.map(value, slot);
      return slot;
    }
    for (Value operand : op->getOperands())
      cloneExact(operand);
    builder.clone(*op, clones);
    return clones.lookup(value);
  }

  std::optional<int32_t> findSlot(Operation *op) {
    auto load = dyn_cast<LLVM::LoadOp>(op);
    if (!load)
      return std::nullopt;
    Value slots = kernel.getArgument(0);
    if (load.getAddr() == slots)
      return 0;
    auto gep = load.getAddr().getDefiningOp<LLVM::GEPOp>();
    if (!gep || gep.getBase() != slots ||
        gep.getRawConstantIndices().size() != 1)
      return std::nullopt;
    return gep.getRawConstantIndices()[0];
  }
  bool isSlot(Operation *op) {
    return findSlot(op) && op->getResult(0).getType().isInteger(64);
  }

  Value slotOf(LLVM::LoadOp load) {
    std::optional<int32_t> slot = findSlot(load);
    if (!slot || !load.getType().isInteger(64))
      return {};
    Value address = LLVM::GEPOp::create(builder, loc, hostSlots.getType(),
                                        builder.getI64Type(), hostSlots,
                                        ArrayRef<LLVM::GEPArg>{*slot});
    return LLVM::LoadOp::create(builder, loc, builder.getI64Type(), address);
  }

  OpBuilder &builder;
  Location loc;
  Value hostSlots;
  func::FuncOp kernel;
  Bounds upperBounds, lowerBounds;
  llvm::DenseMap<Value, bool> exactness;
  IRMapping clones;
};

} // namespace

LaunchBounds tegula::emitLaunchBounds(OpBuilder &builder, Value slots,
                                      func::FuncOp kernel) {
  return BoundEmitter(builder, slots, kernel).run();
}
