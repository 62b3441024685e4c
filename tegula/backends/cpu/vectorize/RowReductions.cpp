// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/RowReductions.h"

#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/backends/cpu/vectorize/ElementAccess.h"
#include "tegula/backends/cpu/vectorize/LoopRanges.h"
#include "tegula/backends/cpu/vectorize/NestBody.h"
#include "tegula/backends/cpu/vectorize/RowTails.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tegula;

void RowReductions::emit(OpFoldResult from, OpFoldResult to) {
  if (lanes == 1) {
    Value before = access.read(state.getTarget(), Value());
    return access.write(body.reduce(before, Value()), Value());
  }
  store(reduceRow(from, to));
}

RowPartials::Carried RowReductions::reduceRow(OpFoldResult from,
                                              OpFoldResult to) {
  Value neutral = state.body.broadcast(
      arith::ConstantOp::create(builder, loc, state.combiner->neutral));
  partials.emplace(builder, loc, *state.combiner);
  int64_t count =
      RowPartials::countFor(op, getCpuMachine(/*useThreads=*/true).costs);
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
  if (whole == to)
    return sum;
  return ifAny(whole, to, sum, [&] {
    state.indices[state.getInnermost()] = math.value(whole);
    return combineLast(to, sum);
  });
}

RowPartials::Carried RowReductions::emitPartials(OpFoldResult from,
                                                 OpFoldResult to, int64_t count,
                                                 ValueRange before) {
  unsigned innermost = state.getInnermost();
  auto main = state.loop(
      from, to, lanes * count, innermost, before, [&](ValueRange carried) {
        SmallVector<Value> elements;
        Value start = state.indices[innermost];
        for (int64_t block = 0; block < count; ++block) {
          state.indices[innermost] =
              math.value(math.add(start, math.constant(block * lanes)));
          elements.push_back(body.computeLanes(Value()));
        }
        return partials->combine(carried, elements, Value());
      });
  return partials->join(main.getResults());
}

RowPartials::Carried RowReductions::combineLast(OpFoldResult to,
                                                ValueRange carried) {
  Value mask = tails.maskUntil(to);
  Value element = tails.inHalvesIfShort(
      math.sub(to, state.indices[state.getInnermost()]),
      carried.front().getType(), [&] { return body.computeLanes(mask); },
      [&] { return computeHalf(to); });
  return partials->combine(carried, element, mask);
}

Value RowReductions::computeHalf(OpFoldResult to) {
  Value half;
  state.inHalves([&] { half = body.computeLanes(tails.maskUntil(to)); });
  Value none = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(cast<ShapedType>(half.getType())));
  auto all = llvm::to_vector(llvm::seq<int64_t>(lanes));
  return vector::ShuffleOp::create(builder, loc, half, none, all);
}

RowPartials::Carried
RowReductions::ifAny(OpFoldResult from, OpFoldResult to, ValueRange before,
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

void RowReductions::store(ValueRange total) {
  OpOperand &target = state.getTarget();
  SmallVector<Value> position = state.indicesOf(target);
  Value reduced = partials->finish(total);
  Value before = memref::LoadOp::create(builder, loc, target.get(), position);
  Value after = state.combiner->apply(builder, before, reduced);
  memref::StoreOp::create(builder, loc, after, target.get(), position);
}
