// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/GenericNest.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

LogicalResult GenericNest::emit() {
  if (op.getNumDpsInits() != 1)
    return op.emitOpError("is not of a kind the CPU back end makes");
  OpOperand &target = *op.getDpsInitOperand(0);
  if (auto stream = target.get().getDefiningOp<cpu::StreamOp>()) {
    streams = stream.getCondition();
    target.set(stream.getMemory());
  }
  for (OpOperand *operand : op.getDpsInputOperands())
    if (auto source = operand->get().getDefiningOp<cpu::UncachedOp>()) {
      // What goes through the caches beside it is not there the next time.
      Value own = source.getCondition();
      isOutOfCache =
          isOutOfCache
              ? builder.createOrFold<arith::OrIOp>(loc, isOutOfCache, own)
              : own;
      operand->set(source.getMemory());
      uncached.push_back(operand);
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

int64_t GenericNest::lanesFor(unsigned vectorBits) {
  if (isFolded())
    return 1;
  unsigned widest = 8;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isUnused(operand))
      continue;
    auto type = cast<MemRefType>(operand.get().getType());
    Type element = type.getElementType();
    unsigned bits = element.getIntOrFloatBitWidth();
    widest =
        std::max(widest, isa<FloatType>(element) ? std::max(32u, bits) : bits);
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

bool GenericNest::isReadAcross(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return llvm::any_of(llvm::seq(numLoops - 1), [&](unsigned loop) {
    return isReduction(loop) && map.isFunctionOfDim(loop);
  });
}

bool GenericNest::canHalve(unsigned vectorBits) {
  if (lanes < 8 || numLoops < 2 || canCollapseLoops(op))
    return false;
  // Narrow elements have masks of their own only where vectors are longest.
  return vectorBits == 512 ||
         llvm::all_of(op->getOpOperands(), [](OpOperand &operand) {
           Type element = getElementTypeOrSelf(operand.get());
           return element.getIntOrFloatBitWidth() >= 32;
         });
}

bool GenericNest::canBeLight(unsigned vectorBits) {
  return vectorBits == 512 && lanes >= 8 && canCollapseLoops(op) &&
         isQuick(/*mostOps=*/3);
}

bool GenericNest::isQuick(int64_t mostOps) {
  auto isQuickOp = [](Operation &nested) {
    return nested.hasTrait<OpTrait::IsTerminator>() ||
           (isa<arith::ArithDialect>(nested.getDialect()) &&
            !isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
                 arith::RemSIOp, arith::RemUIOp>(nested));
  };
  return int64_t(op.getBody()->getOperations().size()) <= mostOps + 1 &&
         llvm::all_of(*op.getBody(), isQuickOp);
}

void GenericNest::stageRows() {
  if (lanes == 1)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<MemRefType>(operand.get().getType());
    if (isUnused(operand) || !isStepped(operand) || type.isLastDimUnitStride())
      continue;
    bool isTarget = !op.isDpsInput(&operand);
    staged.add(operand, /*isRead=*/!isTarget || combiner, isTarget);
  }
  staged.askStrides();
}

void GenericNest::emitNest() {
  if (Value there = staged.areThere()) {
    auto branch = scf::IfOp::create(builder, loc, there,
                                    /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  flatten();
  for (OpFoldResult extent : extents)
    ranges.push_back({math.constant(0), extent});
  if (!canStream())
    return emitStagedChunks(0);
  emitUnlessSeldom(
      areStoresNear(), [&] { emitStagedChunks(0); }, [&] { emitStreamed(); });
}

void GenericNest::emitStagedChunks(unsigned position) {
  Value direct = staged.areDirect();
  if (!direct)
    return emitBlocks();
  if (position == numLoops) {
    staged.begin([&](OpOperand &operand) { return indicesOf(operand); },
                 math.value(beginOf(numLoops - 1)),
                 math.value(endOf(numLoops - 1)));
    emitBlocks();
    return staged.end();
  }
  bool isLast = position + 1 == numLoops;
  OpFoldResult extent = extentOf(position);
  std::optional<int64_t> iterations = IndexMath::number(extent);
  int64_t chunk = isLast ? staged.getChunk() : 1;
  if ((isReduction(position) && !isLast) ||
      (iterations && *iterations <= chunk)) {
    indices[position] = math.value(math.constant(0));
    return emitStagedChunks(position + 1);
  }
  Value all = math.value(math.max(extent, math.constant(1)));
  OpFoldResult step = arith::SelectOp::create(builder, loc, direct, all,
                                              math.value(math.constant(chunk)))
                          .getResult();
  auto chunks =
      loop(math.constant(0), extent, step, position, {}, [&](ValueRange) {
        Value from = indices[position];
        ranges[position] = {from, math.min(math.add(from, step), extent)};
        emitStagedChunks(position + 1);
        return SmallVector<Value>();
      });
  chunks->setAttr(seldomRepeatedAttrName, builder.getUnitAttr());
}

void GenericNest::emitUnlessSeldom(Value condition, function_ref<void()> often,
                                   function_ref<void()> seldom) {
  scf::IfOp branch = createSeldomElse(builder, loc, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  often();
  builder.setInsertionPointToStart(branch.elseBlock());
  seldom();
}

void GenericNest::emitStreamed() {
  for (auto [range, extent] : llvm::zip(ranges, extents))
    range = {math.constant(0), extent};
  staged.assumeDense();
  isStreamed = true;
  hasHalves = false;
  emitBlocks();
}

Value GenericNest::areStoresNear() {
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value areOutOfCache =
      arith::AndIOp::create(builder, loc, streams, staged.areDirect());
  Value isNear = arith::XOrIOp::create(builder, loc, areOutOfCache, yes);
  return arith::OrIOp::create(builder, loc, isNear, areRowsInCache());
}

Value GenericNest::areRowsInCache() {
  // Stores past the caches wait for those of a row's ends, which are not: rows
  // of less than a page take longer than without.
  constexpr int64_t leastVectors = 2, leastUnaligned = 64;
  auto areFewer = [&](int64_t vectors) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                 math.value(extentOf(numLoops - 1)),
                                 math.value(math.constant(vectors * lanes)));
  };
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value areAligned = staged.areRowsAligned(*op.getDpsInitOperand(0),
                                           extentOf(numLoops - 1), lanes);
  Value hasEnds = arith::XOrIOp::create(builder, loc, areAligned, yes);
  Value waits =
      arith::AndIOp::create(builder, loc, hasEnds, areFewer(leastUnaligned));
  return arith::OrIOp::create(builder, loc, areFewer(leastVectors), waits);
}

void GenericNest::flatten() {
  if (lanes == 1 || !canCollapseLoops(op))
    return;
  RowLoops loops = flattenRows(
      builder, op, {extents.end()[-2], extents.end()[-1]}, staged.areDirect());
  extents.end()[-2] = loops.rows;
  extents.end()[-1] = loops.columns;
}

SmallVector<Value> GenericNest::indicesOf(OpOperand &operand) {
  return llvm::map_to_vector(
      op.getMatchingIndexingMap(&operand).getResults(), [&](AffineExpr expr) {
        return indices[cast<AffineDimExpr>(expr).getPosition()];
      });
}

scf::ForOp
GenericNest::loop(OpFoldResult from, OpFoldResult to, OpFoldResult step,
                  unsigned position, ValueRange carried,
                  function_ref<SmallVector<Value>(ValueRange)> body) {
  auto nest = scf::ForOp::create(builder, loc, math.value(from), math.value(to),
                                 math.value(step), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(nest.getBody());
  indices[position] = nest.getInductionVar();
  SmallVector<Value> next = body(nest.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, next);
  return nest;
}

void GenericNest::emitOuter(unsigned position) {
  if (position + 1 < numLoops) {
    if (isReduction(position))
      return emitOuter(position + 1);
    if (position + 2 == numLoops)
      return emitRows(position);
    loop(beginOf(position), endOf(position), 1, position, {}, [&](ValueRange) {
      emitOuter(position + 1);
      return SmallVector<Value>();
    });
    return;
  }
  emitRow({});
}

void GenericNest::emitRow(ArrayRef<RowPointer> rows) {
  preloadUniform();
  rowOf.assign(op->getNumOperands(), {});
  for (const RowPointer &row : rows)
    rowOf[row.operand->getOperandNumber()] = {memoryOf(row), prefetchedOf(row)};
  if (numLoops == 0)
    return emitChunk(Value());
  OpFoldResult from = beginOf(numLoops - 1), to = endOf(numLoops - 1);
  if (isReduction(numLoops - 1))
    emitInnerReduction(from, to);
  else
    emitInner(from, to);
}

void GenericNest::emitByElement(unsigned position) {
  if (position < numLoops) {
    loop(math.constant(0), extentOf(position), 1, position, {},
         [&](ValueRange) {
           emitByElement(position + 1);
           return SmallVector<Value>();
         });
    return;
  }
  uniform.assign(op->getNumOperands(), Value());
  rowOf.assign(op->getNumOperands(), {});
  SmallVector<Value> arguments;
  for (OpOperand &operand : op->getOpOperands())
    arguments.push_back(isUnused(operand) ? Value() : read(operand, Value()));
  write(body.emit(arguments, indices,
                  op.getBody()->getTerminator()->getOperand(0)),
        Value());
}

void GenericNest::preloadUniform() {
  uniform.assign(op->getNumOperands(), Value());
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    bool isUniform = !isStepped(*operand) && !isUnused(*operand);
    for (unsigned loop = 0; loop < numLoops; ++loop)
      isUniform &= !(isReduction(loop) && map.isFunctionOfDim(loop));
    if (isUniform)
      uniform[operand->getOperandNumber()] = memref::LoadOp::create(
          builder, loc, operand->get(), indicesOf(*operand));
  }
}

void GenericNest::emitRows(unsigned position) {
  indices[position] = math.value(beginOf(position));
  SmallVector<RowPointer> rows = findRows(position);
  SmallVector<Value> first = llvm::map_to_vector(
      rows, [](const RowPointer &row) { return row.pointer; });
  loop(beginOf(position), endOf(position), 1, position, first,
       [&](ValueRange pointers) {
         SmallVector<Value> next;
         for (auto [row, pointer] : llvm::zip(rows, pointers)) {
           row.pointer = pointer;
           next.push_back(LLVM::GEPOp::create(builder, loc, pointer.getType(),
                                              builder.getI8Type(), pointer,
                                              ValueRange{row.step}));
         }
         emitRow(rows);
         return next;
       });
}

SmallVector<GenericNest::RowPointer> GenericNest::findRows(unsigned position) {
  SmallVector<RowPointer> rows;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (lanes == 1 || isUnused(operand) || !isStepped(operand) ||
        isReadAcross(operand) || !map.isFunctionOfDim(position))
      continue;
    Value memory = staged.findMemory(operand);
    auto layout =
        MemoryLayout::of(builder, loc, memory ? memory : operand.get());
    auto axis =
        llvm::find(map.getResults(), builder.getAffineDimExpr(position));
    OpFoldResult stride = layout.strides[axis - map.getResults().begin()];
    if (IndexMath::number(stride))
      continue;
    View start{layout.base,
               getElementTypeOrSelf(operand.get()),
               layout.offset,
               {},
               {}};
    for (auto [index, distance] :
         llvm::zip(ArrayRef(indicesOf(operand)).drop_back(), layout.strides))
      start.offset = math.add(start.offset, math.mul(index, distance));
    Value step = stepOf(stride, start.element, position);
    rows.push_back({&operand, start.asPointer(builder, loc), step,
                    bytesToPrefetched(operand, step, position)});
  }
  return rows;
}

Value GenericNest::bytesToPrefetched(OpOperand &operand, Value step,
                                     unsigned loop) {
  // A quarter of the second cache, which has to hold more meanwhile; and two
  // pages, with less than which rows that begin inside a line got slower.
  constexpr int64_t most = 1 << 18, leastApart = 1 << 13, line = 64;
  if (combiner || numLoops != 2 || canCollapseLoops(op) ||
      !llvm::is_contained(uncached, &operand))
    return Value();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs,
                     int64_t rhs) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, number(rhs));
  };
  Value rows = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                          math.value(extentOf(loop)));
  Value bytes = arith::MulIOp::create(builder, loc, rows, step);
  Value inLine = arith::AndIOp::create(builder, loc, bytes, number(line - 1));
  Value isGood = arith::OrIOp::create(
      builder, loc, compare(arith::CmpIPredicate::eq, inLine, 0),
      compare(arith::CmpIPredicate::uge, bytes, leastApart));
  for (Value other :
       {compare(arith::CmpIPredicate::ule, bytes, most), isOutOfCache})
    isGood = arith::AndIOp::create(builder, loc, isGood, other);
  return arith::SelectOp::create(builder, loc, isGood, bytes, number(0));
}

