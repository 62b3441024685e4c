// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/PipelineBuilder.h"

using namespace tegula;

void PipelineBuilder::addPass(std::unique_ptr<mlir::Pass> pass) {
  if (isFull())
    return;
  root.passes.push_back(
      {pass->getArgument().str(), pass->getDescription().str()});
  pm.addPass(std::move(pass));
}

void PipelineBuilder::addPassAround(
    llvm::function_ref<void(PipelineBuilder &)> addInner,
    llvm::function_ref<std::unique_ptr<mlir::Pass>(size_t)> makePass) {
  if (isFull())
    return;
  size_t before = root.passes.size();
  // Only counts: the pass adds them to a pipeline of its own.
  mlir::OpPassManager counted(pm.getOpAnchorName());
  PipelineBuilder inner(counted, root);
  addInner(inner);
  // A stop inside is inside the pass that runs last.
  if (isFull())
    return pm.addPass(makePass(root.passes.size() - before));
  addPass(makePass(allPasses));
}
