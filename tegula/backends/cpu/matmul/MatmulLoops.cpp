// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/MatmulLoops.h"

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/backends/cpu/matmul/MatmulVariant.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/AtomicAttribute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

namespace {

/// A loop over tiles of one axis, in steps of their size.
struct AxisLoop {
  Operation *op = nullptr;
  Value variable, lower, upper, step;

  static AxisLoop of(Operation *op) {
    if (auto loop = dyn_cast_or_null<scf::ForOp>(op))
      return {op, loop.getInductionVar(), loop.getLowerBound(),
              loop.getUpperBound(), loop.getStep()};
    auto loop = dyn_cast_or_null<pl::ParallelOp>(op);
    if (loop && loop.getKind() == pl::LoopKind::AnyOrder)
      return {op, loop.getInductionVar(), loop.getLower(), loop.getUpper(),
              loop.getStep()};
    return {};
  }
};

/// The axis of a matrix that a tile takes a part of.
struct TileAxis {
  Value extent;
  /// The loop that walks it; null if the tile has all of it.
  Operation *loop = nullptr;
};

/// A matrix and what a tile takes of it.
struct TileOfMatrix {
  Value matrix;
  TileAxis axes[2];
};

/// Follows one matmul from its sum outwards.
class MatmulLoopsSearch {
public:
  explicit MatmulLoopsSearch(pl::MatmulOp matmul) : matmul(matmul) {}

  std::optional<MatmulLoops> find() {
    if (!findSum() || !startsFromZero() || !findStore())
      return std::nullopt;
    return matchOutwards(/*mayCarry=*/false, [&] { return doesNothingElse(); });
  }

  std::optional<MatmulLoops> findPart() {
    if (!findSum())
      return std::nullopt;
    return matchOutwards(/*mayCarry=*/true, [&] { return keepsOperands(); });
  }

private:
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
  bool findSum() {
    Value sum = matmul.getResult();
    last = matmul;
    if (!matmul.getAcc())
      return true;
    auto carried = dyn_cast<BlockArgument>(matmul.getAcc());
    depth = carried ? dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp())
                    : scf::ForOp();
    if (!depth || depth.getNumResults() != 1 || !carried.hasOneUse() ||
        carried == depth.getInductionVar() || !sum.hasOneUse() ||
        depth.getYieldedValues().front() != sum)
      return false;
    last = depth;
    return true;
  }

  bool startsFromZero() {
    return !depth || isZero(depth.getInitArgs().front());
  }

  /// The store that is all that is done with the sum.
  bool findStore() {
    Value sum = last->getResult(0);
    if (!sum.hasOneUse())
      return false;
    store = dyn_cast<pl::StoreOp>(*sum.getUsers().begin());
    return store && !store->hasAttr(pl::atomicAttrName) &&
           store->getBlock() == last->getBlock();
  }

  static bool isZero(Value tile) {
    while (auto relax = tile.getDefiningOp<pl::RelaxOp>())
      tile = relax.getSource();
    auto full = tile.getDefiningOp<pl::FullOp>();
    return full && (matchPattern(full.getValue(), m_AnyZeroFloat()) ||
                    matchPattern(full.getValue(), m_Zero()));
  }

  /// At most two loops, the inner one first.
  static SmallVector<Operation *> loopsAround(Operation *op, bool mayCarry) {
    SmallVector<Operation *> loops;
    for (Operation *parent = op->getParentOp(); parent && loops.size() < 2;
         parent = parent->getParentOp()) {
      if (isa<pl::AtOp>(parent))
        continue;
      if (!AxisLoop::of(parent).op ||
          (parent->getNumResults() != 0 && !mayCarry))
        break;
      loops.push_back(parent);
    }
    return loops;
  }

  std::optional<MatmulLoops> match(ArrayRef<Operation *> loops,
                                   function_ref<bool()> isAllowed) {
    root = loops.back();
    nest.assign(loops.begin(), loops.end());
    if (depth)
      nest.push_back(depth);
    lhsLoad = loadOf(matmul.getLhs());
    rhsLoad = loadOf(matmul.getRhs());
    if (!lhsLoad || !rhsLoad || sumsPairsUnasked() || !isAllowed())
      return std::nullopt;
    std::optional<TileOfMatrix> lhs = tileOf(lhsLoad.getSource());
    std::optional<TileOfMatrix> rhs = tileOf(rhsLoad.getSource());
    if (!lhs || !rhs)
      return std::nullopt;
    unsigned leftInner = matmul.getTransposeLhs() ? 0 : 1;
    unsigned rightInner = matmul.getTransposeRhs() ? 1 : 0;
    const TileAxis &rows = lhs->axes[1 - leftInner];
    const TileAxis &columns = rhs->axes[1 - rightInner];
    const TileAxis &inner = lhs->axes[leftInner];
    if (!agree(inner, rhs->axes[rightInner]) ||
        inner.loop != depth.getOperation() ||
        !areAllUsed(loops, rows.loop, columns.loop))
      return std::nullopt;
    MatmulLoops found = {root,        matmul,         last,        lhs->matrix,
                         rhs->matrix, Value(),        rows.loop,   columns.loop,
                         rows.extent, columns.extent, inner.extent};
    if (depth && !findStart(found))
      return std::nullopt;
    if (!store)
      return found;
    std::optional<TileOfMatrix> target = tileOf(store.getTarget());
    if (!target || !agree(rows, target->axes[0]) ||
        !agree(columns, target->axes[1]) ||
        mayShareMemory(target->matrix, lhs->matrix) ||
        mayShareMemory(target->matrix, rhs->matrix))
      return std::nullopt;
    found.target = target->matrix;
    return found;
  }

