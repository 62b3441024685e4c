// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a nest computes of one vector, and how rows are reduced.

#include "tegula/backends/cpu/GenericNest.h"

using namespace mlir;
using namespace tegula;

Value GenericNest::compute(Value mask) {
  SmallVector<Value> arguments;
  for (OpOperand *operand : op.getDpsInputOperands())
    arguments.push_back(isUnused(*operand) ? Value() : read(*operand, mask));
  Value wanted = combiner ? combiner->op->getOperand(combiner->elementPosition)
                          : op.getBody()->getTerminator()->getOperand(0);
  return body.emit(arguments, indices, wanted);
}

void GenericNest::emitChunk(Value mask) {
  if (!combiner)
    return write(compute(mask), mask);
  Value before = read(*op.getDpsInitOperand(0), mask);
  Value after = rowsPerIteration ? combineFewRows(before, mask)
                                 : emitReducing(0, before, mask);
  write(after, mask);
}

void GenericNest::emitBlocks() {
  OpFoldResult zero = math.constant(0);
  OpFoldResult rows = numLoops == 0 ? zero : extentOf(0);
  reduced = {zero, rows};
  constexpr int64_t few = 4;
  if (!combinesRows() || IndexMath::number(rows).value_or(few + 1) <= few)
    return emitOuter(0);
  // What is left of long rows, or all of short ones.
  OpFoldResult rest = rowsTakenFew(builder, loc, rows, extentOf(1), lanes, few);
  if (isQuick(mostQuickOps)) {
    emitFewRows(rest, few);
  } else {
    loop(zero, rest, few, 0, {}, [&](ValueRange) {
      reduced = {indices[0], math.add(indices[0], math.constant(few))};
      emitOuter(0);
      return SmallVector<Value>();
    });
  }
  reduced = {rest, rows};
  if (rest == rows)
    return;
  Value isLeft = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       math.value(rest), math.value(rows));
  auto branch =
      scf::IfOp::create(builder, loc, isLeft, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitOuter(0);
}

void GenericNest::emitFewRows(OpFoldResult to, int64_t count) {
  rowsPerIteration = count;
  auto emitIterations = [&] {
    loop(math.constant(0), to, count, 0, {}, [&](ValueRange) {
      emitOuter(0);
      return SmallVector<Value>();
    });
  };
  if (isOutOfCache) {
    auto branch =
        scf::IfOp::create(builder, loc, isOutOfCache, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    prefetchesNextRows = true;
    emitIterations();
    prefetchesNextRows = false;
    builder.setInsertionPointToStart(branch.elseBlock());
    emitIterations();
  } else {
    emitIterations();
  }
  rowsPerIteration = 0;
}

OpFoldResult GenericNest::emitStrips(OpFoldResult from, OpFoldResult to) {
  constexpr int64_t count = 4;
  std::optional<int64_t> known = IndexMath::number(math.sub(to, from));
  if (known && *known < count * lanes)
    return from;
  OpFoldResult end = wholeSteps(builder, loc, from, to, count * lanes);
  loop(from, end, count * lanes, 1, {}, [&](ValueRange) {
    OpFoldResult first = indices[1];
    SmallVector<Value> before;
    auto forEach = [&](function_ref<void(int64_t)> emit) {
      for (int64_t block = 0; block < count; ++block) {
        indices[1] = math.value(math.add(first, math.constant(block * lanes)));
        emit(block);
      }
    };
    forEach([&](int64_t) {
      before.push_back(read(*op.getDpsInitOperand(0), Value()));
    });
    auto rows = loop(
        reduced.first, reduced.second, 1, 0, before, [&](ValueRange carried) {
          SmallVector<Value> next;
          forEach([&](int64_t block) {
            next.push_back(combiner->apply(builder, carried[block],
                                           body.broadcast(compute(Value()))));
          });
          return next;
        });
    forEach([&](int64_t block) { write(rows.getResult(block), Value()); });
    return SmallVector<Value>();
  });
  return end;
}

Value GenericNest::combineFewRows(Value before, Value mask) {
  if (prefetchesNextRows)
    prefetchNextRows();
  Value first = indices[0];
  for (int64_t row = 0; row < rowsPerIteration; ++row) {
    indices[0] = math.value(math.add(first, math.constant(row)));
    before = combiner->apply(builder, before, body.broadcast(compute(mask)));
  }
  indices[0] = first;
  return before;
}

void GenericNest::prefetchNextRows() {
  // The nearest cache has enough to do with the rows of this iteration.
  constexpr unsigned secondCache = 2;
  Value first = indices[0];
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (isUnused(*operand) || !isStepped(*operand) || !isReadAcross(*operand))
      continue;
    for (int64_t row = 0; row < rowsPerIteration; ++row) {
      indices[0] =
          math.value(math.add(first, math.constant(rowsPerIteration + row)));
      memref::PrefetchOp::create(builder, loc, operand->get(),
                                 indicesOf(*operand), /*isWrite=*/false,
                                 secondCache, /*isDataCache=*/true);
    }
  }
  indices[0] = first;
}

