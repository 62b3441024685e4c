// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/Pipelines.h"

#include "tegula/transforms/MachineModel.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/TileTensorOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Loops over whole rows take so many until their lengths tell.
static constexpr int64_t rowsAtOnce = 8;

/// The functions that the machine runs as such, as options of the pass.
static tegula::InlineFunctionsOptions
inlineOptionsOf(const tegula::MachineModel &machine) {
  tegula::InlineFunctionsOptions options;
  for (tegula::pl::FunctionKind kind : machine.functions)
    options.keep.push_back(stringifyFunctionKind(kind).str());
  return options;
}

void tegula::buildInferPipeline(PipelineBuilder &pm,
                                const MachineModel &machine,
                                const InferOptions &options) {
  bool isStrict = options.warnings == Warnings::AreErrors;
  if (options.warnings != Warnings::None)
    pm.addPass(createWarnUnusedTiles({isStrict}));
  pm.addPass(createInlineFunctions(inlineOptionsOf(machine)));
  pm.addNestedPass<func::FuncOp>(createLabelPrints());
  pm.addNestedPass<func::FuncOp>(createOrderHostAccesses());
  // Equal windows have equal extents only if they are one.
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createResolveExtents());
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());
  if (!options.keepBarriers)
    pm.addNestedPass<func::FuncOp>(createSplitAtBarriers());
  pm.addNestedPass<func::FuncOp>(createRequireInt32Indices());
  pm.addNestedPass<func::FuncOp>(createHoistRequirements({options.explain}));
  pm.addNestedPass<func::FuncOp>(createCheckExtents({options.explain}));
  pm.addNestedPass<func::FuncOp>(createRefuseUnwrittenReads());
  if (options.warnings != Warnings::None) {
    pm.addNestedPass<func::FuncOp>(createWarnExtentMismatch({isStrict}));
    pm.addNestedPass<func::FuncOp>(createWarnUnbalancedSignals({isStrict}));
  }
  if (options.zeroTensors)
    pm.addNestedPass<func::FuncOp>(createZeroCreatedTensors());
}

/// Sizes as options of the pass.
static tegula::TileTensorOpsOptions toOptions(const tegula::TileSizes &tiles) {
  tegula::TileTensorOpsOptions options;
  options.rows = tiles.rows;
  options.columns = tiles.columns;
  options.elements = tiles.elements;
  options.matmulRows = tiles.matmulRows;
  options.matmulColumns = tiles.matmulColumns;
  options.depth = tiles.depth;
  options.largest = tiles.largest;
  options.shortRows = tiles.shortRows;
  options.uncachedElements = tiles.uncachedElements;
  options.uncachedColumns = tiles.uncachedColumns;
  options.leastIteration = tiles.leastIteration;
  options.transposedRows = tiles.transposedRows;
  options.cutsAllAxes = tiles.cutsAllAxes;
  return options;
}

static std::unique_ptr<Pass>
createCutByRow(const tegula::MachineModel &machine) {
  tegula::TileTensorOpsOptions options = toOptions(machine.tiles);
  options.readCost = machine.costs.read;
  // A matmul of whole matrices stays one op where the machine has code for it;
  // elsewhere it is one until it is cut here, to the machine's tiles.
  options.wholeMatmuls = machine.multipliesWholeMatrices;
  return tegula::createTileTensorOpsByRow(options);
}

/// From the pass that cuts, to tiles with bounds.
static void addCutPipeline(tegula::PipelineBuilder &pm,
                           std::unique_ptr<Pass> cutting,
                           bool addsAtomically = false) {
  pm.addPass(std::move(cutting));
  pm.addPass(tegula::createResolveExtents());
  pm.addPass(tegula::createSimplify());
  pm.addPass(createCSEPass());
  pm.addPass(tegula::createProveParallel({addsAtomically, /*onlyMade=*/false}));
}

void tegula::buildCutPipeline(PipelineBuilder &pm, const TileSizes &tiles) {
  addCutPipeline(pm, createTileTensorOps(toOptions(tiles)));
}

void tegula::buildTilePipeline(PipelineBuilder &pm,
                               const MachineModel &machine) {
  if (machine.tiles.shortRows) {
    pm.addNestedPass<func::FuncOp>(
        createCoalesceColumnLoops({rowsAtOnce, machine.rowReductions}));
    pm.addPass(createCSEPass());
  }
  pm.addNestedPass<func::FuncOp>(createUnifyExtents());
  pm.addNestedPass<func::FuncOp>(createSerializeInPlaceReductions());
  pm.addNestedPass<func::FuncOp>(createMakeScratchPrivate());
  pm.addNestedPass<func::FuncOp>(createMergeSorts());
  pm.addNestedPass<func::FuncOp>(createExpandOps());
  pm.addNestedPass<func::FuncOp>(createElideCopies());
  pm.addNestedPass<func::FuncOp>(createTileRowOps({machine.rowElements}));
  pm.addNestedPass<func::FuncOp>(createCarryTensorsInMemory());
  pm.addNestedPass<func::FuncOp>(createExpandBatches());
  pm.addNestedPass<func::FuncOp>(createReshapeInMemory());
  if (machine.tiles.shortRows) {
    pm.addNestedPass<func::FuncOp>(
        createFuseRowLoops({rowsAtOnce, machine.costs.read}));
    const TileSizes &tiles = machine.tiles;
    pm.addNestedPass<func::FuncOp>(createResizeRowLoops(
        {tiles.columns, tiles.uncachedElements, tiles.uncachedColumns,
         tiles.shortRows, machine.costs.read}));
  }
  PipelineBuilder functions = pm.nest<func::FuncOp>();
  if (machine.hasBoundedMemory())
    functions.addPass(createFitTiles(machine));
  else if (machine.computesOnTensors)
    addCutPipeline(functions, createCutByRow(machine), machine.addsAtomically);
  else
    buildCutPipeline(functions, machine.tiles);
  pm.addNestedPass<func::FuncOp>(createCountIterations());
  pm.addNestedPass<func::FuncOp>(createAssignCores());
  pm.addNestedPass<func::FuncOp>(createVerifyPlacement());
}

void tegula::buildOutlinePipeline(PipelineBuilder &pm) {
  pm.addPass(createOutlineCores());
}

void tegula::buildStage(PipelineBuilder &pm, Stage stage,
                        const InferOptions &options,
                        const MachineModel &machine) {
  switch (stage) {
  case Stage::Frontend:
    return;
  case Stage::Inferred:
    return buildInferPipeline(pm, machine, options);
  case Stage::Tiles:
    return buildTilePipeline(pm, machine);
  case Stage::Outlined:
    return buildOutlinePipeline(pm);
  }
}

void tegula::registerTegulaPipelines() {
  PassPipelineRegistration<>("tegula-infer-pipeline",
                             "From the front end's output to one function",
                             [](OpPassManager &pm) {
                               PipelineBuilder builder(pm);
                               buildInferPipeline(builder, MachineModel());
                             });
  PassPipelineRegistration<>("tegula-outline-pipeline",
                             "From core regions to core functions",
                             [](OpPassManager &pm) {
                               PipelineBuilder builder(pm);
                               buildOutlinePipeline(builder);
                             });
}
