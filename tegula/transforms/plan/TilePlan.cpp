// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/TilePlan.h"

using namespace mlir;
using namespace tegula;

LogicalResult tegula::requireBoundedTiles(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) -> WalkResult {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<pl::TileType>(type); tile && !tile.isBounded())
        return op->emitOpError("has an unbounded result ")
               << type << ", tiles must be bounded here";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

int64_t TilePlan::getCopyBytes(BufferId buffer) const {
  const TileBuffer &planned = placement.getBuffers()[buffer];
  return llvm::alignTo(planned.bytes,
                       machine.findMemory(planned.space)->alignment);
}

int64_t TilePlan::getAddress(BufferId buffer) const {
  const TileBuffer &planned = placement.getBuffers()[buffer];
  Operation *frame = placement.getFrame(planned.home);
  auto function = frame->getParentOfType<func::FuncOp>();
  int64_t before = function ? memory.getFrameBytes(function, planned.space) : 0;
  return before + memory.offsets[buffer];
}
