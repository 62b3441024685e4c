// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of host and device -> those of the host, and of a device that is
// emulated.

#include "tegula/backends/cuda/EmulatedCode.h"
#include "tegula/backends/cuda/Passes.h"

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
      if (isEmulated)
        addEmulatedEntry(function);
      else
        function.erase();
    }
  }
};

} // namespace
