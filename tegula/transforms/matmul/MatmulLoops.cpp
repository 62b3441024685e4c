// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/MatmulLoops.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/AtomicAttribute.h"
#include "tegula/transforms/matmul/AccumulatorLoop.h"
#include "tegula/transforms/matmul/MatmulTypes.h"
#include "tegula/transforms/matmul/TensorWindow.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Follows one matmul from its accumulator outwards.
class MatmulSearch {
public:
  explicit MatmulSearch(pl::MatmulOp matmul) : matmul(matmul) {}

  std::optional<MatmulLoops> find() {
    if (!findAccumulator())
      return std::nullopt;
    return matchOutwards(/*mayCarry=*/false,
                         [&] { return findStore() && doesNothingElse(); });
  }

  std::optional<MatmulLoops> findWithEpilogue() {
    if (!findAccumulator())
      return std::nullopt;
    return matchOutwards(/*mayCarry=*/true, [&] { return keepsOperands(); });
  }

private:
  /// What the epilogue of a tile reads: windows that move with it.
  class TileLeaves : public EpilogueLeaves {
  public:
    TileLeaves(MatmulSearch &search, std::array<const WindowAxis *, 2> axes,
               Value target)
        : search(search), targetAxes(axes), target(target) {}

    Value findOperand(Value tile, const TargetAxes &axes) override {
      auto load = tile.getDefiningOp<pl::LoadOp>();
      if (!load || load->hasAttr(pl::atomicAttrName) || axes.size() > 2 ||
          axes.empty())
        return {};
      bool isInside = search.root->isProperAncestor(load);
      if (!isInside &&
          mayBeWrittenBetween(load, search.root, rootOfView(load.getSource())))
        return {};
      std::optional<TensorWindow> window =
          search.findWindow(load.getSource(), axes.size());
      if (!window || !isLikeTarget(*window, axes))
        return {};
      // What is stored by other iterations is not read.
      bool isTarget = isInside && window->tensor == target;
      return isTarget || !mayShareMemory(window->tensor, target)
                 ? window->tensor
                 : Value();
    }

    bool isLongEnough(Value tile, const TargetAxes &axes) override {
      pl::ExtentProver prover(search.store);
      for (auto [axis, along] : llvm::enumerate(axes))
        if (along &&
            !prover.isAtMost(search.lengthOf(prover.getTerms(), *along),
                             prover.getTerms().ofExtent(tile, axis)))
          return false;
      return true;
    }

    bool isThere(Value scalar) override {
      return !search.root->isAncestor(scalar.getParentRegion()->getParentOp());
    }

  private:
    bool isLikeTarget(const TensorWindow &window, const TargetAxes &axes) {
      ArrayRef<pl::Dim> dims = pl::getDims(window.tensor.getType());
      for (auto [axis, along] : llvm::enumerate(axes)) {
        const WindowAxis &own = window.axes[axis];
        unsigned wanted = axis + 2 - axes.size();
        bool isLike = along
                          ? *along == wanted && own.isLike(*targetAxes[wanted])
                          : dims[axis].isExactly(1) && !own.loop;
        if (!isLike)
          return false;
      }
      return pl::getElementOrSelf(window.tensor.getType())
                 .getIntOrFloatBitWidth() >= 8;
    }

    MatmulSearch &search;
    std::array<const WindowAxis *, 2> targetAxes;
    Value target;
  };

  /// With all loops that may belong to it, then with fewer. Loops that carry
  /// something are not the outermost one.
  std::optional<MatmulLoops> matchOutwards(bool mayCarry,
                                           function_ref<bool()> isAllowed) {
    SmallVector<Operation *> loops = loopsAround(last, mayCarry);
    while (!loops.empty() && loops.back()->getNumResults() == 0) {
      if (std::optional<MatmulLoops> found = match(loops, isAllowed))
        return found;
      loops.pop_back();
    }
    return std::nullopt;
  }

  /// The loop over the inner axis, if there is one.
  bool findAccumulator() {
    last = matmul;
    if (!matmul.getAcc())
      return true;
    depth = dyn_cast<scf::ForOp>(matmul->getParentOp());
    std::optional<AccumulatorLoop> found;
    if (!depth || depth.getNumResults() != 1 ||
        !matmul.getResult().hasOneUse() ||
        !(found = AccumulatorLoop::find(depth)) || found->matmul != matmul ||
        !found->isFused || !found->sized.empty())
      return false;
    last = depth;
    return true;
  }