  /// Sums have no element that the tile they start from has not; of those
  /// without an iteration of the inner loop they have all.
  bool findStart(MatmulLoops &found) {
    Value start = depth.getInitArgs().front();
    pl::ExtentProver prover(depth);
    pl::ExtentTerms &terms = prover.getTerms();
    APInt steps;
    bool hasIterations = matchPattern(found.inner, m_ConstantInt(&steps)) &&
                         steps.isStrictlyPositive();
    bool holdsAll = true;
    for (unsigned axis = 0; axis < 2; ++axis) {
      bool isTransposed =
          axis == 0 ? matmul.getTransposeLhs() : matmul.getTransposeRhs();
      Value operand = axis == 0 ? matmul.getLhs() : matmul.getRhs();
      pl::Polynomial length =
          terms.ofExtent(operand, isTransposed ? 1 - axis : axis);
      pl::Polynomial given = terms.ofExtent(start, axis);
      holdsAll &= prover.isAtMost(length, given);
      if (hasIterations || store || prover.isAtMost(given, length))
        continue;
      AxisLoop loop =
          AxisLoop::of(axis == 0 ? found.rowLoop : found.columnLoop);
      if (!loop.op || !prover.isAtMost(given, terms.of(loop.step)))
        return false;
      found.isStartLonger[axis] = true;
      // Sums in memory are whole steps then, of which it may be a part.
      holdsAll &= prover.isAtMost(terms.of(loop.step), given);
    }
    found.addsStart = !holdsAll || !isZero(start);
    // What is stored is a matmul and nothing else.
    return !store || !found.addsStart;
  }

  /// The tile whose elements are widened before they are multiplied, if that is
  /// all that is done with them: matmuls do so themselves.
  static Value beforeWidening(Value operand) {
    auto cast = operand.getDefiningOp<pl::CastOp>();
    auto elementOf = [](Value tile) {
      return signlessType(pl::getElementOrSelf(tile.getType()));
    };
    return cast && isWidenedExactly(elementOf(cast.getOperand()),
                                    elementOf(operand))
               ? cast.getOperand()
               : operand;
  }

