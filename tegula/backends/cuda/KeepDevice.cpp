// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of host and device -> those of the device, and what they call.

#include "tegula/backends/cuda/Passes.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAKEEPDEVICE
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CudaKeepDevicePass
    : tegula::impl::CudaKeepDeviceBase<CudaKeepDevicePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<LLVM::GlobalOp, ModuleOp>(op) ||
          (isa<func::FuncOp>(op) && !op.hasAttr(slotsAttrName)))
        op.erase();
    for (auto device : module.getOps<func::FuncOp>()) {
      device.setPublic();
      device->removeAttr("llvm.linkage");
    }
    for (auto routine :
         llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
      if (SymbolTable::symbolKnownUseEmpty(routine, module))
        routine.erase();
  }
};

} // namespace
