// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/StagedChunks.h"

#include "tegula/backends/cpu/threads/ParallelWork.h"
#include "tegula/backends/cpu/vectorize/NestOperands.h"
#include "tegula/backends/cpu/vectorize/StridedStaging.h"

using namespace mlir;
using namespace tegula;

void StagedChunks::stageRows() {
  if (lanes == 1)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<MemRefType>(operand.get().getType());
    if (isUnused(op, operand) || !isStepped(op, operand) ||
        type.isLastDimUnitStride())
      continue;
    bool isTarget = !op.isDpsInput(&operand);
    staged.add(operand, /*isRead=*/!isTarget || state.combiner, isTarget);
  }
  staged.askStrides();
}

void StagedChunks::emitFrom(unsigned position, function_ref<void()> emitRows) {
  Value direct = staged.areDirect();
  if (!direct)
    return emitRows();
  if (position == state.numLoops)
    return emitChunk(emitRows);
  bool isLast = position == state.getInnermost();
  OpFoldResult extent = state.extents[position];
  std::optional<int64_t> iterations = IndexMath::number(extent);
  int64_t chunk = isLast ? staged.getChunk() : 1;
  if ((state.isReduction(position) && !isLast) ||
      (iterations && *iterations <= chunk)) {
    state.indices[position] = math.value(math.constant(0));
    return emitFrom(position + 1, emitRows);
  }
  Value all = math.value(math.max(extent, math.constant(1)));
  OpFoldResult step = arith::SelectOp::create(builder, loc, direct, all,
                                              math.value(math.constant(chunk)))
                          .getResult();
  auto chunks =
      state.loop(math.constant(0), extent, step, position, {}, [&](ValueRange) {
        Value from = state.indices[position];
        state.ranges[position] = {from, math.min(math.add(from, step), extent)};
        emitFrom(position + 1, emitRows);
        return SmallVector<Value>();
      });
  chunks->setAttr(seldomRepeatedAttrName, builder.getUnitAttr());
}

void StagedChunks::emitChunk(function_ref<void()> emitRows) {
  unsigned innermost = state.getInnermost();
  staged.begin([&](OpOperand &operand) { return state.indicesOf(operand); },
               math.value(state.beginOf(innermost)),
               math.value(state.endOf(innermost)));
  emitRows();
  staged.end();
}
