// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/unparse/SourceExtents.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace tegula;
using namespace mlir;

/// True if the two come around the same loop, or out of the same op.
static bool crossTogether(Value value, Value extent) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto other = dyn_cast<BlockArgument>(extent);
  if (argument || other)
    return argument && other && argument.getOwner() == other.getOwner() &&
           !isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return value.getDefiningOp() == extent.getDefiningOp();
}

/// The extents that come out besides the value are read off it.
static void askFor(pl::WithExtentsOp op) {
  OpBuilder builder(op);
  Value value = op.getSource();
  for (auto [axis, extent] : llvm::enumerate(op.getExtents())) {
    if (!crossTogether(value, extent))
      continue;
    Value asked = pl::DimOp::create(builder, op.getLoc(), value, axis);
    extent.replaceUsesWithIf(asked, [](OpOperand &use) {
      Operation *user = use.getOwner();
      return !isa<pl::WithExtentsOp>(user) &&
             !user->hasTrait<OpTrait::IsTerminator>();
    });
  }
}

/// Functions hand out no extent that no call reads.
static void dropUnusedExtents(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPrivate() || function.isExternal())
      continue;
    auto uses = SymbolTable::getSymbolUses(function, module);
    if (!uses)
      continue;
    llvm::BitVector unused(function.getNumResults(), true);
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (!function.getResultTypes()[i].isIndex())
        unused.reset(i);
    for (SymbolTable::SymbolUse use : *uses)
      for (OpResult result : use.getUser()->getResults())
        if (!result.use_empty())
          unused.reset(result.getResultNumber());
    if (unused.none())
      continue;
    for (SymbolTable::SymbolUse use : *uses) {
      auto call = cast<func::CallOp>(use.getUser());
      OpBuilder builder(call);
      SmallVector<Type> types;
      for (OpResult result : call.getResults())
        if (!unused[result.getResultNumber()])
          types.push_back(result.getType());
      auto shorter =
          func::CallOp::create(builder, call.getLoc(), call.getCalleeAttr(),
                               types, call.getOperands());
      unsigned next = 0;
      for (OpResult result : call.getResults())
        if (!unused[result.getResultNumber()])
          result.replaceAllUsesWith(shorter.getResult(next++));
      call.erase();
    }
    function.walk([&](func::ReturnOp op) { op->eraseOperands(unused); });
    (void)function.eraseResults(unused);
  }
}

void tegula::askForExtents(ModuleOp module) {
  SmallVector<pl::WithExtentsOp> stated;
  module.walk([&](pl::WithExtentsOp op) { stated.push_back(op); });
  for (pl::WithExtentsOp op : stated)
    askFor(op);
  for (pl::WithExtentsOp op : stated) {
    if (StringRef name = nameOfValue(op); !name.empty())
      nameValue(op.getSource(), name);
    op.getResult().replaceAllUsesWith(op.getSource());
    op.erase();
  }
  dropUnusedExtents(module);
}
