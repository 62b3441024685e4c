// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/variants/ExplainVariant.h"

#include "tegula/backends/RunPasses.h"
#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/Pipeline.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/PipelineBuilder.h"

using namespace mlir;
using namespace tegula;

static constexpr llvm::StringLiteral fallback =
    "on a GPU it runs the fallback: loops over tiles, without tensor cores";

/// Two matmuls, and between them the maxima of rows and exponentials: it could
/// be attention.
static bool looksLikeAttention(func::FuncOp kernel) {
  unsigned matmuls = 0;
  bool hasMaxima = false, hasExponentials = false, isComputed = false;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto matmul = dyn_cast<pl::MatmulOp>(op)) {
      ++matmuls;
      isComputed = !matmul.getLhs().getDefiningOp<pl::LoadOp>();
    }
    if (matmuls != 1)
      return;
    auto reduce = dyn_cast<pl::ReduceOp>(op);
    hasMaxima |= reduce && reduce.getReduction() == pl::Reduction::Max;
    hasExponentials |= isa<pl::ExpOp>(op);
  });
  return matmuls == 2 && hasMaxima && hasExponentials && isComputed;
}

/// What multiplies, and how it rounds.
static std::string describeCores(GpuElement element,
                                 const VariantChips &chips) {
  std::string tensorCores = "on the tensor cores";
  if (const char *words = getRoundingWords(element, MatmulCode::Tiles))
    return tensorCores + " " + words + ", as asked,";
  const char *words = getRoundingWords(element, MatmulCode::Hopper);
  if (words && chips.hasMatmuls)
    return tensorCores + ", of Hopper chips " + words + ", as asked,";
  return getKind(getOperandType(element, MatmulCode::Tiles)) ==
                 GpuOperandKind::Ordinary
             ? "in tiles on the ordinary cores, for the operands are FP32,"
             : tensorCores + ",";
}

static void explainRows(func::FuncOp kernel, const GpuRows &rows) {
  kernel.emitRemark("on a GPU its rows are kept in registers: memory is read "
                    "once and written once")
      << (rows.hasReductions ? ", as long as rows have 16384 columns at most"
                             : "");
}

static void explainMatmul(func::FuncOp kernel, const GpuMatmul &matmul,
                          const VariantChips &chips) {
  if (chips.hasMatmuls || chips.hasTiles) {
    kernel.emitRemark("on a GPU its matmul runs ")
        << describeCores(matmul.element, chips)
        << " and its epilogue is computed in registers";
    return;
  }
  kernel.emitRemark(fallback)
      << ": tuned matmul code needs sm_80 or later, and "
         "the target is "
      << chips.names;
}

/// Whether tiles of all loops that blocks share are kept in registers; says so,
/// or what keeps them in memory.
static bool explainLoops(func::FuncOp kernel) {
  bool areAllKept = kernel->hasAttr(warpsAttrName), hasMatmuls = false;
  kernel.walk([&](pl::ParallelOp loop) {
    auto rejection = getVariant<cuda::LoopRejectionAttr>(loop);
    if (!rejection)
      return;
    areAllKept = false;
    emitRemark(Location(rejection.getAt()))
        << "on a GPU tiles of this loop are kept in memory: "
        << rejection.getWhy();
  });
  kernel.walk([&](pl::MatmulOp matmul) {
    hasMatmuls |= matmul->hasAttr(layoutAttrName);
  });
  bool hasRegions = false;
  kernel.walk([&](cuda::BlockRegionOp region) {
    hasRegions = true;
    region.emitRemark("on a GPU this goes through memory: ") << region.getWhy();
  });
  if (areAllKept)
    kernel.emitRemark(hasRegions
                          ? "on a GPU its other tiles are kept in registers"
                          : "on a GPU its tiles are kept in registers")
        << (hasMatmuls ? ", and its matmuls run on the tensor cores" : "");
  return areAllKept;
}

static void explainAttention(func::FuncOp kernel, const VariantChips &chips) {
  if (chips.hasMatmuls)
    kernel.emitRemark("on a GPU it runs as attention on the tensor cores");
  else if (explainLoops(kernel))
    kernel.emitRemark("tuned attention needs Hopper (sm_90a), and the "
                      "target is ")
        << chips.names;
  else
    kernel.emitRemark(fallback)
        << ": tuned attention needs Hopper (sm_90a), and "
           "the target is "
        << chips.names;
}

/// What a kernel runs that has no variant of its own, and why it has none.
static void explainFallback(func::FuncOp kernel, bool mayBeAttention) {
  if (!explainLoops(kernel))
    kernel.emitRemark(fallback);
  auto module = kernel->getParentOfType<ModuleOp>();
  auto attention = getVariant<cuda::AttentionRejectionAttr>(module);
  auto rows = getVariant<cuda::RowRejectionAttr>(module);
  if (mayBeAttention && attention)
    kernel.emitRemark(
        "it would be attention on the tensor cores if this held: ")
        << attention.getWhy();
  else if (rows)
    emitRemark(Location(rows.getAt()))
        << "prevents a faster variant: " << rows.getWhy();
}

LogicalResult tegula::explainVariant(ModuleOp module, const VariantChips &chips,
                                     const CudaBlocks &blocks) {
  SmallVector<func::FuncOp> kernels(module.getOps<func::FuncOp>());
  if (kernels.size() != 1 || kernels.front().isExternal())
    return success();
  bool mayBeAttention = looksLikeAttention(kernels.front());
  auto build = [&](PipelineBuilder &pm) {
    buildCudaFitPipeline(pm, blocks);
    buildCudaLayoutsPipeline(pm, getCudaMachine(), blocks);
  };
  if (failed(runPasses(module, build)))
    return failure();
  func::FuncOp kernel = *module.getOps<func::FuncOp>().begin();
  if (auto matmul = getVariant<cuda::MatmulVariantAttr>(module))
    explainMatmul(kernel, matmul.getVariant(), chips);
  else if (auto rows = getVariant<cuda::RowwiseVariantAttr>(module))
    explainRows(kernel, rows.getVariant());
  else if (getVariant<cuda::AttentionVariantAttr>(module))
    explainAttention(kernel, chips);
  else
    explainFallback(kernel, mayBeAttention);
  return success();
}
