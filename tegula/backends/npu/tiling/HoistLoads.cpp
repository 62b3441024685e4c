// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/tiling/HoistLoads.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/plan/PrepareForPlan.h"
#include "tegula/transforms/plan/TilePlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

/// True if the op computes the same in every iteration and may be computed even
/// if there is none.
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
  // iteration.
  return isa<pl::DimOp>(op) || (isPure(&op) && !isa<pl::SliceOp>(op));
}

/// True if something was moved that takes memory.
static bool hoistAll(func::FuncOp function) {
  bool takesMemory = false;
  function.walk([&](scf::ForOp loop) {
    for (Operation &op :
         llvm::make_early_inc_range(loop.getBody()->without_terminator()))
      if (isInvariant(op, loop)) {
        op.moveBefore(loop);
        takesMemory |=
            llvm::any_of(op.getResultTypes(), llvm::IsaPred<pl::TileType>);
      }
  });
  return takesMemory;
}

static bool fits(func::FuncOp function, const MachineModel &machine) {
  OwningOpRef<func::FuncOp> planned = function.clone();
  prepareForPlan(*planned, machine);
  return TilePlan(*planned, machine).memory.fits(machine);
}

void tegula::hoistLoads(func::FuncOp function, const MachineModel &machine) {
  OwningOpRef<func::FuncOp> hoisted = function.clone();
  if (!hoistAll(*hoisted) || fits(*hoisted, machine))
    function.getBody().takeBody(hoisted->getBody());
}
