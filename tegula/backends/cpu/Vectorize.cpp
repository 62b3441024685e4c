// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// linalg.generic on memory -> loops over vectors.

#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/backends/cpu/FlatWalk.h"
#include "tegula/backends/cpu/LoopRanges.h"
#include "tegula/backends/cpu/ParallelWork.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cpu/RowPartials.h"
#include "tegula/backends/cpu/StagedRows.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tegula {
#define GEN_PASS_DEF_CPUVECTORIZE
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// One linalg.generic. The last loop is walked in vectors; loops that reduce
/// are inside it unless it is the one that reduces.
class GenericNest {
public:
  GenericNest(linalg::GenericOp op, unsigned vectorBits)
      : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
        numLoops(op.getNumLoops()), kinds(op.getIteratorTypesArray()),
        lanes(lanesFor(vectorBits)), body(builder, op, lanes),
        indices(numLoops), combiner(Combiner::of(op)), staged(builder, loc) {
    hasHalves = canHalve(vectorBits);
  }

  LogicalResult emit() {
    if (op.getNumDpsInits() != 1)
      return op.emitOpError("is not of a form the CPU back end makes");
    OpOperand &target = *op.getDpsInitOperand(0);
    if (auto stream = target.get().getDefiningOp<cpu::StreamOp>()) {
      streams = stream.getCondition();
      target.set(stream.getMemory());
    }
    for (unsigned loop = 0; loop < numLoops; ++loop)
      extents.push_back(findExtent(builder, op, loop));
    if (lanes == 1 && numLoops != 0)
      op.emitRemark("goes element by element: ")
          << (isFolded() ? "what it adds up is not added up plainly"
                         : "an operand does not lie along the last axis "
                           "without gaps");
    if (isFolded()) {
      emitByElement(0);
    } else {
      stageRows();
      emitNest();
    }
    op.erase();
    return success();
  }

private:
  /// True for a reduction whose combiner was folded into something else, as in
  /// `before + (x - x)` or `before + x * -1`. Also without a loop that reduces:
  /// an axis of one element needs none.
  bool isFolded() {
    bool readsTarget = op.getNumReductionLoops() != 0 ||
                       !op.getRegionOutputArgs().front().use_empty();
    return readsTarget && !Combiner::of(op);
  }
  bool isReduction(unsigned loop) const {
    return kinds[loop] == utils::IteratorType::reduction;
  }
  /// True for operands that only say how long loops are.
  bool isUnused(OpOperand &operand) {
    return op.isDpsInput(&operand) &&
           op.getMatchingBlockArgument(&operand).use_empty();
  }
  bool isStepped(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return numLoops != 0 && map.isFunctionOfDim(numLoops - 1);
  }

  /// As many elements as the widest operand has in a register. Narrow floats
  /// count as FP32, in which they are computed. One, if some operand cannot be
  /// read by the vector.
  int64_t lanesFor(unsigned vectorBits) {
    if (isFolded())
      return 1;
    unsigned widest = 8;
    for (OpOperand &operand : op->getOpOperands()) {
      if (isUnused(operand))
        continue;
      auto type = cast<MemRefType>(operand.get().getType());
      Type element = type.getElementType();
      unsigned bits = element.getIntOrFloatBitWidth();
      widest = std::max(widest,
                        isa<FloatType>(element) ? std::max(32u, bits) : bits);
      if (!isStepped(operand))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
      if (!last || last.getPosition() != numLoops - 1 ||
          (!type.isLastDimUnitStride() && isReadAcross(operand)))
        return 1;
    }
    return numLoops == 0 ? 1 : vectorBits / widest;
  }

  /// True if rows of the operand are read inside the loop over vectors.
  bool isReadAcross(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return llvm::any_of(llvm::seq(numLoops - 1), [&](unsigned loop) {
      return isReduction(loop) && map.isFunctionOfDim(loop);
    });
  }

  /// True if it pays to have the ends of rows in vectors half as long, where
  /// they fit: these are read and written in less time, above all where a whole
  /// one would cross lines of the cache. Rows that are one row end but once.
  bool canHalve(unsigned vectorBits) {
    if (lanes < 8 || numLoops < 2 || isWalkedByPlace(op))
      return false;
    // Narrow elements have masks of their own only where vectors are longest.
    return vectorBits == 512 ||
           llvm::all_of(op->getOpOperands(), [](OpOperand &operand) {
             Type element = getElementTypeOrSelf(operand.get());
             return element.getIntOrFloatBitWidth() >= 32;
           });
  }

