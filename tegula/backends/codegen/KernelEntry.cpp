// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/KernelEntry.h"

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Reads the slots of the call in order.
class SlotReader {
public:
  SlotReader(OpBuilder &builder, Value slots)
      : builder(builder), loc(slots.getLoc()), slots(slots) {}

  Value nextNumber() { return load(builder.getI64Type()); }
  Value nextPointer() { return load(slots.getType()); }
  Value nextIndex() {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      nextNumber());
  }
  void skip() { ++position; }

  /// A scalar from the low bits of its slot.
  Value nextScalar(Type type) {
    if (type.isIndex())
      return nextIndex();
    Value bits = nextNumber();
    unsigned width = type.getIntOrFloatBitWidth();
    if (width < 64)
      bits = arith::TruncIOp::create(builder, loc,
                                     builder.getIntegerType(width), bits);
    if (isa<FloatType>(type))
      return arith::BitcastOp::create(builder, loc, type, bits);
    return bits;
  }

private:
  Value load(Type type) {
    Value address =
        LLVM::GEPOp::create(builder, loc, slots.getType(), builder.getI64Type(),
                            slots, ArrayRef<LLVM::GEPArg>{position});
    ++position;
    return LLVM::LoadOp::create(builder, loc, type, address);
  }

  OpBuilder &builder;
  Location loc;
  Value slots;
  int32_t position = 0;
};

} // namespace

void tegula::lowerArguments(TileLowering &lowering, func::FuncOp source,
                            Value slots) {
  OpBuilder &builder = lowering.builder;
  SlotReader reader(builder, slots);
  for (BlockArgument argument : source.getArguments()) {
    auto type = dyn_cast<pl::TensorViewType>(argument.getType());
    if (!type) {
      lowering.values.setScalar(argument,
                                reader.nextScalar(argument.getType()));
      continue;
    }
    View memory{reader.nextPointer(),
                tensorElement(type.getElementType()),
                builder.getIndexAttr(0),
                {},
                {}};
    if (memory.isHalfBytes())
      memory.base = halfByteAt(builder, argument.getLoc(), memory.base);
    for (pl::Dim dim : type.getDims()) {
      if (!dim.isExact()) {
        memory.sizes.push_back(reader.nextIndex());
        continue;
      }
      reader.skip();
      memory.sizes.push_back(builder.getIndexAttr(dim.getBound()));
    }
    for (unsigned axis = 0; axis < type.getRank(); ++axis)
      memory.strides.push_back(reader.nextIndex());
    lowering.values.setView(argument, memory);
  }
}

/// Every axis that declares the symbol gets the same value: the guard of the
/// call has checked that they agree.
static void lowerBind(TileLowering &lowering, pl::BindOp op) {
  OpFoldResult extent =
      lowering.view(op.getTensors().front()).sizes[op.getAxes().front()];
  for (auto [tensor, axis] : llvm::zip(op.getTensors(), op.getAxes())) {
    View memory = lowering.view(tensor);
    memory.sizes[axis] = extent;
    lowering.values.setView(tensor, memory);
  }
  lowering.values.setScalar(op.getExtent(),
                            lowering.math(op.getLoc()).value(extent));
}

/// The words stand in the kernel, with room for two sizes; the call puts the
/// sizes in.
static void lowerRequire(TileLowering &lowering, pl::RequireOp op) {
  OpBuilder &builder = lowering.builder;
  if (op.getAtCall() && pl::programOf(op.getCondition()))
    return;
  Location loc = op.getLoc();
  std::string words = textOfLocation(loc) + ": needs " + op.getText().str();
  SmallVector<OpFoldResult, 2> sizes(2, builder.getIndexAttr(0));
  if (op.getSizes().size() <= 2)
    for (auto [position, size] : llvm::enumerate(op.getSizes())) {
      auto name = cast<StringAttr>(op.getNames()[position]);
      words += (position == 0 ? ", but " : " and ") + name.str() + " is %" +
               std::to_string(position);
      sizes[position] = IndexMath::fold(lowering.scalar(size));
    }
  Value isFalse =
      arith::XOrIOp::create(builder, loc, lowering.scalar(op.getCondition()),
                            arith::ConstantIntOp::create(builder, loc, 1, 1));
  lowering.calls.reportIf(isFalse, TegulaUnmetRequirement,
                          lowering.calls.siteOf(words), 0, sizes[0], sizes[1],
                          loc);
}

void tegula::addEntryPatterns(TilePatterns &patterns) {
  patterns.add(lowerBind);
  patterns.add(lowerRequire);
}
