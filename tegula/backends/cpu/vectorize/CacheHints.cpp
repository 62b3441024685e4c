// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/CacheHints.h"

#include "tegula/backends/cpu/CpuDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

CacheHints CacheHints::takeFrom(linalg::GenericOp op) {
  CacheHints hints;
  OpBuilder builder(op);
  OpOperand &target = *op.getDpsInitOperand(0);
  if (auto stream = target.get().getDefiningOp<cpu::StreamOp>()) {
    hints.streams = stream.getCondition();
    target.set(stream.getMemory());
  }
  for (OpOperand *operand : op.getDpsInputOperands())
    if (auto source = operand->get().getDefiningOp<cpu::UncachedOp>()) {
      // What goes through the caches meanwhile is not there the next time.
      Value own = source.getCondition();
      hints.isOutOfCache = hints.isOutOfCache
                               ? builder.createOrFold<arith::OrIOp>(
                                     op.getLoc(), hints.isOutOfCache, own)
                               : own;
      operand->set(source.getMemory());
      hints.uncached.push_back(operand);
    }
  return hints;
}
