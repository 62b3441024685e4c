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

Operation *tegula::findSecondProduct(scf::ForOp loop) {
  if (loop.getNumResults() == 0)
    return nullptr;
  SmallVector<Operation *> products;
  loop.walk([&](pl::MatmulOp product) { products.push_back(product); });
  return products.size() > 1 ? products[1] : nullptr;
}

bool tegula::isMultipliedAs(Type element, Type sum) {
  return (element.isInteger(8) && sum.isInteger(32)) ||
         (isa<BFloat16Type, Float16Type, Float32Type, Float8E4M3FNType,
              Float8E5M2Type>(element) &&
          sum.isF32());
}

/// Whether a loop goes on with the sum that begins with the product.
static bool isGoneOnWith(pl::MatmulOp product) {
  return llvm::any_of(product->getUsers(), [](Operation *user) {
    auto loop = dyn_cast<scf::ForOp>(user);
    return loop && ProductLoop::isLikely(loop);
  });
}

const char *tegula::explainFactors(pl::MatmulOp product, bool isLeft) {
  Value factor = isLeft ? product.getLhs() : product.getRhs();
  auto load = factor.getDefiningOp<pl::LoadOp>();
  auto slice = load ? load.getSource().getDefiningOp<pl::SliceOp>() : nullptr;
  if (!slice)
    return "a factor is not a whole parameter with two axes, nor the loops' "
           "windows of one: compute it in a kernel before";
  if (isGoneOnWith(product))
    return "the sum begins before the loop that goes on with it: let the loop "
           "begin at 0";
  return "a factor is another part of a tensor than the windows of loops that "
         "go through all of it from 0 on";
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
