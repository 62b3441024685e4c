// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/AlignedRows.h"

#include "tegula/backends/cpu/vectorize/StridedStaging.h"

using namespace mlir;
using namespace tegula;

OpFoldResult AlignedRows::elementsToAlignment(OpFoldResult from) {
  OpOperand &target = state.getTarget();
  state.indices[state.getInnermost()] = math.value(from);
  return staged.elementsToAlignment(target, state.indicesOf(target), lanes);
}

Value AlignedRows::compare(arith::CmpIPredicate predicate, OpFoldResult lhs,
                           OpFoldResult rhs) {
  return arith::CmpIOp::create(builder, loc, predicate, math.value(lhs),
                               math.value(rhs));
}

OpFoldResult AlignedRows::select(Value condition, OpFoldResult ifTrue,
                                 OpFoldResult ifFalse) {
  return arith::SelectOp::create(builder, loc, condition, math.value(ifTrue),
                                 math.value(ifFalse))
      .getResult();
}

void AlignedRows::emit(
    OpFoldResult from, OpFoldResult to,
    function_ref<void(OpFoldResult, OpFoldResult)> emitVectors) {
  constexpr int64_t leastVectors = 16;
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