Value GenericNest::stepOf(OpFoldResult stride, Type element, unsigned loop) {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  // Only this nest has the number then, and a register for it.
  Value isTraversed =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            math.value(beginOf(loop)), math.value(endOf(loop)));
  Value step = arith::SelectOp::create(
      builder, loc, isTraversed,
      math.value(math.mul(stride, math.constant(bytes))),
      math.value(math.constant(0)));
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), step);
}

Value GenericNest::memoryOf(const RowPointer &row) {
  View view{row.pointer,
            getElementTypeOrSelf(row.operand->get()),
            math.constant(0),
            {extentOf(numLoops - 1)},
            {math.constant(1)}};
  return view.asMemRef(builder, loc);
}

Value GenericNest::prefetchedOf(const RowPointer &row) {
  if (!row.toPrefetched)
    return Value();
  return LLVM::GEPOp::create(builder, loc, row.pointer.getType(),
                             builder.getI8Type(), row.pointer,
                             ValueRange{row.toPrefetched});
}

void GenericNest::prefetchNext(OpOperand &operand, Value row) {
  // The nearest cache has enough to do with this row.
  constexpr unsigned secondCache = 2;
  View view{
      row, getElementTypeOrSelf(operand.get()), indices[numLoops - 1], {}, {}};
  LLVM::Prefetch::create(builder, loc, view.asPointer(builder, loc), /*rw=*/0,
                         secondCache, /*cache=*/1);
}

