// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Core loops -> the same, with a layout for each tile.

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/layout/BlockRegions.h"
#include "tegula/backends/cuda/layout/LayoutClasses.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/backends/cuda/layout/MatmulLayouts.h"
#include "tegula/backends/cuda/layout/SplitStores.h"
#include "tegula/backends/cuda/layout/TileDistributor.h"
#include "tegula/ir/extents/ExtentTerms.h"
#include "tegula/transforms/plan/BufferSize.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAASSIGNLAYOUTS
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

static bool isTile(Value value) { return isa<pl::TileType>(value.getType()); }

/// Tiles that are made where they are used have none, but for those that are
/// stored or converted.
static Attribute layoutOf(const LayoutClasses &classes, Value tile) {
  Attribute layout = classes.getLayout(tile);
  return layout ? layout : classes.getBlocked(tile);
}

static void annotate(Operation *op, const LayoutClasses &classes) {
  if (auto store = dyn_cast<pl::StoreOp>(op)) {
    op->setAttr(layoutAttrName, layoutOf(classes, store.getTile()));
    return;
  }
  if (llvm::none_of(op->getResults(), isTile))
    return;
  Builder builder(op->getContext());
  if (!isa<scf::ForOp, scf::IfOp>(op)) {
    if (!isLazy(op->getResult(0)))
      op->setAttr(layoutAttrName, layoutOf(classes, op->getResult(0)));
    return;
  }
  SmallVector<Attribute> layouts;
  for (Value result : op->getResults())
    layouts.push_back(isTile(result) ? layoutOf(classes, result)
                                     : Attribute(builder.getUnitAttr()));
  op->setAttr(layoutsAttrName, builder.getArrayAttr(layouts));
}

/// Elements of FP8 are those of FP16, too: tensor cores sum them up as exactly
/// as others.
static void widenOperands(pl::MatmulOp matmul) {
  Type element = matmul.getLhs().getType().getElementType();
  if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() != 8 ||
      !isForTensorCores(matmul))
    return;
  OpBuilder builder(matmul);
  for (OpOperand *operand :
       {&matmul.getLhsMutable(), &matmul.getRhsMutable()}) {
    auto type = cast<pl::TileType>(operand->get().getType());
    operand->set(pl::CastOp::create(builder, matmul.getLoc(),
                                    pl::withElement(type, builder.getF16Type()),
                                    operand->get(), pl::Rounding::None));
  }
  matmul.removePrecisionAttr();
}

/// matmul(a, b) {transpose_rhs}  ->  matmul(a, transpose(b))
static void transposeOperands(pl::MatmulOp matmul) {
  OpBuilder builder(matmul);
  auto transpose = [&](OpOperand &operand) {
    Value made =
        pl::TransposeOp::create(builder, matmul.getLoc(), operand.get(),
                                builder.getDenseI64ArrayAttr({1, 0}));
    operand.set(made);
  };
  if (matmul.getTransposeLhs())
    transpose(matmul.getLhsMutable());
  if (matmul.getTransposeRhs())
    transpose(matmul.getRhsMutable());
  matmul.setTransposeLhs(false);
  matmul.setTransposeRhs(false);
}

static Value rootOf(Value tile) {
  while (tile.getDefiningOp() && movesElements(tile.getDefiningOp()))
    tile = tile.getDefiningOp()->getOperand(0);
  return tile;
}

/// True for tiles that are loaded: what is not there is zero.
static bool isZeroBeyond(Value tile) {
  while (tile.getDefiningOp<pl::TransposeOp>() ||
         tile.getDefiningOp<pl::RelaxOp>())
    tile = tile.getDefiningOp()->getOperand(0);
  return tile.getDefiningOp<pl::LoadOp>() != nullptr;
}

/// True if four warps can multiply together, 64 rows at a time: each row is in
/// one warp, and operands are whole ones of wgmma.
static bool fitsWarpgroups(pl::MatmulOp matmul, cuda::MmaLayoutAttr layout) {
  constexpr int64_t warpRows = 16, mostColumns = 256;
  auto bounds = boundsOf(matmul.getResult().getType());
  int64_t inner = boundsOf(matmul.getLhs().getType())[1];
  int64_t rows = layout.getWarps()[0];
  Type element = pl::getElementOrSelf(matmul.getLhs().getType());
  return (element.isF16() || element.isBF16()) && layout.getWarps()[1] == 1 &&
         rows % 4 == 0 &&
         int64_t(llvm::PowerOf2Ceil(bounds[0])) >= warpRows * rows &&
         bounds[1] % 8 == 0 && bounds[1] <= mostColumns && inner % 16 == 0 &&
         boundsOf(matmul.getRhs().getType())[0] == inner;
}

