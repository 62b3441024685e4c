// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/memory/TileMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_RESHAPEINMEMORY
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// reshape(t)  ->  load(view(memory of t))
static void reshapeInMemory(pl::ReshapeElementsOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value memory = memoryOf(builder, op.getSource(), op);
  auto type = pl::TensorViewType::get(
      op->getContext(), op.getResult().getType().getDims(),
      op.getResult().getType().getElementType());
  Value view = pl::ViewOp::create(builder, loc, type, memory, op.getSizes());
  Value load = pl::keepSpace(builder, op.getResult(),
                             pl::LoadOp::create(builder, loc, view));
  op.getResult().replaceAllUsesWith(load);
  op.erase();
}

namespace {

struct ReshapeInMemoryPass
    : tegula::impl::ReshapeInMemoryBase<ReshapeInMemoryPass> {
  void runOnOperation() override {
    SmallVector<pl::ReshapeElementsOp> reshapes;
    getOperation().walk([&](pl::ReshapeElementsOp op) {
      bool isUnbounded = pl::isUnboundedTile(op.getSource()) ||
                         pl::isUnboundedTile(op.getResult());
      if (isUnbounded)
        reshapes.push_back(op);
    });
    for (pl::ReshapeElementsOp op : reshapes)
      reshapeInMemory(op);
  }
};

} // namespace
