// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/MatmulLoops.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/transforms/matmul/AccumulatorLoop.h"
#include "tegula/transforms/matmul/MatmulTypes.h"
#include "tegula/transforms/matmul/TensorWindow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Follows one matmul from its accumulator outwards, and keeps in mind what it
/// met first that is none of whole matrices.
class MatmulSearch {
public:
  explicit MatmulSearch(pl::MatmulOp matmul) : matmul(matmul) {}

  std::optional<MatmulLoops> find() {
    findAccumulator();
    return matchOutwards(/*mayCarry=*/false,
                         [&] { return findStore() && doesNothingElse(); });
  }

  std::optional<MatmulLoops> findWithEpilogue() {
    findAccumulator();
    return matchOutwards(/*mayCarry=*/true, [&] { return keepsOperands(); });
  }

  std::optional<MatmulLoops> findAny() {
    findAccumulator();
    auto isAllowed = [&] { return keepsOperands(); };
    return loopsAround(last, /*mayCarry=*/true).empty()
               ? match({}, isAllowed)
               : matchOutwards(/*mayCarry=*/false, isAllowed);
  }

  /// Why nothing was found.
  const char *getReason() const {
    return reason ? reason
                  : "the loop carries more than the accumulator of a matmul";
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
  void findAccumulator() {
    last = matmul;
    start = matmul.getAcc();
    auto loop = dyn_cast<scf::ForOp>(matmul->getParentOp());
    accumulator = loop ? AccumulatorLoop::find(loop) : std::nullopt;
    if (!accumulator || accumulator->matmul != matmul ||
        !matmul.getResult().hasOneUse())
      return;
    depth = loop;
    last = depth;
    start = depth.getInitArgs().front();
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
    root = loops.empty() ? last : loops.back();
    nest.clear();
    for (Operation *loop : loops)
      nest.push_back(AxisLoop::of(loop));
    if (depth)
      nest.push_back(AxisLoop::of(depth));
    if (!findLoads() || !isAllowed())
      return std::nullopt;
    std::optional<TensorWindow> lhs = findMatrix(lhsLoad.getSource());
    std::optional<TensorWindow> rhs = findMatrix(rhsLoad.getSource());
    unsigned lhsInner = matmul.getTransposeLhs() ? 0 : 1;
    unsigned rhsInner = matmul.getTransposeRhs() ? 1 : 0;
    if (!lhs || !rhs || !lhs->axes[lhsInner].isLike(rhs->axes[rhsInner]) ||
        lhs->axes[lhsInner].loop.op != depth.getOperation() ||
        !areAllUsed(loops, lhs->axes[1 - lhsInner].loop.op,
                    rhs->axes[1 - rhsInner].loop.op)) {
      reject(explainWindows());
      return std::nullopt;
    }
    const WindowAxis &rows = lhs->axes[1 - lhsInner];
    const WindowAxis &columns = rhs->axes[1 - rhsInner];
    MatmulLoops found = {root,
                         matmul,
                         last,
                         lhs->tensor,
                         rhs->tensor,
                         Value(),
                         rows.loop.op,
                         columns.loop.op,
                         rows.extent,
                         columns.extent,
                         lhs->axes[lhsInner].extent};
    if (!findCarried(found))
      return std::nullopt;
    if (store && (!findTarget(rows, columns, found) ||
                  !findEpilogue(rows, columns, found)))
      return std::nullopt;
    return found;
  }

  /// Keeps the first reason, and is false.
  bool reject(const char *why) {
    if (!reason)
      reason = why;
    return false;
  }

  bool findLoads() {
    lhsLoad = loadOf(matmul.getLhs());
    rhsLoad = loadOf(matmul.getRhs());
    return (lhsLoad && rhsLoad && rankOf(lhsLoad) == 2 &&
            rankOf(rhsLoad) == 2 &&
            !sumsPairsUnasked(matmul, lhsLoad, rhsLoad)) ||
           reject("an operand is not a whole parameter with two axes, nor the "
                  "loops' windows of one: compute it in a kernel before");
  }

  /// Why windows are not those of whole matrices.
  const char *explainWindows() {
    if (depth && !isZero(depth.getLowerBound()))
      return "the loop does not begin at 0";
    bool goesOn = llvm::any_of(last->getUsers(), [](Operation *user) {
      auto loop = dyn_cast<scf::ForOp>(user);
      return loop && AccumulatorLoop::isLikely(loop);
    });
    if (goesOn)
      return "the accumulator starts before the loop that goes on with it: let "
             "the "
             "loop begin at 0";
    return "an operand is another window of a tensor than those of loops "
           "that go through all of it from 0 on";
  }

  /// What the accumulator begins with, and what the loop over the inner axis
  /// makes of it besides.
  bool findCarried(MatmulLoops &found) {
    if (depth && !findScalars(depth))
      return reject("the loop carries more than the accumulator of a matmul");
    return ((!start || findStart(found)) && (!depth || staysWhole())) ||
           reject("the accumulator becomes shorter in the loop");
  }

  bool findEpilogue(const WindowAxis &rows, const WindowAxis &columns,
                    MatmulLoops &found) {
    TileLeaves leaves(*this, {&rows, &columns}, found.target);
    found.epilogue = EpilogueExpression::find(
        store.getTile(), {last->getResult(0), found.start}, leaves);
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
    pl::ExtentProver prover(last);
    pl::ExtentTerms &terms = prover.getTerms();
    bool hasIterations = !depth || found.inner.number.value_or(0) > 0;
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
    if (!isZeroTile(start) || (!store && !holdsAll))
      found.start = start;
    return holdsAll || !store;
  }

  /// A scalar that the loop carries, and the axis that it is long enough for.
  using CarriedExtent = std::pair<Value, unsigned>;

  /// Whether the number is no less than what is multiplied has there.
  bool reaches(pl::ExtentProver &prover, Value number, unsigned axis,
               const llvm::SmallDenseSet<CarriedExtent> &carried) {
    if (carried.contains({number, axis}))
      return true;
    if (auto least = number.getDefiningOp<arith::MinSIOp>())
      return reaches(prover, least.getLhs(), axis, carried) &&
             reaches(prover, least.getRhs(), axis, carried);
    pl::ExtentTerms &terms = prover.getTerms();
    return prover.isAtMost(lengthOf(terms, axis), terms.of(number));
  }

  /// True if in no iteration the loop says that the accumulator is shorter than
  /// what is multiplied.
  bool staysWhole() {
    pl::ExtentProver prover(depth.getBody());
    llvm::SmallDenseSet<CarriedExtent> carried;
    for (unsigned i = 1; i < depth.getNumResults(); ++i)
      for (unsigned axis : {0, 1})
        if (reaches(prover, depth.getInitArgs()[i], axis, carried))
          carried.insert({depth.getRegionIterArg(i), axis});
    // What an iteration leaves is as long if what it got was.
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (unsigned i = 1; i < depth.getNumResults(); ++i)
        for (unsigned axis : {0, 1})
          if (CarriedExtent number{depth.getRegionIterArg(i), axis};
              carried.contains(number) &&
              !reaches(prover, depth.getYieldedValues()[i], axis, carried))
            isChanged = carried.erase(number);
    }
    return llvm::all_of(accumulator->sized, [&](pl::WithExtentsOp sized) {
      return llvm::all_of(llvm::enumerate(sized.getExtents()), [&](auto given) {
        return reaches(prover, given.value(), given.index(), carried);
      });
    });
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
    if (depth && !doesNothingElse(depth))
      return reject("the loop carries more than the accumulator of a matmul");
    return (!mayWrite(root, rootOfView(lhsLoad.getSource())) &&
            !mayWrite(root, rootOfView(rhsLoad.getSource()))) ||
           reject("an operand is written");
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
  std::optional<AccumulatorLoop> accumulator;
  /// What the accumulator begins with, or null.
  Value start;
  Operation *last = nullptr;
  pl::LoadOp lhsLoad, rhsLoad;
  pl::StoreOp store;
  Operation *root = nullptr;
  SmallVector<AxisLoop> nest;
  const char *reason = nullptr;
};

} // namespace

std::optional<MatmulLoops> MatmulLoops::find(pl::MatmulOp matmul) {
  return MatmulSearch(matmul).find();
}

std::optional<MatmulLoops> MatmulLoops::findWithEpilogue(pl::MatmulOp matmul) {
  return MatmulSearch(matmul).findWithEpilogue();
}

std::optional<MatmulLoops> MatmulLoops::findAny(pl::MatmulOp matmul) {
  return MatmulSearch(matmul).findAny();
}

const char *MatmulLoops::explain(pl::MatmulOp matmul) {
  MatmulSearch search(matmul);
  search.findAny();
  return search.getReason();
}
