// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/rows/ProductLoop.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

bool tegula::isOnlyFactor(Operation *op) {
  if (!isa<pl::SliceOp, pl::LoadOp>(op) || op->use_empty())
    return false;
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    if (isa<pl::MatmulOp>(use.getOwner()))
      return use.getOperandNumber() < 2;
    return isa<pl::LoadOp>(use.getOwner()) && isOnlyFactor(use.getOwner());
  });
}

/// The product that a turn adds, and what it adds it to; null if there is none.
static std::pair<pl::MatmulOp, Value> findSum(scf::ForOp loop) {
  Value yielded = loop.getYieldedValues()[0];
  if (auto product = yielded.getDefiningOp<pl::MatmulOp>())
    return {product, product.getAcc()};
  auto sum = yielded.getDefiningOp<pl::AddOp>();
  if (!sum)
    return {};
  for (unsigned i : {0, 1})
    if (auto product = sum->getOperand(i).getDefiningOp<pl::MatmulOp>();
        product && !product.getAcc() && product->hasOneUse())
      return {product, sum->getOperand(1 - i)};
  return {};
}

bool ProductLoop::isLikely(scf::ForOp loop) {
  return loop.getNumResults() > 0 && findSum(loop).first;
}

std::optional<ProductLoop> ProductLoop::find(scf::ForOp loop) {
  auto [product, before] = findSum(loop);
  ProductLoop found{product, {}};
  if (!product || product->getParentOp() != loop)
    return std::nullopt;
  while (before && before.hasOneUse())
    if (auto sized = before.getDefiningOp<pl::WithExtentsOp>()) {
      found.sized.push_back(sized);
      before = sized.getSource();
    } else {
      break;
    }
  if (before != loop.getRegionIterArg(0) || !before.hasOneUse())
    return std::nullopt;
  for (Value result : llvm::drop_begin(loop.getResults()))
    if (!result.getType().isIndex())
      return std::nullopt;
  for (Operation &op : loop.getBody()->without_terminator())
    if (&op != product && !isOnlyFactor(&op) &&
        (!isPure(&op) || op.getNumRegions() != 0))
      return std::nullopt;
  return found;
}
