// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/PassStops.h"

#include "tegula/backends/Backend.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tegula;
using llvm::StringRef;

void tegula::buildBranch(PipelineBuilder &pm, const Target &target,
                         const InferOptions &options, StringRef branch) {
  for (Stage next : listCommonStages())
    if (next <= target.getStart())
      buildStage(pm, next, options, target.getMachine());
  target.buildPipeline(pm, branch);
}

static std::vector<PassEntry> listPasses(const Target &target,
                                         const InferOptions &options,
                                         StringRef branch) {
  mlir::OpPassManager pm(mlir::ModuleOp::getOperationName());
  PipelineBuilder builder(pm);
  buildBranch(builder, target, options, branch);
  return builder.listPasses();
}

/// Adds the passes of a branch after the first `numShared`.
static void addStops(std::vector<PassStop> &stops,
                     llvm::ArrayRef<PassEntry> passes, StringRef branch,
                     size_t numShared) {
  llvm::StringMap<unsigned> counts;
  for (auto [index, pass] : llvm::enumerate(passes)) {
    if (index < numShared)
      continue;
    StringRef pure = pass.name;
    pure.consume_front("tegula-");
    std::string name = branch.empty() ? "" : (branch + "/").str();
    name += pure;
    if (unsigned count = ++counts[pure]; count > 1)
      name += "." + std::to_string(count);
    stops.push_back({std::move(name), pass.summary, branch, index + 1});
  }
}

std::vector<PassStop> tegula::listPassStops(const Target &target,
                                            const InferOptions &options) {
  std::vector<PassStop> stops;
  std::vector<PassEntry> shared = listPasses(target, options, "");
  addStops(stops, shared, "", 0);
  for (StringRef branch : target.getBranches())
    addStops(stops, listPasses(target, options, branch), branch, shared.size());
  return stops;
}
