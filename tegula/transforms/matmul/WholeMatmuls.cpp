// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/WholeMatmuls.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/transforms/matmul/EpilogueExpression.h"
#include "tegula/transforms/matmul/MatmulTypes.h"
#include "tegula/transforms/rows/RowExtents.h"
#include "tegula/transforms/tile/CutExpression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tegula;

static bool isInLoop(Region *region) {
  for (; region; region = region->getParentRegion())
    if (isa<LoopLikeOpInterface>(region->getParentOp()))
      return true;
  return false;
}

/// True if along that axis each iteration of a loop has a window of no more
/// than so many elements, somewhere else than in other iterations.
static bool isTileOfLoop(Value view, unsigned axis) {
  for (auto slice = view.getDefiningOp<pl::SliceOp>(); slice;
       slice = slice.getSource().getDefiningOp<pl::SliceOp>()) {
    axis = slice.getSourceAxis(axis);
    if (isInLoop(slice.getOffsets()[axis].getParentRegion()) &&
        pl::dimOfExtent(slice.getSizes()[axis]).hasBound())
      return true;
  }
  return false;
}

/// The load of an operand that is multiplied as it is; null if there is none.
static pl::LoadOp findLoad(Value operand) {
  auto withoutNames = [](Value tile) {
    while (
        isa_and_present<pl::RelaxOp, pl::WithExtentsOp>(tile.getDefiningOp()))
      tile = tile.getDefiningOp()->getOperand(0);
    return tile;
  };
  operand = withoutNames(beforeWidening(withoutNames(operand)));
  return operand.getDefiningOp<pl::LoadOp>();
}

namespace {

/// What is known of one tile that is stored.
class WholeMatmul {
public:
  WholeMatmul(pl::StoreOp store, const CutTiles &cut)
      : store(store), tile(store.getTile()), end(store), cut(cut) {}
  /// One that could be stored to memory of its own, right where it is made.
  WholeMatmul(Value tile, const CutTiles &cut)
      : tile(tile), end(tile.getDefiningOp()), cut(cut) {}

  /// The matmuls that it is computed from element by element.
  ArrayRef<pl::MatmulOp> findMatmuls() {
    findMatmuls(tile);
    return matmuls;
  }

  /// Whether one op can compute it.
  bool canBeOneOp() {
    return rankOf(tile) == 2 && isPlain(tile) && !findMatmuls().empty() &&
           llvm::all_of(matmuls,
                        [&](pl::MatmulOp matmul) { return isWhole(matmul); }) &&
           findExpression(matmuls.front(), /*isSure=*/false);
  }

  /// Makes the store one op. False if it is to be cut.
  bool makeOneOp() {
    Value target = store.getTarget();
    if (store->hasAttr(pl::atomicAttrName) || rankOf(target) != 2 ||
        isTileOfLoop(target, 0) || isTileOfLoop(target, 1) || !canBeOneOp())
      return false;
    pl::MatmulOp last = matmuls.front();
    for (pl::MatmulOp other : llvm::drop_begin(matmuls))
      putInMemory(other.getResult(), cut);
    emit(last, *findExpression(last, /*isSure=*/true));
    return true;
  }

  /// Gives a value memory of its own, which one op stores it to.
  static void putInMemory(Value value, const CutTiles &cut);

private:
  /// What an epilogue may read here: all that is loaded, and other matmuls,
  /// which go to memory.
  class Leaves : public EpilogueLeaves {
  public:
    Leaves(WholeMatmul &matmul, bool isSure) : matmul(matmul), isSure(isSure) {}

    Value findOperand(Value tile, const TargetAxes &axes) override {
      if (!isSure && tile.getDefiningOp<pl::MatmulOp>())
        return axes == TargetAxes{0, 1} ? tile : Value();
      auto load = tile.getDefiningOp<pl::LoadOp>();
      return load && matmul.isEpilogueOperand(load, axes) ? load.getSource()
                                                          : Value();
    }
    // What is stored says how long the target is.
    bool isLongEnough(Value, const TargetAxes &) override { return true; }
    bool isThere(Value) override { return true; }

  private:
    WholeMatmul &matmul;
    bool isSure;
  };

  std::optional<EpilogueExpression> findExpression(pl::MatmulOp matmul,
                                                   bool isSure) {
    Value acc = matmul.getAcc();
    Leaves leaves(*this, isSure);
    return EpilogueExpression::find(
        tile, {matmul.getResult(), acc && !isZeroTile(acc) ? acc : Value()},
        leaves);
  }

