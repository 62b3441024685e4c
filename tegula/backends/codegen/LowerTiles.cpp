// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/LowerTiles.h"

#include "tegula/backends/codegen/KernelEntry.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/memory/TensorMemory.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/plan/MakePlan.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tegula;

LogicalResult TileLowering::run() {
  Location loc = source.getLoc();
  builder.setInsertionPoint(source);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto lowered =
      func::FuncOp::create(builder, loc, source.getName(),
                           builder.getFunctionType({pointer, pointer}, {}));
  builder.setInsertionPointToStart(lowered.addEntryBlock());
  calls.enter(lowered);
  lowerArguments(*this, source, lowered.getArgument(0));
  scratch.open(source, loc);
  if (failed(lower(source.getBody().front())))
    return failure();
  scratch.close(loc);
  outOfCache.fenceStores(loc);
  func::ReturnOp::create(builder, loc);
  source.erase();
  return success();
}

void TileLowering::chooseCopies(Block &block) {
  scratch.chooseCopies(block, steps.get());
}

LogicalResult TileLowering::lower(Block &block) {
  llvm::SaveAndRestore scope(isMemoryThere);
  chooseCopies(block);
  for (Operation &op : block.without_terminator()) {
    if (failed(lower(op)))
      return failure();
    poisonAfter(*this, op);
  }
  return success();
}

LogicalResult TileLowering::lower(Operation &op) {
  return patterns.lower(*this, op);
}

bool tegula::isKernel(func::FuncOp function) {
  auto kind = function->getAttrOfType<pl::FunctionKindAttr>(pl::kindAttrName);
  return !kind || kind.getValue() == pl::FunctionKind::Entry ||
         kind.getValue() == pl::FunctionKind::Host;
}

LogicalResult tegula::lowerTiles(ModuleOp module, const LoweringTarget &target,
                                 const MachineModel &machine,
                                 LoweringHooks *recorder) {
  SmallVector<Attribute> sites;
  TilePatterns patterns = TilePatterns::ofAllFamilies();
  target.addPatterns(patterns);
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (function.isExternal())
      continue;
    if (!isKernel(function)) {
      function.erase();
      continue;
    }
    if (function.getNumResults() != 0)
      return function.emitError("a kernel returns nothing, but this one has ")
             << function.getNumResults() << " results";
    FailureOr<std::unique_ptr<TilePlan>> plan = makePlan(function, machine);
    if (failed(plan))
      return failure();
    TileLowering lowering(function, target, **plan, patterns, sites, recorder);
    if (failed(lowering.run()))
      return failure();
  }
  module->setAttr(sitesAttrName, ArrayAttr::get(module.getContext(), sites));
  return success();
}
