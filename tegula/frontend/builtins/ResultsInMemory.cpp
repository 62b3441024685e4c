// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/ResultsInMemory.h"
#include "tegula/frontend/builtins/GatherScatter.h"

using namespace tegula;
using mlir::Value;

Value tegula::inMemory(const BuiltinCall &call, Value shaped) {
  Emitter &emitter = call.emitter;
  if (llvm::isa<pl::TensorViewType>(shaped.getType())) {
    emitter.uses.read(shaped, call.loc);
    return shaped;
  }
  Value memory = memoryFor(call, pl::getDims(shaped.getType()),
                           emitter.extents.allOf(call.loc, shaped),
                           pl::getElementOrSelf(shaped.getType()));
  pl::StoreOp::create(emitter.builder, call.loc, shaped, memory);
  return memory;
}

Object tegula::loaded(const BuiltinCall &call, Value memory) {
  return Object(call.emitter.memory.toTile(call.loc, Object(memory)));
}

bool tegula::checkNumbers(const BuiltinCall &call, Value shaped) {
  if (pl::isNumeric(pl::getElementOrSelf(shaped.getType())))
    return true;
  call.fail("'" + call.name + "' takes numbers, got " +
            describe(shaped.getType()) + "; write pl.cast");
  return false;
}
