// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/CallHooks.h"

#include "tegula/support/TraceAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cstddef>

using namespace mlir;
using namespace tegula;

/// Where the pointer to the function lies in the call.
static int64_t offsetOf(Hook hook) {
  switch (hook) {
  case Hook::Emit:
    return offsetof(TegulaTraceCall, emit);
  case Hook::Launch:
    return offsetof(TegulaTraceCall, launch);
  case Hook::Allocate:
    return offsetof(TegulaTraceCall, allocate);
  case Hook::Ask:
    return offsetof(TegulaTraceCall, ask);
  }
  llvm_unreachable("every hook is known");
}

Value CallHooks::constant(int64_t number, Location loc) {
  return arith::ConstantIntOp::create(builder, loc, number, 64);
}

Value CallHooks::addressOf(Value memory, int64_t bytes, Location loc) {
  return LLVM::GEPOp::create(
      builder, loc, memory.getType(), builder.getI8Type(), memory,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

Value CallHooks::load(Value memory, int64_t position, Location loc) {
  return LLVM::LoadOp::create(
      builder, loc, builder.getI64Type(),
      addressOf(memory, position * int64_t(sizeof(int64_t)), loc));
}

LLVM::CallOp CallHooks::call(Hook hook, ValueRange arguments, Location loc,
                             Type result) {
  Value self = function.getArguments().back();
  Type pointer = self.getType();
  Value target = LLVM::LoadOp::create(builder, loc, pointer,
                                      addressOf(self, offsetOf(hook), loc));
  SmallVector<Value> operands = {target, self};
  llvm::append_range(operands, arguments);
  SmallVector<Type> types(ValueRange(operands).drop_front().getTypes());
  Type returned =
      result ? result : Type(LLVM::LLVMVoidType::get(builder.getContext()));
  return LLVM::CallOp::create(
      builder, loc, LLVM::LLVMFunctionType::get(returned, types), operands);
}

/// Marks the memory that all calls of a function share: whoever is called has
/// read it when the call returns.
static constexpr StringLiteral sharedAttrName = "npu.numbers";

/// The memory is made at the function's entry, as large as the longest call
/// needs it.
Value CallHooks::getNumbers(int64_t count, Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  Block &entry = function.getBody().front();
  for (auto memory : entry.getOps<LLVM::AllocaOp>()) {
    auto had = memory->getAttrOfType<IntegerAttr>(sharedAttrName);
    if (!had)
      continue;
    if (had.getInt() < count) {
      builder.setInsertionPoint(memory);
      memory.getArraySizeMutable().assign(constant(count, loc));
      memory->setAttr(sharedAttrName, builder.getI64IntegerAttr(count));
    }
    return memory;
  }
  builder.setInsertionPointToStart(&entry);
  Type pointer = function.getArguments().back().getType();
  auto memory = LLVM::AllocaOp::create(
      builder, loc, pointer, builder.getI64Type(), constant(count, loc));
  memory->setAttr(sharedAttrName, builder.getI64IntegerAttr(count));
  return memory;
}

Value CallHooks::store(ValueRange numbers, Location loc) {
  Value memory = getNumbers(std::max<int64_t>(1, numbers.size()), loc);
  for (auto [position, number] : llvm::enumerate(numbers))
    LLVM::StoreOp::create(
        builder, loc, number,
        addressOf(memory, int64_t(position * sizeof(int64_t)), loc));
  return memory;
}

Value CallHooks::getCounter(int64_t number, Location loc) {
  Value self = function.getArguments().back();
  Value counters = LLVM::LoadOp::create(
      builder, loc, self.getType(),
      addressOf(self, offsetof(TegulaTraceCall, counters), loc));
  return addressOf(counters, number * int64_t(sizeof(int64_t)), loc);
}

Value CallHooks::toBits(Value value, Location loc) {
  Type type = value.getType(), i64 = builder.getI64Type();
  if (type == i64)
    return value;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, i64, value);
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::PtrToIntOp::create(builder, loc, i64, value);
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(builder, loc,
                                     builder.getIntegerType(width), value);
  return width == 64 ? value
                     : Value(arith::ExtUIOp::create(builder, loc, i64, value));
}

Value CallHooks::fromBits(Value bits, Type type, Location loc) {
  if (type == bits.getType())
    return bits;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, bits);
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(builder, loc, type, bits);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 64)
    bits = arith::TruncIOp::create(builder, loc, builder.getIntegerType(width),
                                   bits);
  return isa<FloatType>(type)
             ? Value(arith::BitcastOp::create(builder, loc, type, bits))
             : bits;
}
