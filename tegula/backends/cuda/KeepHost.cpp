// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of host and device -> those of the host, and of a device that is
// emulated.

#include "tegula/backends/codegen/CallRoutine.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/assembler/EmulatedCode.h"
#include "tegula/support/Routines.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAKEEPHOST
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// A function that takes the addresses of parameters, for the emulator.
static void addEmulatedEntry(func::FuncOp device) {
  OpBuilder builder(device);
  Location loc = device.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto entry = func::FuncOp::create(builder, loc,
                                    (device.getName() + emulatedSuffix).str(),
                                    builder.getFunctionType(pointer, {}));
  entry.setPrivate();
  entry->setAttr("llvm.linkage", device->getAttr("llvm.linkage"));
  builder.setInsertionPointToStart(entry.addEntryBlock());
  SmallVector<Value> arguments;
  for (auto [position, type] : llvm::enumerate(device.getArgumentTypes())) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, entry.getArgument(0),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
    arguments.push_back(LLVM::LoadOp::create(builder, loc, type, address));
  }
  func::CallOp::create(builder, loc, device, arguments);
  func::ReturnOp::create(builder, loc);
}

static size_t countResults(LLVM::InlineAsmOp op) {
  return op->getNumResults()
             ? cast<LLVM::LLVMStructType>(op.getType(0)).getBody().size()
             : 0;
}

/// An instruction -> a call of the emulator, with operands in slots of 8 bytes:
/// results come first.
static void emulateInstruction(LLVM::InlineAsmOp op, Value slots,
                               unsigned number) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type pointer = slots.getType(), i64 = builder.getI64Type();
  auto slot = [&](size_t position) -> Value {
    return LLVM::GEPOp::create(
        builder, loc, pointer, i64, slots,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
  };
  size_t numResults = countResults(op);
  SmallVector<StringRef> constraints;
  op.getConstraints().split(constraints, ',');
  for (auto [position, value] : llvm::enumerate(op.getOperands())) {
    Type bits = builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
    Value word = LLVM::BitcastOp::create(builder, loc, bits, value);
    if (bits != i64)
      word = LLVM::ZExtOp::create(builder, loc, i64, word);
    LLVM::StoreOp::create(builder, loc, word, slot(numResults + position));
    // A result that has this number is in the same register before.
    size_t result;
    if (!constraints[numResults + position].getAsInteger(10, result))
      LLVM::StoreOp::create(builder, loc, word, slot(result));
  }
  auto module = op->getParentOfType<ModuleOp>();
  std::string suffix = std::to_string(number);
  auto makeGlobal = [&](Type type, StringRef name, Attribute value) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto global = LLVM::GlobalOp::create(top, loc, type,
                                         /*isConstant=*/bool(value),
                                         LLVM::Linkage::Internal, name, value);
    if (!value) {
      top.createBlock(&global.getInitializerRegion());
      LLVM::ReturnOp::create(top, loc, LLVM::ZeroOp::create(top, loc, type));
    }
    return LLVM::AddressOfOp::create(builder, loc, pointer, name).getResult();
  };
  std::string text = op.getAsmString().str() + '\0';
  Value words =
      makeGlobal(LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
                 "tegula_ptx_text" + suffix, builder.getStringAttr(text));
  Value known = makeGlobal(pointer, "tegula_ptx_known" + suffix, Attribute());
  Value count = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                         int64_t(numResults));
  callRoutine(module, routine::tegulaGpuInstruction, {},
              {words, known, slots, count}, builder, loc);
  if (op->getNumResults() == 0)
    return op.erase();
  auto result = cast<LLVM::LLVMStructType>(op.getType(0));
  Value all = LLVM::PoisonOp::create(builder, loc, result);
  for (auto [position, type] : llvm::enumerate(result.getBody())) {
    Value word = LLVM::LoadOp::create(builder, loc, i64, slot(position));
    word = LLVM::TruncOp::create(
        builder, loc, builder.getIntegerType(type.getIntOrFloatBitWidth()),
        word);
    word = LLVM::BitcastOp::create(builder, loc, type, word);
    all = LLVM::InsertValueOp::create(builder, loc, all, word,
                                      static_cast<int64_t>(position));
  }
  op.replaceAllUsesWith(ValueRange(all));
  op.erase();
}

static void emulateInstructions(func::FuncOp device) {
  size_t most = 0;
  SmallVector<LLVM::InlineAsmOp> found;
  device.walk([&](LLVM::InlineAsmOp op) {
    found.push_back(op);
    most = std::max(most, countResults(op) + op->getNumOperands());
  });
  if (found.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&device.getBody().front());
  Location loc = device.getLoc();
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
  Value slots = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      LLVM::LLVMArrayType::get(builder.getI64Type(), most), one);
  for (auto [number, op] : llvm::enumerate(found))
    emulateInstruction(op, slots, unsigned(number));
}

/// True for addresses in the memory that threads share.
static bool isShared(Value address) {
  while (auto step = address.getDefiningOp<LLVM::GEPOp>())
    address = step.getBase();
  auto call = address.getDefiningOp<LLVM::CallOp>();
  return call && call.getCallee() == routine::tegulaGpuShared;
}

/// Reports loads and stores there, so that it finds those that
/// are too early.
static void watchSharedMemory(func::FuncOp device) {
  auto module = device->getParentOfType<ModuleOp>();
  constexpr int64_t mostBytes = 16;
  Value slot;
  auto report = [&](StringRef routine, Operation *op, Value address, Type type,
                    Value stored) {
    if (!isShared(address))
      return;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    SmallVector<Value> arguments = {
        address,
        arith::ConstantIntOp::create(
            builder, loc, int64_t(DataLayout(module).getTypeSize(type)), 64)};
    if (stored) {
      if (!slot) {
        OpBuilder top = OpBuilder::atBlockBegin(&device.getBody().front());
        Value bytes = arith::ConstantIntOp::create(top, loc, mostBytes, 64);
        slot = LLVM::AllocaOp::create(
            top, loc, LLVM::LLVMPointerType::get(top.getContext()),
            top.getI8Type(), bytes, /*alignment=*/unsigned(mostBytes));
      }
      LLVM::StoreOp::create(builder, loc, stored, slot);
      arguments.push_back(slot);
    }
    callRoutine(module, routine, {}, arguments, builder, loc);
  };
  device.walk([&](Operation *op) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      report(routine::tegulaGpuSharedLoad, op, load.getAddr(), load.getType(),
             {});
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      report(routine::tegulaGpuSharedStore, op, store.getAddr(),
             store.getValue().getType(), store.getValue());
  });
}

namespace {

struct CudaKeepHostPass : tegula::impl::CudaKeepHostBase<CudaKeepHostPass> {
  using Base::Base;

  void runOnOperation() override {
    if (auto epilogue = getOperation().lookupSymbol<ModuleOp>(storeModuleName))
      epilogue.erase();
    for (func::FuncOp function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (!function->hasAttr(slotsAttrName))
        continue;
      if (!isEmulated) {
        function.erase();
        continue;
      }
      watchSharedMemory(function);
      emulateInstructions(function);
      addEmulatedEntry(function);
    }
  }
};

} // namespace
