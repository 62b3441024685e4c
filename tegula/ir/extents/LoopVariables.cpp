// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/LoopVariables.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

/// What a loop's variable is called that the author gave no name.
static StringRef nameOfKind(Operation *loop) {
  auto parallel = dyn_cast<ParallelOp>(loop);
  if (parallel && parallel.getKind() == LoopKind::Grid)
    return "block";
  return parallel && parallel.getKind() == LoopKind::Lanes ? "lane"
                                                           : "iteration";
}

SmallVector<LoopVariable, 4> tegula::pl::listLoopVariables(Operation *op) {
  SmallVector<LoopVariable, 4> variables;
  for (Operation *loop = op->getParentOp(); loop; loop = loop->getParentOp()) {
    Value variable;
    if (auto inOrder = dyn_cast<scf::ForOp>(loop))
      variable = inOrder.getInductionVar();
    else if (auto parallel = dyn_cast<ParallelOp>(loop))
      variable = parallel.getInductionVar();
    if (!variable)
      continue;
    StringRef name = nameOfValue(variable);
    variables.push_back(
        {(name.empty() ? nameOfKind(loop) : name).str(), variable});
  }
  std::reverse(variables.begin(), variables.end());
  return variables;
}
