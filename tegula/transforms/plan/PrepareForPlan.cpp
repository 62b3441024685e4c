// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/PrepareForPlan.h"

#include "tegula/transforms/parallel/CoreRegions.h"
#include "tegula/transforms/plan/CoreTransfers.h"
#include "tegula/transforms/plan/TileSpace.h"

using namespace mlir;
using namespace tegula;

static void inlineRegions(func::FuncOp function) {
  SmallVector<pl::AtOp> regions;
  function.walk([&](pl::AtOp at) { regions.push_back(at); });
  for (pl::AtOp at : regions)
    inlineRegion(at);
}

static void dropExtents(func::FuncOp function) {
  function.walk([](pl::WithExtentsOp op) {
    op.getResult().replaceAllUsesWith(op.getSource());
    op.erase();
  });
}

void tegula::prepareForPlan(func::FuncOp function,
                            const MachineModel &machine) {
  inlineRegions(function);
  dropExtents(function);
  settleSpaces(function, machine);
  if (machine.hasSeparateCores)
    insertCoreTransfers(function, machine);
}
