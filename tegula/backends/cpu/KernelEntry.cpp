// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel gets its parameters, and how it reports errors of the call.

#include "tegula/backends/cpu/CallRoutine.h"
#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/ops/IndexLocations.h"
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

void TileLowering::lowerArguments() {
  SlotReader reader(builder, lowered.getArgument(0));
  for (BlockArgument argument : source.getArguments()) {
    auto type = dyn_cast<pl::TensorViewType>(argument.getType());
    if (!type) {
      scalars.map(argument, reader.nextScalar(argument.getType()));
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
    views[argument] = memory;
  }
}

/// Every axis that declares the symbol gets the same value: the guard of the
/// call has checked that they agree.
void TileLowering::lowerBind(pl::BindOp op) {
  OpFoldResult extent =
      view(op.getTensors().front()).sizes[op.getAxes().front()];
  for (auto [tensor, axis] : llvm::zip(op.getTensors(), op.getAxes()))
    views[tensor].sizes[axis] = extent;
  scalars.map(op.getExtent(), math(op.getLoc()).value(extent));
}

static std::string textOf(Location loc) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto fileLoc = loc->findInstanceOf<FileLineColLoc>())
    stream << fileLoc.getFilename().getValue() << ":" << fileLoc.getLine()
           << ":" << fileLoc.getColumn();
  return text;
}

int32_t TileLowering::siteOf(Location loc) { return siteOf(textOf(loc)); }

int32_t TileLowering::siteOf(const Twine &words) {
  Attribute text = builder.getStringAttr(words);
  auto *known = llvm::find(sites, text);
  if (known != sites.end())
    return known - sites.begin();
  sites.push_back(text);
  return sites.size() - 1;
}

LLVM::CallOp TileLowering::callRuntime(StringRef name, Type result,
                                       ValueRange arguments, Location loc) {
  return callRoutine(lowered->getParentOfType<ModuleOp>(), name, result,
                     arguments, builder, loc);
}

/// Runs `tegulaReportError` if the condition holds.
void TileLowering::reportIf(Value condition, int32_t kind, int32_t site,
                            int64_t axis, OpFoldResult index,
                            OpFoldResult extent, Location loc) {
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  auto small = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, 32);
  };
  auto wide = [&](OpFoldResult number) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      math(loc).value(number));
  };
  callRuntime(
      routine::tegulaReportError, {},
      {state, small(kind), small(site), small(axis), wide(index), wide(extent)},
      loc);
}

void TileLowering::reportIf(Value condition, int32_t kind, int64_t axis,
                            OpFoldResult index, OpFoldResult extent,
                            Location loc) {
  reportIf(condition, kind, siteOf(pl::locationOfIndex(loc, axis)), axis, index,
           extent, loc);
}

/// The words stand in the kernel, with room for two sizes; the call puts the
/// sizes in.
void TileLowering::lowerRequire(pl::RequireOp op) {
  if (op.getAtCall() && pl::programOf(op.getCondition()))
    return;
  Location loc = op.getLoc();
  std::string words = textOf(loc) + ": needs " + op.getText().str();
  SmallVector<OpFoldResult, 2> sizes(2, builder.getIndexAttr(0));
  if (op.getSizes().size() <= 2)
    for (auto [position, size] : llvm::enumerate(op.getSizes())) {
      auto name = cast<StringAttr>(op.getNames()[position]);
      words += (position == 0 ? ", but " : " and ") + name.str() + " is %" +
               std::to_string(position);
      sizes[position] = IndexMath::fold(scalar(size));
    }
  Value isFalse =
      arith::XOrIOp::create(builder, loc, scalar(op.getCondition()),
                            arith::ConstantIntOp::create(builder, loc, 1, 1));
  reportIf(isFalse, TegulaUnmetRequirement, siteOf(words), 0, sizes[0],
           sizes[1], loc);
}

/// True if the value is at least 0 whatever the sizes are.
static bool isNeverNegative(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return value == loop.getInductionVar() &&
             isNeverNegative(loop.getLowerBound());
    if (auto loop = dyn_cast<pl::ParallelOp>(parent))
      return isNeverNegative(loop.getLower());
    return false;
  }
  Operation *op = value.getDefiningOp();
  if (std::optional<int64_t> number = IndexMath::number(value))
    return *number >= 0;
  if (isa<pl::BindOp, pl::DimOp>(op))
    return true;
  if (isa<arith::MaxSIOp>(op))
    return llvm::any_of(op->getOperands(), isNeverNegative);
  if (isa<arith::MinSIOp, arith::FloorDivSIOp, arith::DivSIOp,
          arith::CeilDivSIOp, arith::RemSIOp>(op))
    return llvm::all_of(op->getOperands(), isNeverNegative);
  // What may wrap around may be negative.
  if (!pl::ExactArithmetic().isExactThroughout(value))
    return false;
  if (isa<arith::AddIOp, arith::MulIOp>(op))
    return llvm::all_of(op->getOperands(), isNeverNegative);
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::LB, value);
  return succeeded(bound) && *bound >= 0;
}

OpFoldResult TileLowering::checkedOffset(Value offset, int64_t axis,
                                         Location loc) {
  OpFoldResult start = IndexMath::fold(scalar(offset));
  if (isNeverNegative(offset))
    return start;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isNegative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, math(loc).value(start), zero);
  reportIf(isNegative, TegulaNegativeOffset, axis, start,
           builder.getIndexAttr(0), loc);
  return math(loc).max(start, builder.getIndexAttr(0));
}
