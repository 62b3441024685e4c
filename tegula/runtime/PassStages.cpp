// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stages after a pass of a target's pipeline.

#include "tegula/backends/PassStops.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/runtime/StageText.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/Pipelines.h"

#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;

Error Compilation::advanceToPass(StringRef pass) {
  Expected<std::shared_ptr<const Target>> goal = getTarget();
  if (!goal)
    return goal.takeError();
  InferOptions options = getInferOptions();
  std::vector<PassStop> stops = listPassStops(**goal, options);
  auto stop = llvm::find_if(
      stops, [&](const PassStop &each) { return each.name == pass; });
  if (stop == stops.end()) {
    auto names = llvm::map_range(
        stops, [](const PassStop &each) { return StringRef(each.name); });
    return toError(makeCallProblem("there is no pass '{0}' for target '{1}'; "
                                   "there is: {2}",
                                   pass.str(), (*goal)->getKey(),
                                   llvm::join(names, ", ")));
  }
  assert(stage == Stage::Frontend && "a pass that has run cannot be the last");
  return runPasses(
      [&](PipelineBuilder &pm) {
        buildBranch(pm, **goal, options, stop->branch);
      },
      nullptr, stop->numPasses);
}

bool tegula::knowsLocations(StringRef stage) {
  return findCommonStage(stage) || stage.starts_with(passStagePrefix);
}

Expected<std::vector<PassDescription>> tegula::listPasses(StringRef target) {
  Expected<std::shared_ptr<const Target>> found = findTarget(target);
  if (!found)
    return found.takeError();
  InferOptions options;
  options.warnings = Warnings::Reported;
  std::vector<PassDescription> passes;
  for (PassStop &stop : listPassStops(**found, options))
    passes.push_back({std::move(stop.name), std::move(stop.summary)});
  return passes;
}
