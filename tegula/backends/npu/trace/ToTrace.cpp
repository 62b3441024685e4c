// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of steps -> a function that emits them.

#include "tegula/backends/npu/Passes.h"
#include "tegula/backends/npu/tiling/FormulaTable.h"
#include "tegula/backends/npu/trace/AskRanks.h"
#include "tegula/backends/npu/trace/CallHooks.h"
#include "tegula/backends/npu/trace/EmitTrace.h"
#include "tegula/backends/npu/trace/OutlineItems.h"
#include "tegula/support/Routines.h"
#include "tegula/support/TraceAbi.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tegula {
#define GEN_PASS_DEF_NPUTOTRACE
#include "tegula/backends/npu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// Erases what nobody needs, users before what they use.
static void eraseDead(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

static void dropCode(ModuleOp module) {
  module.walk([](Operation *op) {
    if (npu::isStep(op) || isa<npu::HostOp>(op)) {
      Block &body = op->getRegion(0).front();
      while (!body.empty())
        body.back().erase();
    }
  });
}

static StringRef calledBy(LLVM::CallOp call) {
  return call.getCallee().value_or("");
}

/// Nothing lies in the scratch memory of a call that does nothing. Its address
/// is only tested for being there.
static void removeScratch(ModuleOp module) {
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) { calls.push_back(call); });
  for (LLVM::CallOp call : calls) {
    OpBuilder builder(call);
    Location loc = call.getLoc();
    if (calledBy(call) == routine::tegulaScratchPop) {
      call.erase();
    } else if (calledBy(call) == routine::tegulaScratchPush) {
      Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
      Value address = LLVM::IntToPtrOp::create(builder, loc,
                                               call.getResult().getType(), one);
      call.getResult().replaceAllUsesWith(address);
      call.erase();
    } else if (calledBy(call) == routine::tegulaScratchAllocate) {
      CallHooks hooks(builder, call->getParentOfType<func::FuncOp>());
      LLVM::CallOp made = hooks.call(Hook::Allocate, {call.getOperand(0)}, loc,
                                     call.getResult().getType());
      call.getResult().replaceAllUsesWith(made.getResult());
      call.erase();
    }
  }
}

/// Emits the memory that the kernel makes for tensors.
static void emitTensors(ModuleOp module) {
  module.walk([](LLVM::CallOp call) {
    if (calledBy(call) != routine::tegulaScratchAllocate)
      return;
    OpBuilder builder(call->getContext());
    builder.setInsertionPointAfter(call);
    Location loc = call.getLoc();
    CallHooks hooks(builder, call->getParentOfType<func::FuncOp>());
    Value numbers = hooks.store(
        {hooks.toBits(call.getResult(), loc), call.getOperand(0)}, loc);
    Value kind =
        arith::ConstantIntOp::create(builder, loc, TegulaTraceTensorMade, 32);
    hooks.call(Hook::Emit, {kind, numbers}, loc);
  });
}

/// True for what reads an element of a tensor. Half bytes are read from
/// addresses that are computed as numbers; arguments and calls are read from
/// what the function is given.
static bool readsElement(Operation *op) {
  if (isa<memref::LoadOp>(op))
    return true;
  auto load = dyn_cast<LLVM::LoadOp>(op);
  if (!load)
    return false;
  Value address = load.getAddr();
  while (auto offset = address.getDefiningOp<LLVM::GEPOp>())
    address = offset.getBase();
  return address.getDefiningOp<LLVM::IntToPtrOp>() != nullptr;
}

/// What reads or computes memory after all is something that the steps depend
/// on.
static LogicalResult requireNoData(ModuleOp module) {
  auto result = module.walk([](Operation *op) -> WalkResult {
    auto call = dyn_cast<LLVM::CallOp>(op);
    bool isRoutine = call && call.getCallee() &&
                     calledBy(call) != routine::tegulaReportError;
    if (isRoutine || readsElement(op))
      return op->emitError(
          "what is done at this size depends on data that is read here");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {

struct NpuToTracePass : tegula::impl::NpuToTraceBase<NpuToTracePass> {
  using NpuToTraceBase::NpuToTraceBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (run) {
      emitTensors(module);
      emitItemsInOrder(module);
    } else if (failed(prepare(module))) {
      return signalPassFailure();
    }
    FormulaTable formulas;
    for (auto function : module.getOps<func::FuncOp>())
      emitTrace(function, formulas, run);
    module->setAttr(FormulaTable::attrName, formulas.getAttr(&getContext()));
  }

private:
  /// Leaves what steps are emitted from.
  static LogicalResult prepare(ModuleOp module) {
    dropCode(module);
    eraseDead(module);
    askRanks(module);
    removeScratch(module);
    eraseDead(module);
    return failure(failed(requireNoData(module)) ||
                   failed(outlineItems(module)));
  }
};

} // namespace
