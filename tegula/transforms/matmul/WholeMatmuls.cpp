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
#include "llvm/ADT/MapVector.h"

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

/// What is known of one store.
class WholeMatmul {
public:
  WholeMatmul(pl::StoreOp store, const CutTiles &cut)
      : store(store), cut(cut) {}

  /// The matmuls that it is computed from element by element.
  ArrayRef<pl::MatmulOp> findMatmuls() {
    findMatmuls(store.getTile());
    return matmuls;
  }

  /// Makes it one op. False if it is to be cut.
  bool makeOneOp() {
    if (store->hasAttr(pl::atomicAttrName) || rankOf(store.getTarget()) != 2 ||
        isTileOfLoop(store.getTarget(), 0) ||
        isTileOfLoop(store.getTarget(), 1) || !isPlain(store.getTarget()))
      return false;
    if (findMatmuls().empty() ||
        !llvm::all_of(matmuls,
                      [&](pl::MatmulOp matmul) { return isWhole(matmul); }))
      return false;
    pl::MatmulOp last = matmuls.front();
    if (!findExpression(last, /*isSure=*/false))
      return false;
    for (pl::MatmulOp other : llvm::drop_begin(matmuls))
      putInMemory(other);
    emit(last, *findExpression(last, /*isSure=*/true));
    return true;
  }

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
        store.getTile(),
        {matmul.getResult(), acc && !isZeroTile(acc) ? acc : Value()}, leaves);
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
           !mayBeWrittenBetween(load, store, rootOfView(load.getSource()));
  }

  /// Whole bytes.
  static bool isPlain(Value tensor) {
    return pl::getElementOrSelf(tensor.getType()).getIntOrFloatBitWidth() >= 8;
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
             !mayShareMemory(load.getSource(), store.getTarget());
    };
    return isOperand(lhs, matmul.getTransposeLhs() ? 1 : 0) &&
           isOperand(rhs, matmul.getTransposeRhs() ? 0 : 1) &&
           isMultipliedWhole(getSignlessElement(lhs), getSignlessElement(rhs),
                             getSignlessElement(matmul.getResult())) &&
           !sumsPairsUnasked(matmul, lhs, rhs);
  }

  bool isEpilogueOperand(pl::LoadOp load, const TargetAxes &axes) {
    Value view = load.getSource(), target = store.getTarget();
    ArrayRef<pl::Dim> dims = pl::getDims(view.getType());
    if (dims.empty() || dims.size() > 2 || !isPlain(view) ||
        !isUnchanged(load) || (view != target && mayShareMemory(view, target)))
      return false;
    for (auto [axis, dim] : llvm::enumerate(dims)) {
      unsigned along = axis + 2 - dims.size();
      if (axes[axis] ? *axes[axis] != along : !dim.isExactly(1))
        return false;
    }
    return true;
  }

  void putInMemory(pl::MatmulOp matmul);
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

  pl::StoreOp store;
  const CutTiles &cut;
  llvm::SmallPtrSet<Operation *, 16> visited;
  SmallVector<pl::MatmulOp> matmuls;
};

} // namespace

/// Its store is one op as well.
void WholeMatmul::putInMemory(pl::MatmulOp matmul) {
  Value memory =
      toMemory(matmul.getResult()).getDefiningOp<pl::LoadOp>().getSource();
  for (Operation *user : llvm::make_early_inc_range(memory.getUsers()))
    if (auto stored = dyn_cast<pl::StoreOp>(user))
      WholeMatmul(stored, cut).makeOneOp();
}

void WholeMatmul::emit(pl::MatmulOp matmul, EpilogueExpression expression) {
  OpBuilder builder(store);
  Value tile = store.getTile(), target = store.getTarget();
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

bool tegula::keepMatmulsWhole(func::FuncOp function, const CutTiles &cut) {
  bool isChanged = putSharedInMemory(function, cut);
  SmallVector<pl::StoreOp> stores;
  function.walk([&](pl::StoreOp store) { stores.push_back(store); });
  for (pl::StoreOp store : stores)
    isChanged |= WholeMatmul(store, cut).makeOneOp();
  return isChanged;
}
