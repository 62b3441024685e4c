// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/ExplainVariant.h"

#include "tegula/backends/RunPasses.h"
#include "tegula/backends/cuda/AttentionPattern.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/MatmulElement.h"
#include "tegula/transforms/Pipelines.h"
#include "tegula/transforms/rows/RowwiseKernel.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tegula;

static constexpr llvm::StringLiteral plain =
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

static void explainRows(func::FuncOp kernel, const RowwiseKernel &found,
                        const VariantChips &chips) {
  if (!found.matmul) {
    kernel.emitRemark("on a GPU its rows are kept in registers: memory is read "
                      "once and written once")
        << (found.hasReductions ? ", as long as rows have 16384 columns at most"
                                : "");
    return;
  }
  if (chips.hasMatmuls || chips.hasTiles) {
    kernel.emitRemark("on a GPU its matmul runs ")
        << describeCores(getElement(*found.matmul), chips)
        << " and what follows is computed before sums leave the registers";
    return;
  }
  kernel.emitRemark(plain) << ": tuned matmul code needs sm_80 or later, and "
                              "the target is "
                           << chips.names;
}

LogicalResult tegula::explainVariant(ModuleOp module,
                                     const VariantChips &chips) {
  SmallVector<func::FuncOp> kernels(module.getOps<func::FuncOp>());
  if (kernels.size() != 1 || kernels.front().isExternal())
    return success();
  func::FuncOp kernel = kernels.front();
  VariantRejection rows, attention;
  int64_t mostReductions = getCudaMachine().rowReductions;
  if (std::optional<RowwiseKernel> found =
          RowwiseKernel::find(kernel, mostReductions, rows)) {
    explainRows(kernel, *found, chips);
    return success();
  }
  Location loc = rows.op ? rows.op->getLoc() : kernel.getLoc();
  bool mayBeAttention = looksLikeAttention(kernel);
  auto build = [](OpPassManager &pm) {
    buildTilePipeline(pm, getCudaMachine());
  };
  if (failed(runPasses(module, build)))
    return failure();
  kernel = *module.getOps<func::FuncOp>().begin();
  if (AttentionPattern::find(kernel, attention)) {
    if (chips.hasMatmuls)
      kernel.emitRemark("on a GPU it runs as attention on the tensor cores");
    else
      kernel.emitRemark(plain)
          << ": tuned attention needs Hopper (sm_90a), and "
             "the target is "
          << chips.names;
    return success();
  }
  kernel.emitRemark(plain);
  if (mayBeAttention && !attention.why.empty())
    kernel.emitRemark(
        "it would be attention on the tensor cores if this held: ")
        << attention.why;
  else
    emitRemark(loc) << "prevents a faster variant: " << rows.why;
  return success();
}