  /// Rows that may have gaps are read and written by way of a buffer.
  void stageRows() {
    if (lanes == 1)
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = cast<MemRefType>(operand.get().getType());
      if (isUnused(operand) || !isStepped(operand) ||
          type.isLastDimUnitStride())
        continue;
      bool isTarget = !op.isDpsInput(&operand);
      staged.add(operand, /*isRead=*/!isTarget || combiner, isTarget);
    }
    staged.askStrides();
  }

  /// The loops, unless memory is missing. They are there twice where rows may
  /// have gaps: quick ones, and short ones that see to that. Which of them run,
  /// the strides of a call tell.
  void emitNest() {
    if (Value there = staged.areThere()) {
      auto branch = scf::IfOp::create(builder, loc, there,
                                      /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    Value direct = staged.areDirect();
    if (!direct) {
      flatten();
      return emitBlocks();
    }
    Indices all = extents;
    emitUnlessSeldom(
        direct,
        [&] {
          staged.assumeDense();
          flatten();
          emitDense();
        },
        [&] {
          extents = all;
          hasGaps = true;
          emitBlocks();
        });
  }

  /// Both forms of a nest, of which one is seldom used.
  void emitUnlessSeldom(Value condition, function_ref<void()> often,
                        function_ref<void()> seldom) {
    auto branch = scf::IfOp::create(builder, loc, condition,
                                    /*withElseRegion=*/true);
    branch->setAttr(seldomElseAttrName, builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    often();
    builder.setInsertionPointToStart(branch.elseBlock());
    seldom();
  }

  /// Rows without gaps; once more for stores that go past the caches.
  void emitDense() {
    if (!streams || combiner || !staged.isRow(*op.getDpsInitOperand(0)))
      return emitBlocks();
    constexpr int64_t leastVectors = 2;
    Value isShort =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                              math.value(extentOf(numLoops - 1)),
                              math.value(math.constant(leastVectors * lanes)));
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value isNear = arith::XOrIOp::create(builder, loc, streams, yes);
    isNear = arith::OrIOp::create(builder, loc, isNear, isShort);
    emitUnlessSeldom(
        isNear, [&] { emitBlocks(); },
        [&] {
          isStreamed = true;
          hasHalves = false;
          emitBlocks();
          isStreamed = false;
        });
  }

  /// Makes one loop of the last two where all rows lie one after the other.
  void flatten() {
    if (lanes == 1 || !isWalkedByPlace(op))
      return;
    RowWalk walk =
        flattenRows(builder, op, {extents.end()[-2], extents.end()[-1]});
    extents.end()[-2] = walk.rows;
    extents.end()[-1] = walk.columns;
  }

  OpFoldResult extentOf(unsigned loop) const { return extents[loop]; }

  SmallVector<Value> placeOf(OpOperand &operand) {
    return llvm::map_to_vector(
        op.getMatchingIndexingMap(&operand).getResults(), [&](AffineExpr expr) {
          return indices[cast<AffineDimExpr>(expr).getPosition()];
        });
  }

  /// `body` returns what is carried to the next turn.
  scf::ForOp loop(OpFoldResult from, OpFoldResult to, int64_t step,
                  unsigned position, ValueRange carried,
                  function_ref<SmallVector<Value>(ValueRange)> body) {
    return loop(from, to, math.constant(step), position, carried, body);
  }
  scf::ForOp loop(OpFoldResult from, OpFoldResult to, OpFoldResult step,
                  unsigned position, ValueRange carried,
                  function_ref<SmallVector<Value>(ValueRange)> body) {
    auto nest = scf::ForOp::create(builder, loc, math.value(from),
                                   math.value(to), math.value(step), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(nest.getBody());
    indices[position] = nest.getInductionVar();
    SmallVector<Value> next = body(nest.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(builder, loc, next);
    return nest;
  }

  /// Rows that are combined with each other go a few at a time.
  void emitBlocks() {
    OpFoldResult zero = math.constant(0);
    OpFoldResult rows = numLoops == 0 ? zero : extentOf(0), step = rows;
    reduced = {zero, rows};
    if (combiner && lanes > 1 && numLoops == 2 && isReduction(0) &&
        !isReduction(1))
      step = rowsAtOnce(builder, loc, rows, extentOf(1), lanes);
    if (step == rows)
      return emitOuter(0);
    loop(zero, rows, step, 0, {}, [&](ValueRange) {
      OpFoldResult from = indices[0];
      reduced = {from, math.min(math.add(from, step), rows)};
      emitOuter(0);
      return SmallVector<Value>();
    });
  }

  /// Loops around the vector: all that do not reduce, in order.
  void emitOuter(unsigned position) {
    if (position + 1 < numLoops) {
      if (isReduction(position))
        return emitOuter(position + 1);
      loop(math.constant(0), extentOf(position), 1, position, {},
           [&](ValueRange) {
             emitOuter(position + 1);
             return SmallVector<Value>();
           });
      return;
    }
    preloadUniform();
    if (numLoops == 0)
      emitChunk(Value());
    else
      emitRow();
  }

  /// A row of vectors; piece by piece where elements must be gathered.
  void emitRow() {
    OpFoldResult extent = extentOf(numLoops - 1);
    if (!hasGaps)
      return emitRange(math.constant(0), extent);
    OpFoldResult piece = staged.getPiece();
    loop(math.constant(0), extent, piece, numLoops - 1, {}, [&](ValueRange) {
      Value from = indices[numLoops - 1];
      OpFoldResult to = math.min(math.add(from, piece), extent);
      staged.begin([&](OpOperand &operand) { return placeOf(operand); }, from,
                   math.value(to));
      emitRange(from, to);
      staged.end();
      return SmallVector<Value>();
    });
  }

  void emitRange(OpFoldResult from, OpFoldResult to) {
    if (isReduction(numLoops - 1))
      emitInnerReduction(from, to);
    else
      emitInner(from, to);
  }

  /// All loops in order, and the body as it is.
  void emitByElement(unsigned position) {
    if (position < numLoops) {
      loop(math.constant(0), extentOf(position), 1, position, {},
           [&](ValueRange) {
             emitByElement(position + 1);
             return SmallVector<Value>();
           });
      return;
    }
    uniform.assign(op->getNumOperands(), Value());
    SmallVector<Value> arguments;
    for (OpOperand &operand : op->getOpOperands())
      arguments.push_back(isUnused(operand) ? Value() : read(operand, Value()));
    write(body.emit(arguments, indices,
                    op.getBody()->getTerminator()->getOperand(0)),
          Value());
  }

  /// Elements that stay the same along the vector are read once before it.
  void preloadUniform() {
    uniform.assign(op->getNumOperands(), Value());
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      bool isUniform = !isStepped(*operand) && !isUnused(*operand);
      for (unsigned loop = 0; loop < numLoops; ++loop)
        isUniform &= !(isReduction(loop) && map.isFunctionOfDim(loop));
      if (isUniform)
        uniform[operand->getOperandNumber()] = memref::LoadOp::create(
            builder, loc, operand->get(), placeOf(*operand));
    }
  }

  /// The rest of the vector's loop, once, with a mask of what is left.
  void emitTail(OpFoldResult from, OpFoldResult extent) {
    if (from == extent || lanes == 1)
      return;
    indices[numLoops - 1] = math.value(from);
    Value left = math.value(math.sub(extent, from));
    Value isLeft =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, left,
                              math.value(math.constant(0)));
    auto branch = scf::IfOp::create(builder, loc, isLeft,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    auto emitLast = [&] {
      emitChunk(maskUntil(extent));
      return Value();
    };
    inHalvesIfShort(math.sub(extent, from), Type(), emitLast, [&] {
      inHalves([&] { emitLast(); });
      return Value();
    });
  }

  /// While `emit` runs, vectors are half as long.
  void inHalves(function_ref<void()> emit) {
    lanes /= 2;
    body.setLanes(lanes);
    emit();
    lanes *= 2;
    body.setLanes(lanes);
  }

  /// What `emitShort` makes where half a vector holds what is `left`, else what
  /// `emitLong` makes: a value of the type, if there is one.
  Value inHalvesIfShort(OpFoldResult left, Type type,
                        function_ref<Value()> emitLong,
                        function_ref<Value()> emitShort) {
    std::optional<int64_t> known = IndexMath::number(left);
    if (!hasHalves || known)
      return hasHalves && *known <= lanes / 2 ? emitShort() : emitLong();
    Value isShort = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sle, math.value(left),
        math.value(math.constant(lanes / 2)));
    auto branch = scf::IfOp::create(
        builder, loc, type ? TypeRange(type) : TypeRange(), isShort,
        /*withElseRegion=*/true);
    auto emitArm = [&](Block *block, function_ref<Value()> emit) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(block);
      Value made = emit();
      if (type)
        scf::YieldOp::create(builder, loc, made);
    };
    emitArm(branch.thenBlock(), emitShort);
    emitArm(branch.elseBlock(), emitLong);
    return type ? branch.getResult(0) : Value();
  }

  void emitInner(OpFoldResult from, OpFoldResult to) {
    if (hasGaps) {
      loop(from, to, lanes, numLoops - 1, {}, [&](ValueRange) {
        emitChunk(maskUntil(to));
        return SmallVector<Value>();
      });
      return;
    }
    if (isStreamed)
      emitStreamed(from, to);
    else if (isWalkedByPlace(op) && staged.isRow(*op.getDpsInitOperand(0)))
      emitAligned(from, to);
    else
      emitVectors(from, to);
  }

  /// Long rows in two ranges, of which the first ends where a vector of the
  /// target is aligned: what crosses lines of the cache takes twice as long.
  void emitAligned(OpFoldResult from, OpFoldResult to) {
    constexpr int64_t leastVectors = 16;
    auto compare = [&](arith::CmpIPredicate predicate, OpFoldResult lhs,
                       OpFoldResult rhs) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, math.value(lhs),
                                   math.value(rhs));
    };
    auto select = [&](Value condition, OpFoldResult ifTrue,
                      OpFoldResult ifFalse) -> OpFoldResult {
      return arith::SelectOp::create(builder, loc, condition,
                                     math.value(ifTrue), math.value(ifFalse))
          .getResult();
    };
    OpFoldResult zero = math.constant(0), one = math.constant(1);
    Value isLong = compare(arith::CmpIPredicate::sge, math.sub(to, from),
                           math.constant(leastVectors * lanes));
    OpFoldResult head = select(isLong, elementsToAlignment(from), zero);
    Value hasHead = compare(arith::CmpIPredicate::ne, head, zero);
    OpFoldResult middle = math.add(from, head);
    // Written so that estimates of work see one range from end to end.
    OpFoldResult first = math.min(select(hasHead, zero, one), one);
    auto ranges =
        scf::ForOp::create(builder, loc, math.value(first),
                           math.value(math.constant(2)), math.value(one));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ranges.getBody());
    Value isHead = compare(arith::CmpIPredicate::eq,
                           OpFoldResult(ranges.getInductionVar()), zero);
    OpFoldResult start = math.max(from, select(isHead, from, middle));
    OpFoldResult end = math.min(to, select(isHead, middle, to));
    emitVectors(start, end);
  }

  /// Aligned vectors past the caches, and what is before and after them.
  void emitStreamed(OpFoldResult from, OpFoldResult to) {
    OpFoldResult middle = math.add(from, elementsToAlignment(from));
    emitTail(from, middle);
    emitVectors(middle, to);
  }

  OpFoldResult elementsToAlignment(OpFoldResult from) {
    OpOperand &target = *op.getDpsInitOperand(0);
    indices[numLoops - 1] = math.value(from);
    return staged.elementsToAlignment(target, placeOf(target), lanes);
  }

  void emitVectors(OpFoldResult from, OpFoldResult to) {
    OpFoldResult whole = wholeSteps(builder, loc, from, to, lanes);
    loop(from, whole, lanes, numLoops - 1, {}, [&](ValueRange) {
      emitChunk(Value());
      return SmallVector<Value>();
    });
    emitTail(whole, to);
  }

  Value read(OpOperand &operand, Value mask) {
    if (Value known = uniform[operand.getOperandNumber()])
      return known;
    auto [memory, place] = elementAt(operand);
    if (lanes == 1 || !isStepped(operand))
      return memref::LoadOp::create(builder, loc, memory, place);
    auto type = VectorType::get(lanes, getElementTypeOrSelf(operand.get()));
    if (!mask)
      return vector::LoadOp::create(builder, loc, type, memory, place);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return vector::MaskedLoadOp::create(builder, loc, type, memory, place, mask,
                                        zero);
  }

  /// The memory of an operand and the indices into it, at this place.
  std::pair<Value, SmallVector<Value>> elementAt(OpOperand &operand) {
    Value memory = staged.findMemory(operand);
    if (hasGaps && staged.isRow(operand))
      return {memory, {indices[numLoops - 1]}};
    return {memory ? memory : operand.get(), placeOf(operand)};
  }

  void write(Value value, Value mask) {
    auto [memory, place] = elementAt(*op.getDpsInitOperand(0));
    if (lanes == 1)
      memref::StoreOp::create(builder, loc, value, memory, place);
    else if (mask)
      vector::MaskedStoreOp::create(builder, loc, memory, place, mask,
                                    body.spread(value));
    else if (isStreamed)
      vector::StoreOp::create(builder, loc, body.spread(value), memory, place,
                              /*nontemporal=*/true, alignmentOfVectors());
    else
      vector::StoreOp::create(builder, loc, body.spread(value), memory, place);
  }

  llvm::Align alignmentOfVectors() {
    Type element = getElementTypeOrSelf(op.getDpsInitOperand(0)->get());
    return llvm::Align(lanes * element.getIntOrFloatBitWidth() / 8);
  }

  /// What the body makes of the inputs here: the value to store, or the
  /// element to combine.
  Value compute(Value mask) {
    SmallVector<Value> arguments;
    for (OpOperand *operand : op.getDpsInputOperands())
      arguments.push_back(isUnused(*operand) ? Value() : read(*operand, mask));
    Value wanted = combiner
                       ? combiner->op->getOperand(combiner->elementPosition)
                       : op.getBody()->getTerminator()->getOperand(0);
    return body.emit(arguments, indices, wanted);
  }

  /// All elements of one vector of the target, the loops that reduce included.
  void emitChunk(Value mask) {
    if (!combiner)
      return write(compute(mask), mask);
    Value before = read(*op.getDpsInitOperand(0), mask);
    write(emitReducing(0, before, mask), mask);
  }

  Value emitReducing(unsigned position, Value before, Value mask) {
    if (position == numLoops)
      return combiner->apply(builder, before, body.spread(compute(mask)));
    if (!isReduction(position))
      return emitReducing(position + 1, before, mask);
    Value vectorIndex = indices[numLoops - 1];
    OpFoldResult from = math.constant(0), to = extentOf(position);
    if (position == 0)
      std::tie(from, to) = reduced;
    auto nest = loop(from, to, 1, position, before, [&](ValueRange carried) {
      return SmallVector<Value>{
          emitReducing(position + 1, carried.front(), mask)};
    });
    if (position + 1 != numLoops)
      indices[numLoops - 1] = vectorIndex;
    return nest.getResult(0);
  }

  /// Whole vectors, as many at once as there are partial results, of which one
  /// is left.
  RowPartials::Carried emitPartials(OpFoldResult from, OpFoldResult to,
                                    int64_t count, ValueRange before) {
    auto main = loop(
        from, to, lanes * count, numLoops - 1, before, [&](ValueRange carried) {
          SmallVector<Value> elements;
          Value start = indices[numLoops - 1];
          for (int64_t block = 0; block < count; ++block) {
            indices[numLoops - 1] =
                math.value(math.add(start, math.constant(block * lanes)));
            elements.push_back(body.spread(compute(Value())));
          }
          return partials->combine(carried, elements, Value());
        });
    return partials->join(main.getResults());
  }

  /// The lanes of this vector that lie before `to`.
  Value maskUntil(OpFoldResult to) {
    Value left = math.value(math.sub(to, indices[numLoops - 1]));
    return vector::CreateMaskOp::create(
        builder, loc, VectorType::get(lanes, builder.getI1Type()), left);
  }

  RowPartials::Carried combineUntil(OpFoldResult to, ValueRange carried) {
    Value mask = maskUntil(to);
    return partials->combine(carried, body.spread(compute(mask)), mask);
  }

  /// The same for the last vector of a row, which may be half as long.
  RowPartials::Carried combineLast(OpFoldResult to, ValueRange carried) {
    Value mask = maskUntil(to);
    Value element = inHalvesIfShort(
        math.sub(to, indices[numLoops - 1]), carried.front().getType(),
        [&] { return body.spread(compute(mask)); },
        [&] { return computeHalf(to); });
    return partials->combine(carried, element, mask);
  }

  /// A whole vector of which the first half is computed.
  Value computeHalf(OpFoldResult to) {
    Value half;
    inHalves([&] { half = body.spread(compute(maskUntil(to))); });
    Value none = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(cast<ShapedType>(half.getType())));
    auto all = llvm::to_vector(llvm::seq<int64_t>(lanes));
    return vector::ShuffleOp::create(builder, loc, half, none, all);
  }

  /// Vectors of which the last one may be shorter.
  RowPartials::Carried emitMasked(OpFoldResult from, OpFoldResult to,
                                  ValueRange before) {
    auto rest =
        loop(from, to, lanes, numLoops - 1, before,
             [&](ValueRange carried) { return combineUntil(to, carried); });
    return rest.getResults();
  }

  /// What is less than a vector, if there is any.
  RowPartials::Carried emitRest(OpFoldResult from, OpFoldResult to,
                                ValueRange before) {
    Value isLeft =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                              math.value(from), math.value(to));
    auto branch = scf::IfOp::create(builder, loc, before.getTypes(), isLeft,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    indices[numLoops - 1] = math.value(from);
    scf::YieldOp::create(builder, loc, combineLast(to, before));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, before);
    return branch.getResults();
  }

  void emitInnerReduction(OpFoldResult from, OpFoldResult to) {
    OpOperand &target = *op.getDpsInitOperand(0);
    if (lanes == 1) {
      Value before = read(target, Value());
      return write(emitReducing(0, before, Value()), Value());
    }
    Value neutral =
        body.spread(arith::ConstantOp::create(builder, loc, combiner->neutral));
    partials.emplace(builder, loc, *combiner);
    if (hasGaps)
      return storeReduced(target,
                          emitMasked(from, to, partials->begin(neutral, 1)));
    int64_t count = RowPartials::countFor(op);
    OpFoldResult whole = wholeSteps(builder, loc, from, to, lanes);
    OpFoldResult blocks =
        count > 1 ? wholeSteps(builder, loc, from, to, lanes * count) : whole;
    RowPartials::Carried sum =
        emitPartials(from, blocks, count, partials->begin(neutral, count));
    if (blocks != whole)
      sum = emitPartials(blocks, whole, 1, sum);
    if (whole != to)
      sum = emitRest(whole, to, sum);
    storeReduced(target, sum);
  }

  void storeReduced(OpOperand &target, ValueRange total) {
    SmallVector<Value> place = placeOf(target);
    Value reduced = partials->finish(total);
    Value before = memref::LoadOp::create(builder, loc, target.get(), place);
    Value after = combiner->apply(builder, before, reduced);
    memref::StoreOp::create(builder, loc, after, target.get(), place);
  }

  linalg::GenericOp op;
  OpBuilder builder;
  Location loc;
  IndexMath math;
  unsigned numLoops;
  SmallVector<utils::IteratorType> kinds;
  int64_t lanes;
  VectorBody body;
  /// The turns of each loop.
  Indices extents;
  SmallVector<Value> indices;
  /// Which turns of the first loop are done here, if it reduces.
  std::pair<OpFoldResult, OpFoldResult> reduced;
  SmallVector<Value> uniform;
  std::optional<Combiner> combiner;
  std::optional<RowPartials> partials;
  /// True if ends of rows may be in vectors half as long.
  bool hasHalves = false;
  /// An i1: whether stores go past the caches. Null if they never do.
  Value streams;
  StagedRows staged;
  /// True while the loops are emitted that see to gaps in rows.
  bool hasGaps = false;
  /// True while those are emitted that store past the caches.
  bool isStreamed = false;
};

struct CpuVectorizePass : tegula::impl::CpuVectorizeBase<CpuVectorizePass> {
  using Parent = tegula::impl::CpuVectorizeBase<CpuVectorizePass>;
  using Parent::Parent;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> generics;
    getOperation().walk(
        [&](linalg::GenericOp generic) { generics.push_back(generic); });
    for (linalg::GenericOp generic : generics)
      if (failed(GenericNest(generic, vectorBits).emit()))
        return signalPassFailure();
    getOperation().walk([](cpu::StreamOp stream) {
      stream.replaceAllUsesWith(stream.getMemory());
      stream.erase();
    });
  }
};

} // namespace
