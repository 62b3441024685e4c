// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function per kernel -> one for each way to cut it, with bounded tiles.

#include "tegula/backends/npu/Passes.h"
#include "tegula/backends/npu/tiling/Tilings.h"
#include "tegula/ir/ops/PlDialect.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace tegula;

namespace {

struct NpuCutTilingsPass
    : PassWrapper<NpuCutTilingsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NpuCutTilingsPass)

  NpuCutTilingsPass(MachineModel model, std::vector<TileSizes> tilings,
                    size_t limit)
      : model(std::move(model)), tilings(std::move(tilings)), limit(limit) {}

  StringRef getArgument() const override { return "tegula-npu-cut-tilings"; }
  StringRef getDescription() const override {
    return "Cut kernels in every way that a call may choose";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager pm(ModuleOp::getOperationName());
    PipelineBuilder builder(pm);
    buildTilePipeline(builder, model);
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::vector<ModuleOp> ways;
    int64_t numOps = 0;
    for (const TileSizes &sizes : tilings) {
      // A program as large as a model is cut in fewer ways.
      if (!ways.empty() && numOps + numOps / int64_t(ways.size()) > mostOps)
        break;
      FailureOr<ModuleOp> way = cut(module, sizes, /*isFirst=*/ways.empty());
      if (failed(way))
        return signalPassFailure();
      if (*way && !llvm::any_of(ways, [&](ModuleOp other) {
            return areEqual(*way, other);
          }))
        numOps += addWay(ways, *way, sizes);
      else if (*way)
        way->erase();
    }
    takeFunctions(module, ways);
  }

private:
  /// So many ops are compiled in a second or two.
  static constexpr int64_t mostOps = 1500;

  /// The module cut to these sizes, inside this one; null if that is not
  /// possible. That the first is not is an error.
  FailureOr<ModuleOp> cut(ModuleOp module, const TileSizes &sizes,
                          bool isFirst) {
    ModuleOp way = ModuleOp::create(module.getLoc());
    for (auto function : module.getOps<func::FuncOp>())
      way.push_back(function.clone());
    module.push_back(way);
    MachineModel changed = model;
    changed.tiles = sizes;
    OpPassManager pm(ModuleOp::getOperationName());
    PipelineBuilder builder(pm, limit);
    buildTilePipeline(builder, changed);
    std::optional<ScopedDiagnosticHandler> silence;
    if (!isFirst)
      silence.emplace(&getContext(), [](Diagnostic &) { return success(); });
    if (succeeded(runPipeline(pm, way)))
      return way;
    if (isFirst)
      return failure();
    way.erase();
    return ModuleOp();
  }

  static bool areEqual(ModuleOp one, ModuleOp other) {
    return OperationEquivalence::isRegionEquivalentTo(
        &one.getBodyRegion(), &other.getBodyRegion(),
        OperationEquivalence::IgnoreLocations);
  }

  /// Returns how many ops it has.
  int64_t addWay(std::vector<ModuleOp> &ways, ModuleOp way,
                 const TileSizes &sizes) {
    ways.push_back(way);
    int64_t numOps = 0;
    way.walk([&](Operation *) { ++numOps; });
    Builder builder(&getContext());
    sizesOfWays.push_back(
        builder.getI64ArrayAttr({sizes.matmulRows, sizes.matmulColumns,
                                 sizes.depth, sizes.rows, sizes.columns}));
    return numOps;
  }

  /// The functions of all ways take the place of those there were.
  void takeFunctions(ModuleOp module, MutableArrayRef<ModuleOp> ways) {
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      function.erase();
    for (auto [number, way] : llvm::enumerate(ways)) {
      for (auto function :
           llvm::make_early_inc_range(way.getOps<func::FuncOp>())) {
        function->moveBefore(way);
        function->setAttr(tilingOfAttrName, function.getSymNameAttr());
        function.setName(
            (function.getName() + "." + std::to_string(number)).str());
      }
      way->erase();
    }
    module->setAttr(tilingsAttrName,
                    ArrayAttr::get(&getContext(), sizesOfWays));
    sizesOfWays.clear();
  }

  MachineModel model;
  std::vector<TileSizes> tilings;
  size_t limit;
  SmallVector<Attribute> sizesOfWays;
};

} // namespace

std::unique_ptr<Pass>
tegula::createNpuCutTilings(const MachineModel &model,
                            std::vector<TileSizes> tilings, size_t limit) {
  return std::make_unique<NpuCutTilingsPass>(model, std::move(tilings), limit);
}
