// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/rows/MatmulMainloop.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

bool tegula::isOnlyMatmulOperand(Operation *op) {
  if (!isa<pl::SliceOp, pl::LoadOp>(op) || op->use_empty())
    return false;
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    if (isa<pl::MatmulOp>(use.getOwner()))
      return use.getOperandNumber() < 2;
    return isa<pl::LoadOp>(use.getOwner()) &&
           isOnlyMatmulOperand(use.getOwner());
  });
}

/// The matmul that an iteration adds, and what it adds it to; null if there is
/// none.
static std::pair<pl::MatmulOp, Value> findSum(scf::ForOp loop) {
  Value yielded = loop.getYieldedValues()[0];
  if (auto matmul = yielded.getDefiningOp<pl::MatmulOp>())
    return {matmul, matmul.getAcc()};
  auto sum = yielded.getDefiningOp<pl::AddOp>();
  if (!sum)
    return {};
  for (unsigned i : {0, 1})
    if (auto matmul = sum->getOperand(i).getDefiningOp<pl::MatmulOp>();
        matmul && !matmul.getAcc() && matmul->hasOneUse())
      return {matmul, sum->getOperand(1 - i)};
  return {};
}

Operation *tegula::findSecondMatmul(scf::ForOp loop) {
  if (loop.getNumResults() == 0)
    return nullptr;
  SmallVector<Operation *> matmuls;
  loop.walk([&](pl::MatmulOp matmul) { matmuls.push_back(matmul); });
  return matmuls.size() > 1 ? matmuls[1] : nullptr;
}

bool tegula::isMultipliedAs(Type element, Type sum) {
  return (element.isInteger(8) && sum.isInteger(32)) ||
         (isa<BFloat16Type, Float16Type, Float32Type, Float8E4M3FNType,
              Float8E5M2Type>(element) &&
          sum.isF32());
}

/// Whether a loop goes on with the sum that begins with the matmul.
static bool isGoneOnWith(pl::MatmulOp matmul) {
  return llvm::any_of(matmul->getUsers(), [](Operation *user) {
    auto loop = dyn_cast<scf::ForOp>(user);
    return loop && MatmulMainloop::isLikely(loop);
  });
}

const char *tegula::explainOperands(pl::MatmulOp matmul, bool isLeft) {
  Value operand = isLeft ? matmul.getLhs() : matmul.getRhs();
  auto load = operand.getDefiningOp<pl::LoadOp>();
  auto slice = load ? load.getSource().getDefiningOp<pl::SliceOp>() : nullptr;
  if (!slice)
    return "an operand is not a whole parameter with two axes, nor the loops' "
           "windows of one: compute it in a kernel before";
  if (isGoneOnWith(matmul))
    return "the sum begins before the loop that goes on with it: let the loop "
           "begin at 0";
  return "an operand is another part of a tensor than the windows of loops "
         "that "
         "go through all of it from 0 on";
}

bool MatmulMainloop::isLikely(scf::ForOp loop) {
  return loop.getNumResults() > 0 && findSum(loop).first;
}

std::optional<MatmulMainloop> MatmulMainloop::find(scf::ForOp loop) {
  auto [matmul, before] = findSum(loop);
  MatmulMainloop found{matmul, {}};
  if (!matmul || matmul->getParentOp() != loop)
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
    if (&op != matmul && !isOnlyMatmulOperand(&op) &&
        (!isPure(&op) || op.getNumRegions() != 0))
      return std::nullopt;
  return found;
}