  /// The only store in the loops.
  bool findStore() {
    SmallVector<pl::StoreOp> stores;
    root->walk([&](pl::StoreOp found) { stores.push_back(found); });
    store = stores.size() == 1 ? stores.front() : pl::StoreOp();
    return store && !store->hasAttr(pl::atomicAttrName) &&
           store->getBlock() == last->getBlock();
  }

  /// At most two loops, the inner one first.
  static SmallVector<Operation *> loopsAround(Operation *op, bool mayCarry) {
    SmallVector<Operation *> loops;
    for (Operation *parent = op->getParentOp(); parent && loops.size() < 2;
         parent = parent->getParentOp()) {
      if (isa<pl::AtOp>(parent))
        continue;
      if (!AxisLoop::of(parent) || (parent->getNumResults() != 0 && !mayCarry))
        break;
      loops.push_back(parent);
    }
    return loops;
  }

  std::optional<MatmulLoops> match(ArrayRef<Operation *> loops,
                                   function_ref<bool()> isAllowed) {
    root = loops.back();
    nest.clear();
    for (Operation *loop : loops)
      nest.push_back(AxisLoop::of(loop));
    if (depth)
      nest.push_back(AxisLoop::of(depth));
    lhsLoad = loadOf(matmul.getLhs());
    rhsLoad = loadOf(matmul.getRhs());
    if (!lhsLoad || !rhsLoad || sumsPairsUnasked(matmul, lhsLoad, rhsLoad) ||
        !isAllowed())
      return std::nullopt;
    std::optional<TensorWindow> lhs = findMatrix(lhsLoad.getSource());
    std::optional<TensorWindow> rhs = findMatrix(rhsLoad.getSource());
    if (!lhs || !rhs)
      return std::nullopt;
    unsigned lhsInner = matmul.getTransposeLhs() ? 0 : 1;
    unsigned rhsInner = matmul.getTransposeRhs() ? 1 : 0;
    const WindowAxis &rows = lhs->axes[1 - lhsInner];
    const WindowAxis &columns = rhs->axes[1 - rhsInner];
    const WindowAxis &inner = lhs->axes[lhsInner];
    if (!inner.isLike(rhs->axes[rhsInner]) ||
        inner.loop.op != depth.getOperation() ||
        !areAllUsed(loops, rows.loop.op, columns.loop.op))
      return std::nullopt;
    MatmulLoops found = {root,           matmul,          last,
                         lhs->tensor,    rhs->tensor,     Value(),
                         rows.loop.op,   columns.loop.op, rows.extent,
                         columns.extent, inner.extent};
    if (depth && !findStart(found))
      return std::nullopt;
    if (store && (!findTarget(rows, columns, found) ||
                  !findEpilogue(rows, columns, found)))
      return std::nullopt;
    return found;
  }

  bool findEpilogue(const WindowAxis &rows, const WindowAxis &columns,
                    MatmulLoops &found) {
    TileLeaves leaves(*this, {&rows, &columns}, found.target);
    found.epilogue = EpilogueExpression::find(
        store.getTile(), {last->getResult(0), found.getStart()}, leaves);
    return found.epilogue.has_value();
  }

  bool findTarget(const WindowAxis &rows, const WindowAxis &columns,
                  MatmulLoops &found) {
    std::optional<TensorWindow> target = findMatrix(store.getTarget());
    if (!target || !rows.isLike(target->axes[0]) ||
        !columns.isLike(target->axes[1]) ||
        mayShareMemory(target->tensor, found.lhs) ||
        mayShareMemory(target->tensor, found.rhs))
      return false;
    found.target = target->tensor;
    return true;
  }

  /// How many rows or columns of a tile are multiplied.
  pl::Polynomial lengthOf(pl::ExtentTerms &terms, unsigned axis) {
    bool isTransposed =
        axis == 0 ? matmul.getTransposeLhs() : matmul.getTransposeRhs();
    Value operand = axis == 0 ? matmul.getLhs() : matmul.getRhs();
    return terms.ofExtent(operand, isTransposed ? 1 - axis : axis);
  }

  /// Accumulators have no element that the tile they start from has not; of
  /// those without an iteration of the inner loop they have all.
  bool findStart(MatmulLoops &found) {
    Value start = depth.getInitArgs().front();
    pl::ExtentProver prover(depth);
    pl::ExtentTerms &terms = prover.getTerms();
    bool hasIterations = found.inner.number.value_or(0) > 0;
    bool holdsAll = true;
    for (unsigned axis = 0; axis < 2; ++axis) {
      pl::Polynomial length = lengthOf(terms, axis);
      pl::Polynomial given = terms.ofExtent(start, axis);
      holdsAll &= prover.isAtMost(length, given);
      if (hasIterations || store || prover.isAtMost(given, length))
        continue;
      AxisLoop loop =
          AxisLoop::of(axis == 0 ? found.rowLoop : found.columnLoop);
      if (!loop || !prover.isAtMost(given, terms.of(loop.step)))
        return false;
      found.isStartLonger[axis] = true;
      // Accumulators in memory are whole steps then, of which it may be a part.
      holdsAll &= prover.isAtMost(terms.of(loop.step), given);
    }
    found.addsStart = !holdsAll || !isZeroTile(start);
    if (!store)
      return true;
    found.addsStart = !isZeroTile(start);
    return holdsAll;
  }

