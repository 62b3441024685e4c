// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/PlShapeOps.h"
#include "tegula/ir/SpaceAttribute.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/TileMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_REGROUPINMEMORY
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// regroup(t)  ->  load(view(memory of t))
static void regroup(pl::RegroupOp op) {
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

struct RegroupInMemoryPass
    : tegula::impl::RegroupInMemoryBase<RegroupInMemoryPass> {
  void runOnOperation() override {
    SmallVector<pl::RegroupOp> regroups;
    getOperation().walk([&](pl::RegroupOp op) {
      bool isUnbounded = pl::isUnboundedTile(op.getSource()) ||
                         pl::isUnboundedTile(op.getResult());
      if (isUnbounded)
        regroups.push_back(op);
    });
    for (pl::RegroupOp op : regroups)
      regroup(op);
  }
};

} // namespace
