// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/Pipelines.h"

#include "tegula/transforms/MachineModel.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/tile/TileTensorOps.h"

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
  // Tiles that are named and never used are warned of, where helpers still are
  // what their authors wrote.
  if (options.warnings != Warnings::None)
    pm.addPass(createWarnUnusedTiles({isStrict}));
  // Helpers become a part of their callers.
  pm.addPass(createInlineFunctions(inlineOptionsOf(machine)));
  // Prints and assertions know the loops around them.
  pm.addNestedPass<func::FuncOp>(createLabelPrints());
  // What a host program does to tensors itself becomes dispatches.
  pm.addNestedPass<func::FuncOp>(createOrderHostAccesses());

  // Equal windows become one, since they have equal extents only then.
  pm.addPass(createCSEPass());
  // Extents of tiles are traced to symbols and arguments.
  pm.addNestedPass<func::FuncOp>(createResolveExtents());
  // What that leaves is folded, and equal extents become one value.
  pm.addPass(createSimplify());
  pm.addPass(createCSEPass());

  // A grid with a barrier becomes two, one after the other.
  if (!options.keepBarriers)
    pm.addNestedPass<func::FuncOp>(createSplitAtBarriers());
  // Rows whose elements are counted by INT32 get a requirement.
  pm.addNestedPass<func::FuncOp>(createRequireInt32Indices());
  // Requirements that are proved go; those on sizes go to the call.
  pm.addNestedPass<func::FuncOp>(createHoistRequirements({options.explain}));
  // Accesses that are always out of range are errors.
  pm.addNestedPass<func::FuncOp>(createCheckExtents({options.explain}));
  // So are reads of tensors that nothing was written to.
  pm.addNestedPass<func::FuncOp>(createRefuseUnwrittenReads());
  if (options.warnings != Warnings::None) {
    // Ops whose operands may have different extents are warned of.
    pm.addNestedPass<func::FuncOp>(createWarnExtentMismatch({isStrict}));
    // So are signals of ranks that nobody waits for, and the other way round.
    pm.addNestedPass<func::FuncOp>(createWarnUnbalancedSignals({isStrict}));
  }
  // In debug builds tensors that the kernel makes start as zeros.
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
  options.windowElements = tiles.windowElements;
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
  // Whole-array expressions become loops over windows with bounds.
  pm.addPass(std::move(cutting));
  // Extents of these windows are traced, folded, and equal ones become one.
  pm.addPass(tegula::createResolveExtents());
  pm.addPass(tegula::createSimplify());
  pm.addPass(createCSEPass());
  // Parallel loops are marked independent where that is proved.
  pm.addPass(tegula::createProveParallel({addsAtomically, /*onlyMade=*/false}));
}

void tegula::buildCutPipeline(PipelineBuilder &pm, const TileSizes &tiles) {
  addCutPipeline(pm, createTileTensorOps(toOptions(tiles)));
}

/// Loops over rows, as short as they are, where a machine takes rows as whole.
static void addRowLoops(tegula::PipelineBuilder &functions,
                        const tegula::MachineModel &machine) {
  const tegula::TileSizes &tiles = machine.tiles;
  if (!tiles.shortRows)
    return;
  // Ops on whole matrices become one loop over rows, where that saves work.
  functions.addPass(
      tegula::createFuseRowLoops({rowsAtOnce, machine.costs.read}));
  // Such loops take as many rows at a time as their length allows.
  functions.addPass(tegula::createResizeRowLoops(
      {tiles.columns, tiles.uncachedElements, tiles.uncachedColumns,
       tiles.shortRows, machine.costs.read}));
}

void tegula::buildTilePipeline(PipelineBuilder &pm,
                               const MachineModel &machine) {
  if (machine.tiles.shortRows) {
    // An author's loops over chunks of a row become whole rows.
    pm.addNestedPass<func::FuncOp>(
        createCoalesceColumnLoops({rowsAtOnce, machine.rowReductions}));
    // Chunks that were read twice become one row.
    pm.addPass(createCSEPass());
  }
  PipelineBuilder functions = pm.nest<func::FuncOp>();
  // Symbols that the call requires to be equal become one.
  functions.addPass(createUnifyExtents());
  // Loops that add in place lose their author's word that they are independent.
  functions.addPass(createSerializeInPlaceReductions());
  // Tensors that each iteration fills first are made in the iteration.
  functions.addPass(createMakeScratchPrivate());
  // Sorts of the same rows become one, and as short as what is read of it.
  functions.addPass(createMergeSorts());
  // Gathers, scatters and the like become loops over elements.
  functions.addPass(createExpandOps());
  // Results are written to their final tensor, without a copy.
  functions.addPass(createElideCopies());
  // Sorts, scans and the like become parallel loops over some rows each.
  functions.addPass(createTileRowOps({machine.rowElements}));
  // Unbounded tiles that loops carry become tensors in memory.
  functions.addPass(createCarryTensorsInMemory());
  // Matmuls with batch axes become loops over plain ones.
  functions.addPass(createExpandBatches());
  // Reshapes of unbounded tiles become other views of memory.
  functions.addPass(createReshapeInMemory());
  addRowLoops(functions, machine);

  // Whole-array expressions are cut to tiles: as small as the memories need, by
  // rows where tensors are computed with, or to the sizes of the machine.
  if (machine.hasBoundedMemory())
    functions.addPass(createFitTiles(machine));
  else if (machine.computesOnTensors)
    addCutPipeline(functions, createCutByRow(machine), machine.addsAtomically);
  else
    addCutPipeline(functions, createTileTensorOps(toOptions(machine.tiles)),
                   machine.addsAtomically);

  // Loops whose end is near the last index count their iterations.
  functions.addPass(createCountIterations());

  // What computes tiles is put in regions of a core, and that is checked.
  functions.addPass(createAssignCores());
  functions.addPass(createVerifyPlacement());
}

void tegula::buildOutlinePipeline(PipelineBuilder &pm) {
  // Regions of a core become functions that are launched.
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
