// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowPrefetches.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/backends/cuda/rows/RowTensors.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/support/Routines.h"

using namespace mlir;
using namespace tegula;

static int64_t bytesOf(const RowAccess &access) {
  return getElementType(access).getIntOrFloatBitWidth() / 8;
}

void RowPrefetches::emit(Value width, int64_t mostColumns) {
  // About so much for each SM, as measured.
  const int64_t wanted = (state.isNarrow ? 48 : 32) * 1024;
  // Not for rows that are shorter, nor what so many threads that begin together
  // read themselves.
  constexpr int64_t least = 1024, together = 1024;
  SmallVector<RowAccess> reads = findReads();
  int64_t bytes = 0;
  for (const RowAccess &access : reads)
    bytes += bytesOf(access);
  if (reads.empty() || mostColumns * bytes <= least)
    return;
  Value size = math.toWord32(math.mul(state.columns, code.number(bytes)));
  Value isLong = math.below(math.constant(least - 1), size);
  code.emitIf(math.both(state.isFirst, isLong), [&] {
    Value numSMs =
        code.call(routine::tegulaGpuNumSMs, builder.getI32Type(), {});
    Value half = math.div(size, math.constant(2));
    Value sum = math.add(math.constant(wanted), half);
    Value quotient = math.div(sum, size);
    Value iterations =
        builder.createOrFold<arith::MaxSIOp>(loc, quotient, math.constant(1));
    Value later =
        math.add(state.row, math.toIndex(math.mul(numSMs, iterations)));
    Value blocks = math.div(math.constant(together), math.toWord32(width));
    Value atOnce = math.toIndex(math.mul(numSMs, blocks));
    Value isThere = math.below(later, state.rows);
    code.emitIf(math.both(isThere, math.below(atOnce, later)),
                [&] { emitReads(reads, later); });
  });
}

SmallVector<RowAccess> RowPrefetches::findReads() const {
  llvm::SetVector<Value> seen;
  SmallVector<RowAccess> found;
  for (Operation *op : program.steps) {
    auto known = program.accesses.find(op);
    if (isa<pl::LoadOp>(op) && known != program.accesses.end() &&
        known->second.shape.hasRows && known->second.shape.hasColumns &&
        seen.insert(known->second.tensor))
      found.push_back(known->second);
  }
  return found;
}

void RowPrefetches::emitReads(ArrayRef<RowAccess> reads, Value later) {
  for (const RowAccess &access : reads) {
    Value row = tensors.rowOf(access, later);
    Value bytes = math.mul(state.columns, code.number(bytesOf(access)));
    bytes =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), bytes);
    code.call(routine::tegulaGpuPrefetch, {}, {row, bytes});
  }
}
