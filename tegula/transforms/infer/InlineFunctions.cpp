// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/parallel/CoreRegions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {
#define GEN_PASS_DEF_INLINEFUNCTIONS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct InlineFunctionsPass
    : tegula::impl::InlineFunctionsBase<InlineFunctionsPass> {
  using InlineFunctionsBase::InlineFunctionsBase;

  void runOnOperation() override;

private:
  bool isWanted(func::FuncOp function) const;
  LogicalResult inlineRest();
};

} // namespace

static std::optional<pl::FunctionKind> kindOf(func::FuncOp function) {
  auto kind = function->getAttrOfType<pl::FunctionKindAttr>(pl::kindAttrName);
  return kind ? std::optional(kind.getValue()) : std::nullopt;
}

static bool isTile(Type type) { return isa<pl::TileType>(type); }

/// True if blocks wait in the function for blocks of a grid around its calls.
static bool waitsForOthers(func::FuncOp function) {
  return function
      ->walk([](pl::BarrierOp barrier) {
        for (auto loop = barrier->getParentOfType<pl::ParallelOp>(); loop;
             loop = loop->getParentOfType<pl::ParallelOp>())
          if (loop.getKind() == barrier.getKind())
            return WalkResult::advance();
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// True if what the call says of the memory of its operands is what every
/// function relies on: no two of them overlap.
static bool keepsApart(func::CallOp call) {
  auto tensors = llvm::to_vector(
      llvm::make_filter_range(call.getOperands(), [](Value value) {
        return isa<pl::TensorViewType>(value.getType());
      }));
  for (auto [position, tensor] : llvm::enumerate(tensors))
    for (Value other : ArrayRef(tensors).drop_front(position + 1))
      if (mayShareMemory(tensor, other))
        return false;
  return true;
}

/// True if the call is already the work of one core.
static bool isOnCore(func::CallOp call) {
  for (auto at = call->getParentOfType<pl::AtOp>(); at;
       at = at->getParentOfType<pl::AtOp>())
    if (at.isCore())
      return true;
  return kindOf(call->getParentOfType<func::FuncOp>()) ==
         pl::FunctionKind::InCore;
}

/// True if the function can stay one, as far as it alone decides that.
bool InlineFunctionsPass::isWanted(func::FuncOp function) const {
  std::optional<pl::FunctionKind> kind = kindOf(function);
  return kind && function.isPrivate() &&
         llvm::is_contained(keep, stringifyFunctionKind(*kind)) &&
         llvm::none_of(function.getArgumentTypes(), isTile) &&
         llvm::none_of(function.getResultTypes(), isTile) &&
         !waitsForOthers(function);
}

LogicalResult InlineFunctionsPass::inlineRest() {
  OpPassManager inliner(ModuleOp::getOperationName());
  // What is inlined is simplified later, once.
  inliner.addPass(createInlinerPass({}, nullptr));
  inliner.addPass(createSymbolDCEPass());
  return runPipeline(inliner, getOperation());
}

void InlineFunctionsPass::runOnOperation() {
  ModuleOp module = getOperation();
  for (auto function : module.getOps<func::FuncOp>())
    function.setNoInline(isWanted(function));
  if (failed(inlineRest()))
    return signalPassFailure();
  // What is called from a function that goes away would be called with that
  // one's operands, of which less is known.
  SetVector<func::FuncOp> going;
  SymbolTable symbols(module);
  auto calleeOf = [&](func::CallOp call) {
    return symbols.lookup<func::FuncOp>(call.getCallee());
  };
  module.walk([&](func::CallOp call) {
    if (isOnCore(call) || !keepsApart(call))
      going.insert(calleeOf(call));
  });
  for (size_t next = 0; next != going.size(); ++next)
    going[next]->walk([&](func::CallOp call) { going.insert(calleeOf(call)); });
  if (going.empty())
    return;
  for (func::FuncOp function : going)
    function.setNoInline(false);
  if (failed(inlineRest()))
    signalPassFailure();
}