  /// The load of the operand, if what it read is still there when the loops
  /// start. It may stand before them, in a core region of its own.
  pl::LoadOp loadOf(Value operand) {
    operand = beforeWidening(operand);
    Operation *from = operand.getDefiningOp();
    auto region = dyn_cast_or_null<pl::AtOp>(from);
    if (region) {
      Operation *yield = region.getBody().front().getTerminator();
      operand = yield->getOperand(cast<OpResult>(operand).getResultNumber());
    }
    auto load = operand.getDefiningOp<pl::LoadOp>();
    if (!load || root->isProperAncestor(load))
      return load;
    Value memory = rootOfView(load.getSource());
    Operation *window = load.getSource().getDefiningOp();
    if ((region && (mayWrite(region, memory) ||
                    (window && region->isProperAncestor(window)))) ||
        mayBeWrittenBetween(from, root, memory))
      return {};
    return load;
  }

  /// True if each loop goes along rows or columns, and no other one does: that
  /// over the inner axis may go along a diagonal.
  static bool areAllUsed(ArrayRef<Operation *> loops, Operation *rowLoop,
                         Operation *columnLoop) {
    auto isAround = [&](Operation *loop) {
      return !loop || llvm::is_contained(loops, loop);
    };
    if (!isAround(rowLoop) || !isAround(columnLoop) ||
        (rowLoop && rowLoop == columnLoop))
      return false;
    return llvm::all_of(loops, [&](Operation *loop) {
      return loop == rowLoop || loop == columnLoop;
    });
  }

  /// True if the loops write no other memory and hand out nothing.
  bool doesNothingElse() { return doesNothingElse(root); }

  bool doesNothingElse(Operation *loop) {
    auto isOfNest = [&](Operation *op) {
      return llvm::any_of(nest,
                          [&](const AxisLoop &any) { return any.op == op; });
    };
    WalkResult walk = loop->walk([&](Operation *op) {
      bool isOurs = isOfNest(op) || isa<pl::AtOp, pl::SliceOp, pl::DimOp>(op) ||
                    isa<pl::LoadOp>(op) || op == store;
      bool isFree = op->hasTrait<OpTrait::IsTerminator>() ||
                    (op->getNumRegions() == 0 && isPure(op));
      return isOurs || isFree ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !walk.wasInterrupted();
  }

  /// True if nothing in the loops writes what they multiply, and the one over
  /// the inner axis, which goes, does nothing else.
  bool keepsOperands() {
    return !mayWrite(root, rootOfView(lhsLoad.getSource())) &&
           !mayWrite(root, rootOfView(rhsLoad.getSource())) &&
           (!depth || doesNothingElse(depth));
  }

  /// The matrix that all the loops share.
  std::optional<TensorWindow> findMatrix(Value view) {
    return findWindow(view, 2);
  }

  std::optional<TensorWindow> findWindow(Value view, size_t rank) {
    // A loop whose step is no number may have none that is positive.
    auto isIteration = [](const AxisLoop &loop, Value size) {
      return loop.isRest(size) ||
             (loop.isStep(size) && RowExtent::of(size).number);
    };
    std::optional<TensorWindow> found =
        TensorWindow::find(view, root, nest, isIteration);
    return found && found->axes.size() == rank ? found : std::nullopt;
  }

  pl::MatmulOp matmul;
  scf::ForOp depth;
  Operation *last = nullptr;
  pl::LoadOp lhsLoad, rhsLoad;
  pl::StoreOp store;
  Operation *root = nullptr;
  SmallVector<AxisLoop> nest;
};

} // namespace

std::optional<MatmulLoops> MatmulLoops::find(pl::MatmulOp matmul) {
  return MatmulSearch(matmul).find();
}

std::optional<MatmulLoops> MatmulLoops::findWithEpilogue(pl::MatmulOp matmul) {
  return MatmulSearch(matmul).findWithEpilogue();
}

Value MatmulLoops::getStart() const {
  return addsStart ? cast<scf::ForOp>(last).getInitArgs().front() : Value();
}