/// True if the loop around the matmul does not change an operand. It stays in
/// shared memory then: in registers, ptxas 13.0 overwrites it with the operand
/// of a second wgmma.
static bool isSameInAllIterations(pl::MatmulOp matmul, Value operand) {
  auto loop = dyn_cast<scf::ForOp>(matmul->getParentOp());
  Value root = rootOf(operand);
  auto load = root.getDefiningOp<pl::LoadOp>();
  return loop && loop.isDefinedOutsideOfLoop(load ? load.getSource() : root);
}

/// Operands as the instructions want them. What is loaded for it is loaded as
/// threads share memory best.
static void convertOperands(pl::MatmulOp matmul, const LayoutClasses &classes,
                            bool hasWarpgroups) {
  OpBuilder builder(matmul);
  bool isOfFma = !isForTensorCores(matmul);
  auto parent = matmul->getAttrOfType<cuda::MmaLayoutAttr>(layoutAttrName);
  bool isOfGroups = !isOfFma && hasWarpgroups && fitsWarpgroups(matmul, parent);
  bool areEqual = TileDistributor::areInnerEqual(matmul);
  int64_t bits =
      pl::getElementOrSelf(matmul.getLhs().getType()).getIntOrFloatBitWidth();
  auto convert = [&](OpOperand &operand, cuda::MatmulOperand side) {
    auto load = rootOf(operand.get()).getDefiningOp<pl::LoadOp>();
    if (load)
      load->setAttr(layoutAttrName, classes.getBlocked(load));
    MLIRContext *context = matmul.getContext();
    if (isOfFma) {
      operand.set(cuda::ConvertLayoutOp::create(
          builder, matmul.getLoc(), operand.get(),
          cuda::FmaOperandLayoutAttr::get(context, side)));
      return;
    }
    bool isShared =
        side == cuda::MatmulOperand::Rhs ||
        (areEqual && isSameInAllIterations(matmul, operand.get())) ||
        (load && load->getBlock() == matmul->getBlock() && areEqual &&
         isZeroBeyond(operand.get()));
    Attribute layout =
        isOfGroups && isShared
            ? Attribute(cuda::SharedOperandLayoutAttr::get(context, side))
            : cuda::DotOperandLayoutAttr::get(context, side, parent, bits);
    operand.set(cuda::ConvertLayoutOp::create(builder, matmul.getLoc(),
                                              operand.get(), layout));
  };
  convert(matmul.getLhsMutable(), cuda::MatmulOperand::Lhs);
  convert(matmul.getRhsMutable(), cuda::MatmulOperand::Rhs);
}

/// What is loaded to compute an operand from is loaded as threads share memory
/// best, so that it can be prefetched.
static void convertSources(Value tile, Block *block,
                           const LayoutClasses &classes) {
  Operation *op = rootOf(tile).getDefiningOp();
  if (!op || op->getBlock() != block || !op->hasOneUse() ||
      !isa<pl::ElementwiseOpInterface>(op) ||
      !isa<scf::ForOp>(block->getParentOp()))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    auto load = operand.get().getDefiningOp<pl::LoadOp>();
    if (!load) {
      convertSources(operand.get(), block, classes);
      continue;
    }
    bool isWhole = boundsOf(load.getResult().getType()) ==
                   boundsOf(cast<pl::TileType>(op->getResult(0).getType()));
    if (load->getBlock() != block || !load->hasOneUse() || !isWhole)
      continue;
    load->setAttr(layoutAttrName, classes.getBlocked(load));
    OpBuilder builder(op);
    operand.set(cuda::ConvertLayoutOp::create(builder, load.getLoc(), load,
                                              op->getAttr(layoutAttrName)));
  }
}

static bool isInShared(Value operand) {
  auto convert = operand.getDefiningOp<cuda::ConvertLayoutOp>();
  return convert && isa<cuda::SharedOperandLayoutAttr>(convert.getLayout());
}

