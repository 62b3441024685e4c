// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile programs -> linalg on memory, for this processor.

#include "tegula/backends/codegen/LowerTiles.h"
#include "tegula/backends/cpu/CpuLoweringTarget.h"
#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/backends/cpu/Passes.h"

namespace tegula {
#define GEN_PASS_DEF_CPULOWERTILES
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CpuLowerTilesPass : tegula::impl::CpuLowerTilesBase<CpuLowerTilesPass> {
  using Parent = tegula::impl::CpuLowerTilesBase<CpuLowerTilesPass>;
  using Parent::Parent;
  CpuLowerTilesPass(MachineModel machine, const CpuOptions &options)
      : machine(std::move(machine)), options(options) {}

  void runOnOperation() override {
    CpuOptions chosen = options.value_or(CpuOptions());
    if (!options) {
      chosen.vectorBits = vectorBits;
      chosen.matmul = {matmulRows, matmulVectors};
    }
    if (failed(lowerTiles(getOperation(), CpuLoweringTarget(chosen), machine)))
      signalPassFailure();
  }

private:
  MachineModel machine = getCpuMachine(/*useThreads=*/true);
  std::optional<CpuOptions> options;
};

} // namespace

std::unique_ptr<Pass>
tegula::createCpuLowerTilesFor(const MachineModel &machine,
                               const CpuOptions &options) {
  return std::make_unique<CpuLowerTilesPass>(machine, options);
}
