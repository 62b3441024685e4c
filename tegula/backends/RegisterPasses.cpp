// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/Backend.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"

using namespace tegula;

namespace {

struct TargetOption : mlir::PassPipelineOptions<TargetOption> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("The machine to cut tiles for")};
};

} // namespace

void tegula::registerBackendPasses() {
  for (const Backend *backend : listBackends())
    backend->registerPasses();
  mlir::PassPipelineRegistration<TargetOption>(
      "tegula-tile-pipeline", "From one function to bounded tiles",
      [](mlir::OpPassManager &pm, const TargetOption &options) {
        PipelineBuilder builder(pm);
        Expected<std::shared_ptr<const Target>> target =
            findTarget(options.target);
        if (target)
          return buildTilePipeline(builder, (*target)->getMachine());
        // The machine of a target that is not there has no tiles, which the
        // passes refuse.
        llvm::errs() << llvm::toString(target.takeError()) << "\n";
        buildTilePipeline(builder, MachineModel{});
      });
}
