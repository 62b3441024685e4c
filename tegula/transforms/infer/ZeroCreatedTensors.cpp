// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_ZEROCREATEDTENSORS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct ZeroCreatedTensorsPass
    : tegula::impl::ZeroCreatedTensorsBase<ZeroCreatedTensorsPass> {
  void runOnOperation() override {
    getOperation().walk([](pl::CreateTensorOp created) {
      OpBuilder builder(created.getContext());
      builder.setInsertionPointAfter(created);
      Location loc = created.getLoc();
      auto type = cast<pl::TensorViewType>(created.getType());
      Type element = type.getElementType();
      Type plain = element.isUnsignedInteger()
                       ? builder.getIntegerType(element.getIntOrFloatBitWidth())
                       : element;
      Value zero =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(plain));
      if (plain != element)
        zero =
            pl::CastOp::create(builder, loc, element, zero, pl::Rounding::None);
      auto tile =
          pl::TileType::get(builder.getContext(), type.getDims(), element);
      Value zeros =
          pl::FullOp::create(builder, loc, tile, zero, created.getSizes());
      pl::StoreOp::create(builder, loc, zeros, created);
    });
  }
};

} // namespace