Value GenericNest::emitReducing(unsigned position, Value before, Value mask) {
  if (position == numLoops)
    return combiner->apply(builder, before, body.broadcast(compute(mask)));
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

RowPartials::Carried GenericNest::emitPartials(OpFoldResult from,
                                               OpFoldResult to, int64_t count,
                                               ValueRange before) {
  auto main = loop(
      from, to, lanes * count, numLoops - 1, before, [&](ValueRange carried) {
        SmallVector<Value> elements;
        Value start = indices[numLoops - 1];
        for (int64_t block = 0; block < count; ++block) {
          indices[numLoops - 1] =
              math.value(math.add(start, math.constant(block * lanes)));
          elements.push_back(body.broadcast(compute(Value())));
        }
        return partials->combine(carried, elements, Value());
      });
  return partials->join(main.getResults());
}

RowPartials::Carried GenericNest::combineLast(OpFoldResult to,
                                              ValueRange carried) {
  Value mask = maskUntil(to);
  Value element = inHalvesIfShort(
      math.sub(to, indices[numLoops - 1]), carried.front().getType(),
      [&] { return body.broadcast(compute(mask)); },
      [&] { return computeHalf(to); });
  return partials->combine(carried, element, mask);
}

Value GenericNest::computeHalf(OpFoldResult to) {
  Value half;
  inHalves([&] { half = body.broadcast(compute(maskUntil(to))); });
  Value none = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(cast<ShapedType>(half.getType())));
  auto all = llvm::to_vector(llvm::seq<int64_t>(lanes));
  return vector::ShuffleOp::create(builder, loc, half, none, all);
}

RowPartials::Carried
GenericNest::ifAny(OpFoldResult from, OpFoldResult to, ValueRange before,
                   function_ref<RowPartials::Carried()> emit) {
  Value isLeft = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       math.value(from), math.value(to));
  auto branch = scf::IfOp::create(builder, loc, before.getTypes(), isLeft,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emit());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, before);
  return branch.getResults();
}

void GenericNest::emitInnerReduction(OpFoldResult from, OpFoldResult to) {
  OpOperand &target = *op.getDpsInitOperand(0);
  if (lanes == 1) {
    Value before = read(target, Value());
    return write(emitReducing(0, before, Value()), Value());
  }
  Value neutral = body.broadcast(
      arith::ConstantOp::create(builder, loc, combiner->neutral));
  partials.emplace(builder, loc, *combiner);
  int64_t count = RowPartials::countFor(op);
  OpFoldResult whole = wholeSteps(builder, loc, from, to, lanes);
  OpFoldResult blocks =
      count > 1 ? wholeSteps(builder, loc, from, to, lanes * count) : whole;
  RowPartials::Carried sum;
  if (blocks == whole) {
    sum = emitPartials(from, blocks, count, partials->begin(neutral, count));
  } else {
    sum = ifAny(from, blocks, partials->begin(neutral, 1), [&] {
      return emitPartials(from, blocks, count, partials->begin(neutral, count));
    });
    sum = emitPartials(blocks, whole, 1, sum);
  }
  if (whole != to)
    sum = ifAny(whole, to, sum, [&] {
      indices[numLoops - 1] = math.value(whole);
      return combineLast(to, sum);
    });
  storeReduced(target, sum);
}

void GenericNest::storeReduced(OpOperand &target, ValueRange total) {
  SmallVector<Value> position = indicesOf(target);
  Value reduced = partials->finish(total);
  Value before = memref::LoadOp::create(builder, loc, target.get(), position);
  Value after = combiner->apply(builder, before, reduced);
  memref::StoreOp::create(builder, loc, after, target.get(), position);
}