/// Whether a block has room for an operand throughout a loop.
static bool hasRoom(cuda::ConvertLayoutOp op) {
  constexpr int64_t mostRegisters = 64, mostBytes = 1 << 16,
                    mostFmaBytes = 1 << 15;
  auto type = cast<pl::TileType>(op.getResult().getType());
  if (isa<cuda::FmaOperandLayoutAttr>(op.getLayout()))
    return SharedTile(
               boundsOf(type),
               typeInShared(type.getElementType()).getIntOrFloatBitWidth() / 8)
               .getBytes() <= mostFmaBytes;
  auto matmul = dyn_cast<pl::MatmulOp>(*op->user_begin());
  // See isSameInAllIterations.
  bool isOfGroups = matmul && isInShared(matmul.getRhs());
  if (!isInShared(op.getResult()))
    return !isOfGroups &&
           makeElementMap(op.getLayout(), boundsOf(type)).getNumRegisters() <=
               mostRegisters;
  // Both operands say where the inner axis ends, unless they agree.
  if (!TileDistributor::areInnerEqual(matmul))
    return false;
  int64_t bytes = memoryType(type.getElementType()).getIntOrFloatBitWidth() / 8;
  for (int64_t bound : boundsOf(type))
    bytes *= int64_t(llvm::PowerOf2Ceil(bound));
  return bytes <= mostBytes;
}

/// What each iteration would load again, if there is room for it.
static bool isHoistable(Operation *op, scf::ForOp loop) {
  bool isOutside = llvm::all_of(op->getOperands(), [&](Value operand) {
    return loop.isDefinedOutsideOfLoop(operand);
  });
  if (!isOutside)
    return false;
  if (auto convert = dyn_cast<cuda::ConvertLayoutOp>(op))
    return hasRoom(convert);
  // The loop does not write what lazy loads read.
  return (isa<pl::LoadOp>(op) || movesElements(op)) && isLazy(op->getResult(0));
}

static void hoistOperands(scf::ForOp loop) {
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->getOperations()))
    if (isHoistable(&op, loop))
      op.moveBefore(loop);
}

/// As many warps as the highest matmul has rows for, so that rows are in one
/// warp each; four warps use all four partitions of an SM.
static int64_t fitWarps(ArrayRef<pl::ParallelOp> loops, int64_t most) {
  constexpr int64_t rowsOfWarp = 16, fewest = 4;
  int64_t rows = 0;
  for (pl::ParallelOp loop : loops)
    loop.getBody().walk([&](pl::MatmulOp matmul) {
      rows = std::max(rows, boundsOf(matmul.getResult().getType())[0]);
    });
  int64_t warps = int64_t(llvm::PowerOf2Ceil(rows)) / rowsOfWarp;
  return rows ? std::min(most, std::max(fewest, warps)) : most;
}

namespace {

struct CudaAssignLayoutsPass
    : tegula::impl::CudaAssignLayoutsBase<CudaAssignLayoutsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<pl::ParallelOp> loops;
    for (auto [outermost, loop] : findCoreLoops(getOperation())) {
      splitStores(loop);
      LoopRules rules = findRules(loop);
      if (!rules.rejection.why.empty()) {
        setRejection<cuda::LoopRejectionAttr>(loop, rules.rejection, loop);
        continue;
      }
      makeBlockRegions(loop, rules.inMemory);
      loops.push_back(loop);
    }
    if (loops.empty())
      return;
    int64_t fitted = fitWarps(loops, warps);
    getOperation()->setAttr(warpsAttrName,
                            Builder(&getContext()).getI64IntegerAttr(fitted));
    for (pl::ParallelOp loop : loops)
      assign(loop, fitted);
  }

private:
  void assign(pl::ParallelOp loop, int64_t warps) {
    SmallVector<pl::MatmulOp> matmuls;
    SmallVector<scf::ForOp> inners;
    visitInRegisters(loop, [&](Operation *op) {
      if (auto matmul = dyn_cast<pl::MatmulOp>(op))
        matmuls.push_back(matmul);
      if (auto inner = dyn_cast<scf::ForOp>(op))
        inners.push_back(inner);
    });
    for (pl::MatmulOp matmul : matmuls) {
      widenOperands(matmul);
      transposeOperands(matmul);
    }
    LayoutClasses classes(loop, warps);
    visitInRegisters(loop, [&](Operation *op) { annotate(op, classes); });
    for (pl::MatmulOp matmul : matmuls) {
      for (Value operand : {matmul.getLhs(), matmul.getRhs()})
        convertSources(operand, matmul->getBlock(), classes);
      convertOperands(matmul, classes, hasWarpgroups);
    }
    // Out of inner loops first.
    for (scf::ForOp inner : llvm::reverse(inners))
      hoistOperands(inner);
  }
};

} // namespace
