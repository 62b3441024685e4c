// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/StreamingRows.h"

#include "tegula/backends/cpu/vectorize/CacheHints.h"
#include "tegula/backends/cpu/vectorize/StridedStaging.h"

using namespace mlir;
using namespace tegula;

bool StreamingRows::canStream() const {
  return hints.streams && !state.combiner && staged.isRow(state.getTarget());
}

Value StreamingRows::areStoresNear() {
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value areOutOfCache =
      arith::AndIOp::create(builder, loc, hints.streams, staged.areDirect());
  Value isNear = arith::XOrIOp::create(builder, loc, areOutOfCache, yes);
  return arith::OrIOp::create(builder, loc, isNear, areRowsInCache());
}

Value StreamingRows::areRowsInCache() {
  // Stores past the caches wait for those of a row's ends, which are not: rows
  // of less than a page take longer than without.
  constexpr int64_t leastVectors = 2, leastUnaligned = 64;
  OpFoldResult columns = state.extents[state.getInnermost()];
  auto areFewer = [&](int64_t vectors) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                 math.value(columns),
                                 math.value(math.constant(vectors * lanes)));
  };
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value areAligned = staged.areRowsAligned(state.getTarget(), columns, lanes);
  Value hasEnds = arith::XOrIOp::create(builder, loc, areAligned, yes);
  Value waits =
      arith::AndIOp::create(builder, loc, hasEnds, areFewer(leastUnaligned));
  return arith::OrIOp::create(builder, loc, areFewer(leastVectors), waits);
}
