// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/ElementLoops.h"

#include "tegula/backends/cpu/vectorize/ElementAccess.h"
#include "tegula/backends/cpu/vectorize/NestOperands.h"

using namespace mlir;
using namespace tegula;

void ElementLoops::emitFrom(unsigned position) {
  if (position == state.numLoops)
    return emitElement();
  state.loop(math.constant(0), state.extents[position], 1, position,
             [&] { emitFrom(position + 1); });
}

void ElementLoops::emitElement() {
  access.begin();
  SmallVector<Value> arguments;
  for (OpOperand &operand : op->getOpOperands())
    arguments.push_back(isUnused(op, operand) ? Value()
                                              : access.read(operand, Value()));
  Value made = state.body.emit(arguments, state.indices,
                               op.getBody()->getTerminator()->getOperand(0));
  access.write(made, Value());
}
