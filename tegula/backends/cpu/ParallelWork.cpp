// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/ParallelWork.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tegula;

static constexpr int64_t mostWork = int64_t(1) << 40;

static int64_t elementsOf(Type type) {
  auto tile = dyn_cast<pl::TileType>(type);
  if (!tile || !tile.isBounded())
    return 1;
  int64_t count = 1;
  for (pl::Dim dim : tile.getDims())
    count = std::min(mostWork, count * std::max<int64_t>(1, dim.getBound()));
  return count;
}

/// Turns of a loop, guessed where they are not known.
static int64_t turnsOf(Operation *op) {
  constexpr int64_t guess = 8;
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return 1;
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       step = loop.getLoopSteps();
  if (!lower || !upper || !step)
    return guess;
  auto from = getConstantIntValue(lower->front()),
       to = getConstantIntValue(upper->front()),
       by = getConstantIntValue(step->front());
  if (!from || !to || !by || *by <= 0)
    return guess;
  return std::max<int64_t>(0, (*to - *from + *by - 1) / *by);
}

static int64_t workOf(Operation &op) {
  if (auto matmul = dyn_cast<pl::MatmulOp>(op)) {
    // A vector of products takes about as long as a vector of loads.
    pl::Dim inner =
        matmul.getLhs().getType().getDims()[matmul.getTransposeLhs() ? 0 : 1];
    return std::min(mostWork, elementsOf(op.getResult(0).getType()) *
                                  std::max<int64_t>(1, inner.getBound() / 2));
  }
  int64_t work = 0;
  for (Type type : op.getResultTypes())
    work += elementsOf(type);
  for (Region &region : op.getRegions())
    for (Block &block : region)
      work = std::min(mostWork, work + turnsOf(&op) * estimateWork(block));
  return work;
}

int64_t tegula::estimateWork(Block &block) {
  int64_t work = 0;
  for (Operation &op : block)
    work = std::min(mostWork, work + workOf(op));
  return work;
}
