// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounded tiles -> linalg on memory.

#include "tegula/backends/codegen/LowerTiles.h"
#include "tegula/backends/codegen/LoweringTarget.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/ir/ops/PlOps.h"

namespace tegula {
#define GEN_PASS_DEF_CUDALOWERTILES
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// Hears of every step, since a GPU wants whole tiles, and does nothing.
class IgnoredSteps : public LoweringHooks {
public:
  void open(OpBuilder &, Location) override {}
  void close(OpBuilder &) override {}
  void read(const View &) override {}
  void write(const View &) override {}
  void loop(ArrayRef<OpFoldResult>) override {}
  void hide() override {}
  void multiply(const MatmulShape &) override {}
  void loadElement(OpBuilder &, Location, const View &) override {}
  Value takeRingSlot(OpBuilder &, Location, unsigned, int64_t) override {
    llvm_unreachable("a GPU has one buffer for each tile");
  }
};

/// Makes loops of matmuls, which threads can share.
class CudaLoweringTarget : public LoweringTarget {
public:
  /// Rows, columns, and what is summed up in between: the columns are last, so
  /// that neighbouring threads have neighbouring elements.
  void accumulateTiles(TileLowering &lowering, pl::MatmulOp op,
                       const TileMatmul &matmul, OpFoldResult) const override {
    OpBuilder &builder = lowering.builder;
    Location loc = op.getLoc();
    const View &lhs = matmul.lhs, &rhs = matmul.rhs, &sum = matmul.acc;
    IndexMath math(builder, loc);
    OpFoldResult inner = math.min(lhs.sizes[1], rhs.sizes[0]);
    View left = lhs.shrink({sum.sizes[0], inner});
    View right = rhs.shrink({inner, sum.sizes[1]});
    MLIRContext *context = builder.getContext();
    AffineExpr row, between, column;
    bindDims(context, row, between, column);
    auto map = [&](AffineExpr first, AffineExpr second) {
      return AffineMap::get(3, 0, {first, second}, context);
    };
    AffineMap maps[] = {map(row, between), map(between, column),
                        map(row, column)};
    utils::IteratorType kinds[] = {utils::IteratorType::parallel,
                                   utils::IteratorType::reduction,
                                   utils::IteratorType::parallel};
    Value operands[] = {left.asMemRef(builder, loc),
                        right.asMemRef(builder, loc)};
    linalg::GenericOp::create(
        builder, loc, TypeRange(), operands,
        ValueRange{sum.asMemRef(builder, loc)}, maps, kinds,
        [](OpBuilder &body, Location at, ValueRange elements) {
          linalg::YieldOp::create(body, at, add(body, at, elements));
        });
  }

  void addPatterns(TilePatterns &patterns) const override {
    patterns.add(unpackView);
  }

private:
  /// Numbers that are known are said, so that arithmetic on them is left out.
  static void unpackView(TileLowering &lowering, cuda::UnpackViewOp op) {
    const View &view = lowering.view(op.getSource());
    Location loc = op.getLoc();
    lowering.values.setScalar(op.getBase(),
                              view.asPointer(lowering.builder, loc));
    unsigned rank = view.getRank();
    for (auto [position, number] : llvm::enumerate(op.getNumbers()))
      lowering.values.setScalar(
          number, lowering.math(loc).value(position < rank
                                               ? view.strides[position]
                                               : view.sizes[position - rank]));
  }

  static Value add(OpBuilder &body, Location loc, ValueRange elements) {
    if (isa<FloatType>(elements[2].getType())) {
      auto flags = arith::FastMathFlagsAttr::get(
          body.getContext(), arith::FastMathFlags::contract);
      Value scaled = arith::MulFOp::create(body, loc, elements[0], elements[1],
                                           flags.getValue());
      return arith::AddFOp::create(body, loc, elements[2], scaled,
                                   flags.getValue());
    }
    Value scaled = arith::MulIOp::create(body, loc, elements[0], elements[1]);
    return arith::AddIOp::create(body, loc, elements[2], scaled);
  }
};

struct CudaLowerTilesPass
    : tegula::impl::CudaLowerTilesBase<CudaLowerTilesPass> {
  void runOnOperation() override {
    IgnoredSteps steps;
    if (failed(lowerTiles(getOperation(), CudaLoweringTarget(),
                          getCudaMachine(), &steps)))
      signalPassFailure();
  }
};

} // namespace
