// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounded tiles -> steps of the npu dialect, as planned for the machine.

#include "tegula/backends/codegen/LowerTiles.h"
#include "tegula/backends/cpu/CpuLoweringTarget.h"
#include "tegula/backends/npu/Passes.h"
#include "tegula/backends/npu/tiling/HoistLoads.h"
#include "tegula/backends/npu/tiling/Tilings.h"
#include "tegula/backends/npu/trace/HostCode.h"
#include "tegula/backends/npu/trace/StepRecorder.h"
#include "tegula/backends/npu/trace/TimeRegions.h"
#include "tegula/backends/npu/vector/LowerRow.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula;

/// The slots of a call, as in KernelAbi.h.
static int64_t countSlots(func::FuncOp function) {
  int64_t count = 0;
  for (Type type : function.getArgumentTypes())
    count += isa<pl::TensorViewType>(type)
                 ? 1 + 2 * int64_t(pl::getDims(type).size())
                 : 1;
  return count;
}

namespace {

struct NpuLowerTilesPass
    : PassWrapper<NpuLowerTilesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NpuLowerTilesPass)

  NpuLowerTilesPass(const sim::Machine &machine, MachineModel model)
      : machine(machine), model(std::move(model)) {}

  StringRef getArgument() const override { return "tegula-npu-lower-tiles"; }
  StringRef getDescription() const override {
    return "Turn tile programs into steps on the units of an NPU";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<npu::NpuDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
    registerRowDialects(registry);
  }

  void runOnOperation() override {
    StepRecorder recorder(machine);
    ModuleOp module = getOperation();
    llvm::StringMap<Attribute> kernels;
    int64_t numSlots = 0;
    for (auto function : module.getOps<func::FuncOp>()) {
      kernels[function.getName()] = function->getAttr(tilingOfAttrName);
      numSlots = countSlots(function);
      hoistLoads(function, model);
    }
    CpuLoweringTarget target(getHostOptions());
    if (failed(lowerTiles(module, target, model, &recorder)))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      if (Attribute kernel = kernels.lookup(function.getName()))
        function->setAttr(tilingOfAttrName, kernel);
    timeRegions(module, machine);
    dispatchTilings(module, numSlots);
  }

private:
  sim::Machine machine;
  MachineModel model;
};

} // namespace

std::unique_ptr<Pass> tegula::createNpuLowerTiles(const sim::Machine &machine,
                                                  const MachineModel &model) {
  return std::make_unique<NpuLowerTilesPass>(machine, model);
}
