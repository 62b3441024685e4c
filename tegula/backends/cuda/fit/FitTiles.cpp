// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of authors -> loops whose iterations fit a block.

#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/fit/RowLoop.h"
#include "tegula/transforms/parallel/CoreRegions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAFITTILES
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The loop whose iterations have tiles: that one, or the only one inside.
static pl::ParallelOp findLoopOfTiles(pl::ParallelOp loop) {
  pl::ParallelOp inner;
  Block *body = &loop.getBody().front();
  // What a core does is what the loop does.
  auto ops = body->without_terminator();
  if (llvm::hasSingleElement(ops))
    if (auto at = dyn_cast<pl::AtOp>(*ops.begin()))
      body = &at->getRegion(0).front();
  for (Operation &op : body->without_terminator()) {
    auto nested = dyn_cast<pl::ParallelOp>(op);
    bool hasRegions = op.getNumRegions() != 0;
    if (nested ? bool(inner) : hasRegions || touchesTiles(&op))
      return loop;
    if (nested)
      inner = nested;
  }
  return inner ? findLoopOfTiles(inner) : loop;
}

static bool isReduced(pl::ParallelOp loop) {
  return loop.walk([](pl::ReduceOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {

struct CudaFitTilesPass : tegula::impl::CudaFitTilesBase<CudaFitTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // A variant for rows takes all calls but a few.
    auto module = function->getParentOfType<ModuleOp>();
    if (function.isExternal() || module.lookupSymbol(rowsModuleName))
      return;
    for (auto loop : llvm::make_early_inc_range(
             function.getBody().front().getOps<pl::ParallelOp>()))
      fit(loop);
  }

private:
  /// So many words of the largest tile, so that all that live at once have
  /// registers.
  int64_t countWords(const RowLoop::Need &need) const {
    int64_t most = std::min<int64_t>(mostWords, mostLive / need.liveTiles);
    return std::max<int64_t>(1, int64_t(llvm::bit_floor(uint64_t(most))));
  }

  void fit(pl::ParallelOp outermost) {
    std::optional<RowLoop> found =
        RowLoop::find(findLoopOfTiles(outermost), outermost);
    if (!found)
      return;
    if (found->getWidths().empty())
      fitRows(*found);
    else
      fitWidths(outermost, *found);
  }

  /// Rows whose length is known: as many as there are registers for, unless
  /// the author's are neither few nor too many.
  void fitRows(const RowLoop &found) {
    RowLoop::Need need = found.getNeed(1);
    int64_t words = countWords(need);
    int64_t authors = found.getStep() * need.wordsOfRow;
    constexpr int64_t few = 4;
    if (authors <= words && authors > words / few)
      return;
    int64_t rows = std::clamp<int64_t>(words / need.wordsOfRow, 1, mostRows);
    if (rows != found.getStep())
      emitRows(found, rows, std::nullopt);
  }

  /// Rows of any length: a version for each of some widths, which has as many
  /// rows as there are registers for, and one for longer rows.
  void fitWidths(pl::ParallelOp outermost, const RowLoop &found) {
    OpBuilder builder(outermost);
    Location loc = outermost.getLoc();
    // Where more than the rows is unbounded, it is as long in each version.
    int64_t words = countWords(found.getNeed(mostWords));
    int64_t longest = words / found.getNeed(1).wordsOfRow;
    constexpr int64_t shares[] = {32, 16, 8, 4, 2, 1};
    bool hasReductions = isReduced(outermost);
    for (int64_t share : shares) {
      int64_t width = longest / share;
      // Chunks of rows are as good where nothing is reduced.
      if (width == 0 || (share == 1 && !hasReductions))
        continue;
      int64_t wordsOfRow = found.getNeed(width).wordsOfRow;
      int64_t rows = std::clamp<int64_t>(words / wordsOfRow, 1, mostRows);
      Value isShort;
      for (Value own : found.getWidths()) {
        Value fits = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::sle, own,
            arith::ConstantIndexOp::create(builder, loc, width));
        isShort =
            isShort
                ? arith::AndIOp::create(builder, loc, isShort, fits).getResult()
                : fits;
      }
      auto branch = scf::IfOp::create(builder, loc, isShort,
                                      /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
      auto version = cast<pl::ParallelOp>(builder.clone(*outermost));
      emitRows(*RowLoop::find(findLoopOfTiles(version), version), rows, width);
      builder.setInsertionPointToStart(branch.elseBlock());
    }
    outermost->moveBefore(builder.getInsertionBlock(),
                          builder.getInsertionPoint());
    if (found.getStep() != 1)
      emitRows(found, 1, std::nullopt);
  }
};

} // namespace
