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
