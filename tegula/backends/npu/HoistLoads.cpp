// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/HoistLoads.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/PlOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

/// True if the op computes the same in every turn and may be computed even if
/// there is none.
static bool isInvariant(Operation &op, scf::ForOp loop) {
  bool isOutside = llvm::all_of(op.getOperands(), [&](Value operand) {
    return loop.isDefinedOutsideOfLoop(operand);
  });
  if (!isOutside || op.getNumRegions() != 0)
    return false;
  if (auto load = dyn_cast<pl::LoadOp>(op)) {
    Value root = rootOfView(load.getSource());
    return root && !mayWrite(loop, root);
  }
  // A window may report that it lies outside, which is wrong if there is no
  // turn.
  return isa<pl::DimOp>(op) || (isPure(&op) && !isa<pl::SliceOp>(op));
}

void tegula::hoistLoads(func::FuncOp function) {
  function.walk([](scf::ForOp loop) {
    for (Operation &op :
         llvm::make_early_inc_range(loop.getBody()->without_terminator()))
      if (isInvariant(op, loop))
        op.moveBefore(loop);
  });
}
