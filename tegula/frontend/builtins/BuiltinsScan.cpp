// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that combine each element with all before it.
#include "tegula/frontend/builtins/IndexedForms.h"
#include "tegula/frontend/builtins/ResultsInMemory.h"

using namespace tegula;
using mlir::Value;

/// cumsum(x, axis)
Object tegula::buildScan(const ScanCall &call, pl::Reduction reduction) {
  Emitter &emitter = call.emitter;
  unsigned rank = pl::getDims(call.x().getType()).size();
  if (rank == 0)
    return call.fail("'" + call.name + "' needs at least one axis");
  std::optional<unsigned> axis = call.hasAxis() ? call.axis(rank) : rank - 1;
  if (!axis || !checkNumbers(call, call.x()))
    return Object::poison();
  Value source = inMemory(call, call.x());
  Value target = memoryFor(call, pl::getDims(source.getType()),
                           emitter.extents(call.loc, source),
                           pl::getElementOrSelf(source.getType()));
  pl::ScanOp::create(emitter.builder, call.loc, reduction, source, *axis,
                     target);
  return loaded(call, target);
}
