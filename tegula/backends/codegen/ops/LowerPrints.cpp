// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/ops/LowerPrints.h"

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/ir/ops/semantics/PrintFormat.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

static int64_t dtypeOf(Value value) {
  return static_cast<int64_t>(
      *pl::getDType(pl::getElementOrSelf(value.getType())));
}

/// The bits of a scalar as an index; `type` says whether it has a sign.
static Value bitsOf(OpBuilder &builder, Location loc, Value scalar, Type type) {
  if (type.isIndex())
    return scalar;
  if (isa<FloatType>(scalar.getType()))
    scalar = arith::BitcastOp::create(
        builder, loc,
        builder.getIntegerType(scalar.getType().getIntOrFloatBitWidth()),
        scalar);
  auto integer = dyn_cast<IntegerType>(type);
  bool hasSign = integer && !integer.isUnsigned() && integer.getWidth() > 1;
  Type wide = builder.getI64Type();
  if (scalar.getType() != wide)
    scalar =
        hasSign ? arith::ExtSIOp::create(builder, loc, wide, scalar).getResult()
                : arith::ExtUIOp::create(builder, loc, wide, scalar);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    scalar);
}

/// What a record has of a value (PrintAbi.h).
static void describe(TileLowering &lowering, Value value, Indices &record,
                     Location loc) {
  OpBuilder &builder = lowering.builder;
  auto number = [&](int64_t constant) -> OpFoldResult {
    return builder.getIndexAttr(constant);
  };
  record.push_back(number(dtypeOf(value)));
  if (!isa<pl::TensorViewType>(value.getType())) {
    record.push_back(number(-1));
    record.push_back(
        bitsOf(builder, loc, lowering.scalar(value), value.getType()));
    return;
  }
  const View &memory = lowering.view(value);
  record.push_back(number(memory.getRank()));
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                           memory.asPointer(builder, loc));
  record.push_back(
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), address)
          .getResult());
  llvm::append_range(record, memory.sizes);
  llvm::append_range(record, memory.strides);
}

void tegula::lowerPrint(TileLowering &lowering, pl::PrintOp op) {
  Location loc = op.getLoc();
  ScratchScope scope(lowering.scratch);
  std::string label;
  for (Attribute name : op.getNames())
    label += (label.empty() ? "" : ", ") + cast<StringAttr>(name).str() + "={}";
  std::string text =
      (label.empty() ? "" : "[" + label + "] ") + op.getFormat().str();
  Indices record;
  for (int64_t word : pl::encodeText(text))
    record.push_back(lowering.builder.getIndexAttr(word));
  for (Value iteration : op.getIterations())
    describe(lowering, iteration, record, loc);
  for (Value value : op.getValues())
    describe(lowering, value, record, loc);
  lowering.calls.call(
      routine::tegulaPrint, {},
      {lowering.scratch.storeNumbers(record, loc), lowering.calls.getState()},
      loc);
}

/// "k.py:3:5: "
static std::string formatLocation(Location loc) {
  std::string text = textOfLocation(loc);
  return text.empty() ? text : text + ": ";
}

/// The words stand in the kernel, with room for the variables of the innermost
/// loops, as many as a report has numbers; the call puts these in.
void tegula::lowerAssert(TileLowering &lowering, pl::AssertOp op) {
  Location loc = op.getLoc();
  OpBuilder &builder = lowering.builder;
  constexpr size_t most = 3;
  size_t count = std::min(op.getIterations().size(), most);
  std::string words = formatLocation(loc) + op.describe();
  SmallVector<Value> iterations;
  for (auto [position, iteration] :
       llvm::enumerate(op.getIterations().take_back(count))) {
    auto name = cast<StringAttr>(
        op.getNames()[op.getNames().size() - count + position]);
    words += (position == 0 ? ", where " : " and ") + name.str() + " is %" +
             std::to_string(position);
    iterations.push_back(arith::IndexCastOp::create(
        builder, loc, builder.getI64Type(), lowering.scalar(iteration)));
  }
  while (iterations.size() < most)
    iterations.push_back(arith::ConstantIntOp::create(builder, loc, 0, 64));
  Value isFalse =
      arith::XOrIOp::create(builder, loc, lowering.scalar(op.getCondition()),
                            arith::ConstantIntOp::create(builder, loc, 1, 1));
  auto branch =
      scf::IfOp::create(builder, loc, isFalse, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  auto small = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, 32);
  };
  Value third = arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                        iterations[2]);
  lowering.calls.call(routine::tegulaReportError, {},
                      {lowering.calls.getState(), small(TegulaUnmetRequirement),
                       small(lowering.calls.siteOf(words)), third,
                       iterations[0], iterations[1]},
                      loc);
}