void GenericNest::emitTail(OpFoldResult from, OpFoldResult extent) {
  if (from == extent || lanes == 1)
    return;
  indices[numLoops - 1] = math.value(from);
  Value left = math.value(math.sub(extent, from));
  Value isLeft = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                       left, math.value(math.constant(0)));
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

Value GenericNest::maskUntil(OpFoldResult to) {
  auto type = VectorType::get(lanes, builder.getI1Type());
  OpFoldResult left = math.sub(to, indices[numLoops - 1]);
  if (!hasMaskRegisters || lanes < 8 || IndexMath::number(left))
    return vector::CreateMaskOp::create(builder, loc, type, math.value(left));
  // LLVM compares lanes wherever a mask is used, in each row anew. What is made
  // of bits it keeps.
  Type i64 = builder.getI64Type();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value count = arith::IndexCastOp::create(builder, loc, i64, math.value(left));
  Value bits = arith::SubIOp::create(
      builder, loc, arith::ShLIOp::create(builder, loc, number(1), count),
      number(1));
  if (lanes < 64)
    bits = arith::TruncIOp::create(builder, loc, builder.getIntegerType(lanes),
                                   bits);
  return LLVM::BitcastOp::create(builder, loc, type, bits);
}

void GenericNest::inHalves(function_ref<void()> emit) {
  lanes /= 2;
  body.setLanes(lanes);
  emit();
  lanes *= 2;
  body.setLanes(lanes);
}

