// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/CoreLoops.h"

#include "tegula/backends/codegen/TileExtents.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/transforms/parallel/CoreRegions.h"
#include "tegula/transforms/parallel/ParallelNest.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

/// A tile that is made between loops is made in a block that runs all
/// iterations of the inner one.
static bool hasTiles(pl::ParallelOp loop) {
  return llvm::any_of(loop.getBody().front(), [](Operation &op) {
    return !isa<pl::ParallelOp>(op) && touchesTiles(&op);
  });
}

SmallVector<CoreLoop> tegula::findCoreLoops(func::FuncOp function) {
  SmallVector<CoreLoop> found;
  function.walk<WalkOrder::PreOrder>([&](pl::ParallelOp loop) {
    if (!loop.getIndependent())
      return WalkResult::advance();
    SmallVector<pl::ParallelOp> nest = findParallelNest(loop);
    auto *core = llvm::find_if(nest, hasTiles);
    found.push_back({loop, core == nest.end() ? nest.back() : *core});
    return WalkResult::skip();
  });
  return found;
}

namespace {

/// Looks for what has no rule.
class RuleSearch {
public:
  explicit RuleSearch(pl::ParallelOp loop) : loop(loop) {}

  VariantRejection run() {
    bool hasTiles = false;
    // 64 registers of each of 256 threads; half of them where much else is
    // computed from each.
    mostWords = 1 << 13;
    loop.getBody().walk([&](pl::MatmulOp) { mostWords = 1 << 15; });
    loop.getBody().walk([&](Operation *op) {
      hasTiles |= touchesTiles(op);
      return checkOp(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (!hasTiles)
      rejection.reject("it has no tiles", loop);
    if (rejection.why.empty())
      checkMemory();
    return rejection;
  }

private:
  bool checkOp(Operation *op) {
    for (Value result : op->getResults())
      if (!checkTile(op, result.getType()))
        return false;
    for (Value operand : op->getOperands())
      if (isa<pl::TileType>(operand.getType()) &&
          !loop.getBody().isAncestor(operand.getParentRegion()))
        return rejection.reject("a tile is made outside of the loop", op);
    if (auto matmul = dyn_cast<pl::MatmulOp>(op))
      return checkMatmul(matmul);
    if (auto reshape = dyn_cast<pl::ReshapeOp>(op))
      return checkReshape(reshape);
    if (auto arange = dyn_cast<pl::ArangeOp>(op);
        arange &&
        pl::isNarrowFloat(arange.getResult().getType().getElementType()))
      return rejection.reject("a ramp is of floats narrower than FP32", op);
    if (isa<pl::SliceOp, pl::DimOp, pl::LoadOp, pl::FullOp, pl::ArangeOp,
            pl::ReduceOp, pl::FillPadOp, pl::YieldOp, pl::ParallelOp,
            scf::ForOp, scf::IfOp, scf::YieldOp, arith::SelectOp,
            pl::ElementwiseOpInterface>(op) ||
        movesElements(op))
      return checkExtents(op);
    if (auto store = dyn_cast<pl::StoreOp>(op))
      return isHalfByteInTensors(store.getTarget().getType().getElementType())
                 ? rejection.reject("elements of half a byte are stored", op)
                 : true;
    if (auto read = dyn_cast<pl::ReadOp>(op))
      return isa<pl::TensorViewType>(read.getSource().getType())
                 ? true
                 : rejection.reject("an element of a tile is read", op);
    if (op->getNumRegions() == 0 && isPure(op) && !touchesTiles(op) &&
        !isa<pl::PlDialect>(op->getDialect()))
      return true;
    return rejection.reject("'" + op->getName().getStringRef() +
                                "' has no rule for tiles in registers",
                            op);
  }

  bool checkTile(Operation *op, Type type) {
    auto tile = dyn_cast<pl::TileType>(type);
    if (!tile)
      return true;
    constexpr int64_t registerBits = 32;
    int64_t words = std::max<int64_t>(
        1, memoryType(tile.getElementType()).getIntOrFloatBitWidth() /
               registerBits);
    for (int64_t bound : boundsOf(tile))
      words *= int64_t(llvm::PowerOf2Ceil(std::max<int64_t>(bound, 1)));
    if (words > mostWords)
      return rejection.reject("a tile is larger than the registers of a block",
                              op);
    if (isHalfByteInTensors(tile.getElementType()))
      return rejection.reject("elements are half a byte", op);
    if (auto load = dyn_cast<pl::LoadOp>(op);
        load && !rootOfView(load.getSource()))
      return rejection.reject("it is not known which tensor is read", op);
    return true;
  }

  bool checkReshape(pl::ReshapeOp op) {
    ElementMap map;
    map.shape = boundsOf(op.getResult().getType());
    return mapOfSource(op, map)
               ? checkExtents(op)
               : rejection.reject("a tile whose lengths are no powers of two "
                                  "gets another shape",
                                  op);
  }

  bool checkMatmul(pl::MatmulOp op) {
    auto elementOf = [](Value value) {
      return pl::getElementOrSelf(value.getType());
    };
    Type element = elementOf(op.getLhs());
    if ((!element.isF16() && !element.isBF16()) ||
        elementOf(op.getRhs()) != element)
      return rejection.reject("a matmul is not of FP16 or BF16", op);
    if (!elementOf(op.getResult()).isF32())
      return rejection.reject("a matmul is not summed up in FP32", op);
    if (op.getResult().getType().getRank() != 2)
      return rejection.reject("a matmul has batches", op);
    // An instruction multiplies 16 at a time, and reads eight of a row.
    constexpr int64_t leastInner = 8;
    for (auto [operand, axis] :
         {std::pair(op.getLhs(), op.getTransposeLhs() ? 0 : 1),
          std::pair(op.getRhs(), op.getTransposeRhs() ? 1 : 0)})
      if (boundsOf(operand.getType())[axis] < leastInner)
        return rejection.reject("a matmul has an inner axis that is too "
                                "short for tensor cores",
                                op);
    if (op.getAcc() &&
        boundsOf(op.getAcc().getType()) != boundsOf(op.getResult().getType()))
      return rejection.reject("an accumulator has another shape", op);
    return checkExtents(op);
  }

  /// That an extent is beyond its bound would be reported elsewhere.
  bool checkExtents(Operation *op) {
    auto rules = dyn_cast<pl::ExtentsOpInterface>(op);
    if (!rules || !isa<pl::TileType>(op->getResult(0).getType()))
      return true;
    auto dims = pl::getDims(op->getResult(0).getType());
    for (auto [axis, dim] : llvm::enumerate(dims))
      if (dim.isBounded() &&
          !isExactRule(arithmetic, rules.getExtentRule(axis)))
        return rejection.reject("an extent depends on data", op);
    return true;
  }

  /// What is stored is not read again: threads would have to wait.
  bool checkMemory() {
    loop.getBody().walk([&](Operation *op) {
      Value source;
      if (auto load = dyn_cast<pl::LoadOp>(op))
        source = load.getSource();
      else if (auto read = dyn_cast<pl::ReadOp>(op))
        source = read.getSource();
      if (!source || !mayWrite(loop, rootOfView(source)))
        return WalkResult::advance();
      rejection.reject("a tensor is both read and written", op);
      return WalkResult::interrupt();
    });
    return rejection.why.empty();
  }

  pl::ParallelOp loop;
  int64_t mostWords = 0;
  pl::ExactArithmetic arithmetic;
  VariantRejection rejection;
};

} // namespace

VariantRejection tegula::findUndistributed(pl::ParallelOp loop) {
  return RuleSearch(loop).run();
}