  /// Those that the tile is computed from element by element.
  void findMatmuls(Value tile) {
    Operation *op = tile.getDefiningOp();
    if (!op || !visited.insert(op).second)
      return;
    if (auto matmul = dyn_cast<pl::MatmulOp>(op)) {
      matmuls.push_back(matmul);
      // That of another one goes to memory with it.
      if (matmul.getAcc() && matmuls.size() == 1)
        findMatmuls(matmul.getAcc());
    } else if (isa<pl::ElementwiseOpInterface, pl::BroadcastOp, pl::RelaxOp,
                   pl::WithExtentsOp>(op)) {
      for (Value operand : op->getOperands())
        findMatmuls(operand);
    }
  }

  /// True if the load reads what is still there.
  bool isUnchanged(pl::LoadOp load) {
    return !load->hasAttr(pl::atomicAttrName) &&
           !mayBeWrittenBetween(load, end, rootOfView(load.getSource()));
  }

  /// Whether the tile is stored to memory that the view may be a window of.
  bool isStoredTo(Value view) {
    return store && mayShareMemory(view, store.getTarget());
  }

  /// Whole bytes.
  static bool isPlain(Value shaped) {
    return pl::getElementOrSelf(shaped.getType()).getIntOrFloatBitWidth() >= 8;
  }

  bool isWhole(pl::MatmulOp matmul) {
    if (matmul.getType().getRank() != 2)
      return false;
    auto isCut = [&](Value tile) { return cut.contains(tile); };
    if (!isCut(matmul.getResult()) &&
        !llvm::any_of(matmul->getOperands(), isCut))
      return false;
    pl::LoadOp lhs = findLoad(matmul.getLhs()), rhs = findLoad(matmul.getRhs());
    auto isOperand = [&](pl::LoadOp load, unsigned outer) {
      return load && isUnchanged(load) &&
             !isTileOfLoop(load.getSource(), outer) &&
             !isStoredTo(load.getSource());
    };
    return isOperand(lhs, matmul.getTransposeLhs() ? 1 : 0) &&
           isOperand(rhs, matmul.getTransposeRhs() ? 0 : 1) &&
           isMultipliedWhole(getSignlessElement(lhs), getSignlessElement(rhs),
                             getSignlessElement(matmul.getResult())) &&
           !sumsPairsUnasked(matmul, lhs, rhs);
  }

  bool isEpilogueOperand(pl::LoadOp load, const TargetAxes &axes) {
    Value view = load.getSource();
    ArrayRef<pl::Dim> dims = pl::getDims(view.getType());
    bool isTarget = store && view == store.getTarget();
    if (dims.empty() || dims.size() > 2 || !isPlain(view) ||
        !isUnchanged(load) || (!isTarget && isStoredTo(view)))
      return false;
    for (auto [axis, dim] : llvm::enumerate(dims)) {
      unsigned along = axis + 2 - dims.size();
      if (axes[axis] ? *axes[axis] != along : !dim.isExactly(1))
        return false;
    }
    return true;
  }

  void emit(pl::MatmulOp matmul, EpilogueExpression expression);

  /// The view, no longer along an axis than the target is along another.
  Value fit(OpBuilder &builder, Value view, unsigned axis, Value target,
            unsigned along) {
    if (pl::areEqualExtents(view, axis, target, along, store))
      return view;
    return cutAxis(builder, view, axis,
                   pl::buildExtent(builder, store.getLoc(), target, along));
  }

  Value cutAxis(OpBuilder &builder, Value view, unsigned axis, Value size) {
    Location loc = store.getLoc();
    unsigned rank = rankOf(view);
    SmallVector<Value> sizes,
        zeros(rank, arith::ConstantIndexOp::create(builder, loc, 0));
    for (unsigned other = 0; other < rank; ++other)
      sizes.push_back(
          other == axis ? size : pl::buildExtent(builder, loc, view, other));
    return pl::SliceOp::create(builder, loc, view, zeros, sizes);
  }

  /// Null as long as there is none.
  pl::StoreOp store;
  Value tile;
  /// What is loaded has to be there still when this runs.
  Operation *end;
  const CutTiles &cut;
  llvm::SmallPtrSet<Operation *, 16> visited;
  SmallVector<pl::MatmulOp> matmuls;
};

} // namespace

void WholeMatmul::putInMemory(Value value, const CutTiles &cut) {
  Value memory = toMemory(value).getDefiningOp<pl::LoadOp>().getSource();
  for (Operation *user : llvm::make_early_inc_range(memory.getUsers()))
    if (auto stored = dyn_cast<pl::StoreOp>(user))
      WholeMatmul(stored, cut).makeOneOp();
}