Value GenericNest::inHalvesIfShort(OpFoldResult left, Type type,
                                   function_ref<Value()> emitLong,
                                   function_ref<Value()> emitShort) {
  std::optional<int64_t> known = IndexMath::number(left);
  if (!hasHalves || known)
    return hasHalves && *known <= lanes / 2 ? emitShort() : emitLong();
  Value isShort = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                        math.value(left),
                                        math.value(math.constant(lanes / 2)));
  auto branch = scf::IfOp::create(builder, loc,
                                  type ? TypeRange(type) : TypeRange(), isShort,
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

void GenericNest::emitInner(OpFoldResult from, OpFoldResult to) {
  if (isStreamed)
    emitPastCaches(from, to);
  else if (isLight && staged.isRow(*op.getDpsInitOperand(0)))
    inHalves([&] { emitAligned(from, to); });
  else if (canCollapseLoops(op) && staged.isRow(*op.getDpsInitOperand(0)))
    emitAligned(from, to);
  else
    emitVectors(from, to);
}

void GenericNest::emitAligned(OpFoldResult from, OpFoldResult to) {
  constexpr int64_t leastVectors = 16;
  auto compare = [&](arith::CmpIPredicate predicate, OpFoldResult lhs,
                     OpFoldResult rhs) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, math.value(lhs),
                                 math.value(rhs));
  };
  auto select = [&](Value condition, OpFoldResult ifTrue,
                    OpFoldResult ifFalse) -> OpFoldResult {
    return arith::SelectOp::create(builder, loc, condition, math.value(ifTrue),
                                   math.value(ifFalse))
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

void GenericNest::emitVectors(OpFoldResult from, OpFoldResult to) {
  if (combinesRows() && !rowsPerIteration && isQuick(mostQuickOps))
    from = emitStrips(from, to);
  OpFoldResult whole = wholeSteps(builder, loc, from, to, lanes);
  loop(from, whole, lanes, numLoops - 1, {}, [&](ValueRange) {
    emitChunk(Value());
    return SmallVector<Value>();
  });
  emitTail(whole, to);
}

Value GenericNest::read(OpOperand &operand, Value mask) {
  if (Value known = uniform[operand.getOperandNumber()])
    return known;
  auto [memory, position] = elementAt(operand);
  if (lanes == 1 || !isStepped(operand))
    return memref::LoadOp::create(builder, loc, memory, position);
  auto type = VectorType::get(lanes, getElementTypeOrSelf(operand.get()));
  if (!mask) {
    if (Value row = rowOf[operand.getOperandNumber()].prefetched)
      prefetchNext(operand, row);
    return vector::LoadOp::create(builder, loc, type, memory, position);
  }
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return vector::MaskedLoadOp::create(builder, loc, type, memory, position,
                                      mask, zero);
}

std::pair<Value, SmallVector<Value>>
GenericNest::elementAt(OpOperand &operand) {
  if (Value row = rowOf[operand.getOperandNumber()].memory)
    return {row, {indices[numLoops - 1]}};
  Value memory = staged.findMemory(operand);
  return {memory ? memory : operand.get(), indicesOf(operand)};
}

void GenericNest::write(Value value, Value mask) {
  auto [memory, position] = elementAt(*op.getDpsInitOperand(0));
  if (lanes == 1)
    memref::StoreOp::create(builder, loc, value, memory, position);
  else if (mask)
    vector::MaskedStoreOp::create(builder, loc, memory, position, mask,
                                  body.broadcast(value));
  else if (isStreamed)
    vector::StoreOp::create(builder, loc, body.broadcast(value), memory,
                            position,
                            /*nontemporal=*/true, alignmentOfVectors());
  else
    vector::StoreOp::create(builder, loc, body.broadcast(value), memory,
                            position);
}
