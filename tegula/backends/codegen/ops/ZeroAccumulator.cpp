// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/ops/ZeroAccumulator.h"

#include "tegula/ir/ops/PlOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

scf::ForOp tegula::findZeroAccumulatorLoop(Value carried) {
  auto argument = dyn_cast_or_null<BlockArgument>(carried);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || argument == loop.getInductionVar() || !argument.hasOneUse())
    return {};
  auto matmul = dyn_cast<pl::MatmulOp>(*argument.getUsers().begin());
  if (!matmul || matmul.getAcc() != argument ||
      matmul->getBlock() != argument.getOwner())
    return {};
  // Where extents change from iteration to iteration, the type says less of
  // them.
  Value init = loop.getTiedLoopInit(argument)->get();
  while (auto relax = init.getDefiningOp<pl::RelaxOp>())
    init = relax.getSource();
  auto full = init.getDefiningOp<pl::FullOp>();
  if (!full)
    return {};
  bool isZero = matchPattern(full.getValue(), m_AnyZeroFloat()) ||
                matchPattern(full.getValue(), m_Zero());
  return isZero ? loop : scf::ForOp();
}

bool tegula::startsZeroAccumulators(Value tile) {
  return !tile.use_empty() && llvm::all_of(tile.getUses(), [](OpOperand &use) {
    auto loop = dyn_cast<scf::ForOp>(use.getOwner());
    BlockArgument carried =
        loop ? loop.getTiedLoopRegionIterArg(&use) : nullptr;
    return carried && findZeroAccumulatorLoop(carried);
  });
}