void WholeMatmul::emit(pl::MatmulOp matmul, EpilogueExpression expression) {
  OpBuilder builder(store);
  Value target = store.getTarget();
  for (unsigned axis : {0, 1})
    target = fit(builder, target, axis, tile, axis);
  Value lhs = findLoad(matmul.getLhs()).getSource();
  Value rhs = findLoad(matmul.getRhs()).getSource();
  unsigned lhsInner = matmul.getTransposeLhs() ? 0 : 1;
  unsigned rhsInner = matmul.getTransposeRhs() ? 1 : 0;
  lhs = fit(builder, lhs, 1 - lhsInner, target, 0);
  rhs = fit(builder, rhs, 1 - rhsInner, target, 1);
  if (!pl::areEqualExtents(lhs, lhsInner, rhs, rhsInner, store)) {
    lhs = fit(builder, lhs, lhsInner, rhs, rhsInner);
    rhs = fit(builder, rhs, rhsInner, lhs, lhsInner);
  }
  SmallVector<Value> operands;
  for (Value operand : expression.getOperands()) {
    // The target itself is as long as it is.
    Value fitting = operand == store.getTarget() ? target : operand;
    unsigned added = 2 - rankOf(operand);
    for (auto [axis, dim] : llvm::enumerate(pl::getDims(operand.getType())))
      if (!dim.isExactly(1))
        fitting = fit(builder, fitting, axis, target, axis + added);
    operands.push_back(fitting);
  }
  expression.setOperands(operands);
  expression.emit(builder, matmul, lhs, rhs, target);
  store.erase();
}

/// What several stores are computed from is computed once.
static bool putSharedInMemory(func::FuncOp function, const CutTiles &cut) {
  llvm::MapVector<Value, unsigned> numStores;
  function.walk([&](pl::StoreOp store) {
    WholeMatmul whole(store, cut);
    for (pl::MatmulOp matmul : whole.findMatmuls())
      ++numStores[matmul.getResult()];
  });
  bool isChanged = false;
  for (auto [result, count] : numStores)
    if (count > 1 && cut.contains(result)) {
      toMemory(result);
      isChanged = true;
    }
  return isChanged;
}

namespace {

/// Who reads tiles. What stores were computed from before they became one op
/// is still there, and reads nothing.
class Readers {
public:
  /// The only op that reads the value; null if there are several, or none.
  Operation *findOnly(Value value) {
    SmallVector<Operation *> found;
    for (Operation *user : value.getUsers())
      if (isReader(user) && !llvm::is_contained(found, user))
        found.push_back(user);
    return found.size() == 1 ? found.front() : nullptr;
  }

  bool isRead(Value value) {
    auto [known, isFirst] = answers.try_emplace(value, false);
    if (!isFirst)
      return known->second;
    bool answer = llvm::any_of(value.getUsers(),
                               [&](Operation *user) { return isReader(user); });
    return answers[value] = answer;
  }

private:
  bool isReader(Operation *op) {
    if (isa<pl::DimOp>(op))
      return false;
    return op->hasTrait<OpTrait::IsTerminator>() || !isPure(op) ||
           llvm::any_of(op->getResults(),
                        [&](Value result) { return isRead(result); });
  }

  DenseMap<Value, bool> answers;
};

} // namespace

/// As much of what is computed from a matmul element by element as one op can
/// compute; null if it cannot compute the matmul either, or if a store that is
/// to be cut takes all of it.
static Value findStorable(pl::MatmulOp matmul, Readers &readers,
                          const CutTiles &cut) {
  Value found, value = matmul.getResult();
  for (;;) {
    if (WholeMatmul(value, cut).canBeOneOp())
      found = value;
    Operation *reader = readers.findOnly(value);
    if (isa_and_present<pl::StoreOp>(reader) && found == value)
      return {};
    if (!isa_and_present<pl::ElementwiseOpInterface, pl::RelaxOp,
                         pl::WithExtentsOp>(reader) ||
        reader->getBlock() != matmul->getBlock())
      return found;
    value = reader->getResult(0);
  }
}

/// What is reduced or moved is stored by one op, and read by whatever is cut.
static bool putOthersInMemory(func::FuncOp function, const CutTiles &cut) {
  Readers readers;
  llvm::SetVector<Value> values;
  function.walk([&](pl::MatmulOp matmul) {
    if (readers.isRead(matmul.getResult()))
      if (Value value = findStorable(matmul, readers, cut))
        values.insert(value);
  });
  for (Value value : values)
    // It may be in memory with another by now.
    if (Readers().isRead(value))
      WholeMatmul::putInMemory(value, cut);
  return !values.empty();
}

bool tegula::keepMatmulsWhole(func::FuncOp function, const CutTiles &cut) {
  bool isChanged = putSharedInMemory(function, cut);
  SmallVector<pl::StoreOp> stores;
  function.walk([&](pl::StoreOp store) { stores.push_back(store); });
  for (pl::StoreOp store : stores)
    isChanged |= WholeMatmul(store, cut).makeOneOp();
  return putOthersInMemory(function, cut) || isChanged;
}