  /// True if an instruction for pairs of BF16, which rounds in its own way,
  /// would multiply what was widened before.
  bool sumsPairsUnasked() {
    auto isHalf = [](Value shaped) {
      return pl::getElementOrSelf(shaped.getType()).isBF16();
    };
    return isHalf(lhsLoad) && isHalf(rhsLoad) &&
           !(isHalf(matmul.getLhs()) && isHalf(matmul.getRhs()));
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

  /// True if each loop walks rows or columns, and no other one does: that over
  /// the inner axis may walk a diagonal.
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

  static bool isSame(Value extent, Value other) {
    APInt number, second;
    return extent == other ||
           (matchPattern(extent, m_ConstantInt(&number)) &&
            matchPattern(other, m_ConstantInt(&second)) && number == second);
  }

  static bool agree(const TileAxis &axis, const TileAxis &other) {
    return axis.loop == other.loop && isSame(axis.extent, other.extent);
  }

  /// True if the loops touch no other memory and hand out nothing.
  bool doesNothingElse() { return doesNothingElse(root); }

  bool doesNothingElse(Operation *loop) {
    WalkResult walk = loop->walk([&](Operation *op) {
      bool isOurs = llvm::is_contained(nest, op) ||
                    isa<pl::AtOp, pl::SliceOp, pl::DimOp>(op) ||
                    op == lhsLoad || op == rhsLoad || op == store;
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

  /// Windows within windows down to a matrix that all the loops share.
  std::optional<TileOfMatrix> tileOf(Value window) {
    SmallVector<pl::SliceOp> slices;
    Value matrix = window;
    while (auto slice = matrix.getDefiningOp<pl::SliceOp>()) {
      if (!root->isProperAncestor(slice))
        break;
      if (!slice.getDrop().empty())
        return std::nullopt;
      slices.push_back(slice);
      matrix = slice.getSource();
    }
    Operation *maker = matrix.getDefiningOp();
    if (pl::getDims(matrix.getType()).size() != 2 ||
        (maker && root->isProperAncestor(maker)))
      return std::nullopt;
    TileOfMatrix tile{matrix, {}};
    OpBuilder builder(root);
    for (unsigned axis = 0; axis < 2; ++axis) {
      tile.axes[axis].extent = extentOf(builder, matrix, axis);
      if (!findLoop(slices, axis, tile.axes[axis]))
        return std::nullopt;
    }
    return tile;
  }

  /// The extent along the axis: one value for all matrices that are known to
  /// have the same.
  Value extentOf(OpBuilder &builder, Value matrix, unsigned axis) {
    if (auto made = matrix.getDefiningOp<pl::CreateTensorOp>())
      return made.getSizes()[axis];
    if (auto slice = matrix.getDefiningOp<pl::SliceOp>()) {
      unsigned from = slice.getSourceAxis(axis);
      Value size = slice.getSizes()[from];
      if (matchPattern(slice.getOffsets()[from], m_Zero()) &&
          isSame(size, extentOf(builder, slice.getSource(), from)))
        return size;
    }
    return pl::buildExtent(builder, root->getLoc(), matrix, axis);
  }

  /// The loop that walks the axis from end to end. Windows lie in each other,
  /// the innermost first: those around the one that moves have all of the axis,
  /// and those in it all of that one.
  bool findLoop(ArrayRef<pl::SliceOp> slices, unsigned axis, TileAxis &found) {
    AxisLoop loop;
    for (pl::SliceOp slice : llvm::reverse(slices)) {
      Value offset = slice.getOffsets()[axis], size = slice.getSizes()[axis];
      if (matchPattern(offset, m_Zero())) {
        bool isWhole =
            reaches(size, found.extent) ||
            (loop.op && (reaches(size, loop.step) || isRestOfLoop(size, loop)));
        if (!isWhole)
          return false;
        continue;
      }
      auto traverses = [&](Operation *op) {
        return AxisLoop::of(op).variable == offset;
      };
      auto traversed = llvm::find_if(nest, traverses);
      if (loop.op || traversed == nest.end())
        return false;
      loop = AxisLoop::of(*traversed);
      if (!matchPattern(loop.lower, m_Zero()) ||
          !isSame(loop.upper, found.extent) || !isOneStep(size, loop))
        return false;
    }
    found.loop = loop.op;
    return true;
  }

  /// True if a size is known to be no less than a length.
  static bool reaches(Value size, Value length) {
    APInt number, bound;
    return isSame(size, length) ||
           (matchPattern(size, m_ConstantInt(&number)) &&
            matchPattern(length, m_ConstantInt(&bound)) && number.sge(bound));
  }

  /// True if a window of that size, which ends at the end of the axis, has
  /// what one iteration of the loop goes on by.
  static bool isOneStep(Value size, const AxisLoop &loop) {
    APInt number;
    return (isSame(size, loop.step) &&
            matchPattern(size, m_ConstantInt(&number))) ||
           isRestOfLoop(size, loop);
  }

  /// min(upper - variable, step), or the same with 0 at least.
  static bool isRestOfLoop(Value size, const AxisLoop &loop) {
    if (auto max = size.getDefiningOp<arith::MaxSIOp>())
      if (matchPattern(max.getRhs(), m_Zero()))
        size = max.getLhs();
    auto min = size.getDefiningOp<arith::MinSIOp>();
    if (!min || !isSame(min.getRhs(), loop.step))
      return false;
    auto rest = min.getLhs().getDefiningOp<arith::SubIOp>();
    return rest && isSame(rest.getLhs(), loop.upper) &&
           rest.getRhs() == loop.variable;
  }

  pl::MatmulOp matmul;
  scf::ForOp depth;
  Operation *last = nullptr;
  pl::LoadOp lhsLoad, rhsLoad;
  pl::StoreOp store;
  Operation *root = nullptr;
  SmallVector<Operation *> nest;
};

} // namespace

std::optional<MatmulLoops> MatmulLoops::find(pl::MatmulOp matmul) {
  return MatmulLoopsSearch(matmul).find();
}

std::optional<MatmulLoops> MatmulLoops::findPart(pl::MatmulOp matmul) {
  return MatmulLoopsSearch(matmul).findPart();
}

Value MatmulLoops::getStart() const {
  return addsStart ? cast<scf::ForOp>(last).getInitArgs().front() : Value();
}
