// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/NestBody.h"

#include "tegula/backends/cpu/vectorize/ElementAccess.h"
#include "tegula/backends/cpu/vectorize/NestOperands.h"

using namespace mlir;
using namespace tegula;

Value NestBody::compute(Value mask) {
  SmallVector<Value> arguments;
  for (OpOperand *operand : op.getDpsInputOperands())
    arguments.push_back(isUnused(op, *operand) ? Value()
                                               : access.read(*operand, mask));
  const std::optional<Combiner> &combiner = state.combiner;
  Value wanted = combiner ? combiner->op->getOperand(combiner->elementPosition)
                          : op.getBody()->getTerminator()->getOperand(0);
  return state.body.emit(arguments, state.indices, wanted);
}

Value NestBody::computeLanes(Value mask) {
  return state.body.broadcast(compute(mask));
}

Value NestBody::combine(Value before, Value mask) {
  return state.combiner->apply(builder, before, computeLanes(mask));
}

Value NestBody::reduceFrom(unsigned position, Value before, Value mask) {
  if (position == state.numLoops)
    return combine(before, mask);
  if (!state.isReduction(position))
    return reduceFrom(position + 1, before, mask);
  unsigned innermost = state.getInnermost();
  Value vectorIndex = state.indices[innermost];
  auto nest = state.loop(state.beginOf(position), state.endOf(position), 1,
                         position, before, [&](ValueRange carried) {
                           return SmallVector<Value>{
                               reduceFrom(position + 1, carried.front(), mask)};
                         });
  if (position != innermost)
    state.indices[innermost] = vectorIndex;
  return nest.getResult(0);
}
