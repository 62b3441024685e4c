// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/AccumulatorLoop.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tegula;

static Value strip(Value tile) {
  while (auto relax = tile.getDefiningOp<pl::RelaxOp>())
    tile = relax.getSource();
  return tile;
}

std::optional<MatmulSum> MatmulSum::find(Value tile) {
  if (auto matmul = tile.getDefiningOp<pl::MatmulOp>())
    return MatmulSum{matmul, matmul.getAcc(), {}};
  auto add = tile.getDefiningOp<pl::AddOp>();
  if (!add)
    return std::nullopt;
  for (unsigned i : {0, 1})
    if (auto matmul = strip(add->getOperand(i)).getDefiningOp<pl::MatmulOp>();
        matmul && !matmul.getAcc() && matmul->hasOneUse())
      return MatmulSum{matmul, add->getOperand(1 - i), add};
  return std::nullopt;
}

bool AccumulatorLoop::isLikely(scf::ForOp loop) {
  return loop.getNumResults() > 0 &&
         MatmulSum::find(loop.getYieldedValues()[0]);
}

std::optional<AccumulatorLoop> AccumulatorLoop::find(scf::ForOp loop) {
  if (loop.getNumResults() == 0)
    return std::nullopt;
  std::optional<MatmulSum> sum = MatmulSum::find(loop.getYieldedValues()[0]);
  if (!sum || sum->matmul->getParentOp() != loop)
    return std::nullopt;
  AccumulatorLoop found{sum->matmul, !sum->add, {}};
  Value before = sum->addend;
  while (before && before.hasOneUse()) {
    auto sized = before.getDefiningOp<pl::WithExtentsOp>();
    if (!sized)
      break;
    found.sized.push_back(sized);
    before = sized.getSource();
  }
  if (before != loop.getRegionIterArg(0) || !before.hasOneUse())
    return std::nullopt;
  for (Value result : llvm::drop_begin(loop.getResults()))
    if (!result.getType().isIndex())
      return std::nullopt;
  return found;
}

bool tegula::isOnlyOperand(Operation *op) {
  if (!isa<pl::SliceOp, pl::LoadOp>(op) || op->use_empty())
    return false;
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    if (isa<pl::MatmulOp>(use.getOwner()))
      return use.getOperandNumber() < 2;
    return isa<pl::LoadOp>(use.getOwner()) && isOnlyOperand(use.getOwner());
  });
}

Operation *tegula::findSecondMatmul(scf::ForOp loop) {
  if (loop.getNumResults() == 0)
    return nullptr;
  SmallVector<Operation *> found;
  loop.walk([&](pl::MatmulOp matmul) { found.push_back(matmul); });
  return found.size() > 1 ? found[1] : nullptr;
}

std::optional<SmallVector<Operation *>> tegula::findScalars(scf::ForOp loop) {
  SmallVector<Value> open(llvm::drop_begin(loop.getYieldedValues()));
  llvm::SmallPtrSet<Operation *, 8> found;
  while (!open.empty()) {
    Value number = open.pop_back_val();
    if (!isa<IndexType, IntegerType, FloatType>(number.getType()))
      return std::nullopt;
    Operation *op = number.getDefiningOp();
    if (!op || !loop->isProperAncestor(op) || !found.insert(op).second)
      continue;
    if (op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
        !isPure(op))
      return std::nullopt;
    llvm::append_range(open, op->getOperands());
  }
  SmallVector<Operation *> inOrder;
  for (Operation &op : *loop.getBody())
    if (found.contains(&op))
      inOrder.push_back(&op);
  return inOrder;
}

void tegula::keepScalars(scf::ForOp loop) {
  auto results = llvm::drop_begin(loop.getResults());
  if (llvm::all_of(results, [](Value result) { return result.use_empty(); }))
    return;
  OpBuilder builder(loop);
  auto numbers = scf::ForOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), loop.getInitArgs().drop_front());
  IRMapping same;
  same.map(loop.getInductionVar(), numbers.getInductionVar());
  same.map(loop.getRegionIterArgs().drop_front(), numbers.getRegionIterArgs());
  builder.setInsertionPointToStart(numbers.getBody());
  for (Operation *op : *findScalars(loop))
    builder.clone(*op, same);
  SmallVector<Value> yielded;
  for (Value number : llvm::drop_begin(loop.getYieldedValues()))
    yielded.push_back(same.lookupOrDefault(number));
  scf::YieldOp::create(builder, loop.getLoc(), yielded);
  for (auto [before, after] : llvm::zip_equal(results, numbers.getResults()))
    before.replaceAllUsesWith(after);
}
