// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/CoreLoops.h"

#include "tegula/backends/codegen/TileExtents.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/backends/cuda/layout/MatmulLayouts.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
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

  LoopRules run() {
    bool hasTiles = false;
    // 64 registers of each of 256 threads; half of them where much else is
    // computed from each.
    mostWords = 1 << 13;
    loop.getBody().walk([&](pl::MatmulOp) { mostWords = 1 << 15; });
    loop.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      hasTiles |= touchesTiles(op);
      if (!checkOp(op))
        return WalkResult::interrupt();
      bool isInMemory = !inMemory.empty() && inMemory.back().op == op;
      return isInMemory ? WalkResult::skip() : WalkResult::advance();
    });
    if (!hasTiles)
      rejection.reject("it has no tiles", loop);
    // Then tiles would mostly go to memory and back.
    if (computing < int64_t(inMemory.size()))
      rejection.reject(inMemory.front().why, inMemory.front().op);
    return {rejection, inMemory};
  }

private:
  bool checkOp(Operation *op) {
    if (op->hasAttr(pl::lockedAttrName))
      return rejection.reject("iterations that run at once add to a tensor",
                              op);
    for (Value result : op->getResults())
      if (!checkTile(op, result.getType()) || !checkElements(op, result))
        return false;
    for (Value operand : op->getOperands())
      if (!loop.getBody().isAncestor(operand.getParentRegion()) &&
          !checkTile(op, operand.getType()))
        return false;
    if (auto matmul = dyn_cast<pl::MatmulOp>(op);
        matmul && !checkMatmul(matmul))
      return false;
    std::string why = findRuleless(op);
    if (!why.empty())
      return takeToMemory(op, why);
    constexpr int64_t worthOfMatmul = 100;
    if (isa<pl::MatmulOp>(op))
      computing += worthOfMatmul;
    else if (isa<pl::ReduceOp>(op) ||
             (touchesTiles(op) && isa<pl::ElementwiseOpInterface>(op)))
      ++computing;
    return true;
  }

  /// Nobody would hold anything of such a tile.
  bool checkElements(Operation *op, Value result) {
    auto tile = dyn_cast<pl::TileType>(result.getType());
    return tile && llvm::is_contained(boundsOf(tile), 0)
               ? rejection.reject("a tile has no elements", op)
               : true;
  }

  /// Why the op cannot be distributed with its tiles in registers; empty if it
  /// can.
  std::string findRuleless(Operation *op) {
    if (auto reshape = dyn_cast<pl::ReshapeOp>(op); reshape && !fits(reshape))
      return "a tile whose lengths are no powers of two gets another shape";
    if (auto arange = dyn_cast<pl::ArangeOp>(op);
        arange &&
        pl::isNarrowFloat(arange.getResult().getType().getElementType()))
      return "a ramp is of floats narrower than FP32";
    if (isa<pl::SliceOp, pl::DimOp, pl::LoadOp, pl::FullOp, pl::ArangeOp,
            pl::ReduceOp, pl::MatmulOp, pl::FillPadOp, pl::YieldOp,
            pl::ParallelOp, scf::ForOp, scf::IfOp, scf::YieldOp,
            arith::SelectOp, pl::ElementwiseOpInterface>(op) ||
        movesElements(op))
      return hasExactExtents(op) ? "" : "an extent depends on data";
    if (auto store = dyn_cast<pl::StoreOp>(op))
      return isHalfByteInTensors(store.getTarget().getType().getElementType())
                 ? "elements of half a byte are stored"
                 : "";
    if (auto read = dyn_cast<pl::ReadOp>(op))
      return isa<pl::TensorViewType>(read.getSource().getType())
                 ? ""
                 : "an element of a tile is read";
    bool isScalar = op->getNumRegions() == 0 && isPure(op) &&
                    !touchesTiles(op) && !isa<pl::PlDialect>(op->getDialect());
    if (isScalar || isa<pl::CreateTensorOp>(op))
      return "";
    return ("'" + op->getName().getStringRef() +
            "' has no rule for tiles in registers")
        .str();
  }

  /// The threads of a block run the op together, if it stands for itself.
  bool takeToMemory(Operation *op, const std::string &why) {
    bool isOfBlock = !isa<pl::BarrierOp, pl::AtOp, pl::LaunchOp>(op) &&
                     !op->hasTrait<OpTrait::IsTerminator>();
    bool hasTensors =
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<pl::TensorViewType>);
    if (!isOfBlock || hasTensors)
      return rejection.reject(why, op);
    inMemory.push_back({why, op});
    return true;
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

  static bool fits(pl::ReshapeOp op) {
    ElementMap map;
    map.shape = boundsOf(op.getResult().getType());
    return mapOfSource(op, map).has_value();
  }

  bool checkMatmul(pl::MatmulOp op) {
    constexpr int64_t mostBytes = 80 << 10;
    if (op.getResult().getType().getRank() != 2)
      return rejection.reject("a matmul has batches", op);
    if (!isForTensorCores(op) && countFmaBytes(op) > mostBytes)
      return rejection.reject("the operands of a matmul of threads are larger "
                              "than shared memory",
                              op);
    return true;
  }

  /// That an extent is beyond its bound would be reported elsewhere.
  bool hasExactExtents(Operation *op) {
    auto rules = dyn_cast<pl::ExtentsOpInterface>(op);
    if (!rules || !isa<pl::TileType>(op->getResult(0).getType()))
      return true;
    auto dims = pl::getDims(op->getResult(0).getType());
    for (auto [axis, dim] : llvm::enumerate(dims))
      if (dim.isBounded() &&
          !isExactRule(arithmetic, rules.getExtentRule(axis)))
        return false;
    return true;
  }

  pl::ParallelOp loop;
  int64_t mostWords = 0;
  /// How many ops are worth the registers.
  int64_t computing = 0;
  pl::ExactArithmetic arithmetic;
  VariantRejection rejection;
  SmallVector<VariantRejection> inMemory;
};

} // namespace

LoopRules tegula::findRules(pl::ParallelOp loop) {
  return RuleSearch(loop).run();
}
