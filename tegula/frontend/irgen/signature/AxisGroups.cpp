// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/signature/AxisGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRequireOps.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

void AxisGroups::begin(llvm::ArrayRef<Object> arguments) {
  given.assign(arguments.begin(), arguments.end());
  if (!isWanted())
    return;
  for (const AxisSymbol &entry : state.symbols.axes) {
    auto known = llvm::find_if(groups, [&](const DynamicGroup &group) {
      return group.symbol == entry.symbol;
    });
    if (known == groups.end())
      known = groups.insert(groups.end(), DynamicGroup{{}, entry.symbol});
    known->axes.push_back({entry.parameter, entry.axis});
  }
}

/// Adds the axes of parameters that an extent is made from. If it is one of
/// them, they belong to the group; otherwise each is a group of its own.
void AxisGroups::addOrigins(Value extent, DynamicGroup &group, bool isDirect,
                            unsigned depth) {
  constexpr unsigned maxDepth = 64;
  mlir::Operation *op = extent.getDefiningOp();
  if (!op || depth > maxDepth)
    return;
  auto add = [&](Value tensor, unsigned axis) {
    for (auto [position, object] : llvm::enumerate(given)) {
      if (object.asValue() != tensor)
        continue;
      std::pair<unsigned, unsigned> found(position, axis);
      if (isDirect)
        group.axes.push_back(found);
      else
        groups.push_back(DynamicGroup{{found}, nullptr});
    }
  };
  if (auto bind = llvm::dyn_cast<pl::BindOp>(op)) {
    for (auto [tensor, axis] : llvm::zip(bind.getTensors(), bind.getAxes()))
      add(tensor, axis);
    return;
  }
  if (auto dim = llvm::dyn_cast<pl::DimOp>(op)) {
    add(dim.getSource(), dim.getAxis());
    return;
  }
  for (Value operand : op->getOperands())
    if (operand.getType().isIndex())
      addOrigins(operand, group, /*isDirect=*/false, depth + 1);
}

/// True for the extent of an axis itself, not computed from others.
static bool isAxisExtent(Value extent) {
  return llvm::isa_and_nonnull<pl::BindOp, pl::DimOp>(extent.getDefiningOp());
}

/// True if what is generated into `block` runs in every call. A loop that
/// happens not to run counts as run.
static bool runsAlways(mlir::Block *block) {
  mlir::Operation *parent = block->getParentOp();
  return llvm::isa<mlir::func::FuncOp>(parent) ||
         (llvm::isa<pl::AtOp, pl::ParallelOp, mlir::scf::ForOp>(parent) &&
          pl::isUnconditional(parent));
}

void AxisGroups::noteCalled(llvm::ArrayRef<DynamicGroup> called,
                            llvm::ArrayRef<Object> arguments, Location loc) {
  if (!isWanted())
    return;
  bool isCalledAlways = runsAlways(emitter.builder.getInsertionBlock());
  for (const DynamicGroup &theirs : called) {
    if (theirs.isAgreement && !isCalledAlways)
      continue;
    DynamicGroup own{{}, theirs.symbol, theirs.isPinned, theirs.isAgreement};
    for (auto [position, axis] : theirs.axes) {
      Value shaped = arguments[position].asValue();
      if (!shaped || arguments[position].asScalar())
        continue;
      if (pl::getDims(shaped.getType())[axis].isExact()) {
        own.isPinned = true;
        continue;
      }
      Value extent = emitter.extents.settled(loc, shaped, axis);
      if (!theirs.isAgreement || isAxisExtent(extent))
        addOrigins(extent, own, /*isDirect=*/true, 0);
    }
    groups.push_back(std::move(own));
  }
}

/// Extents that an operation needs to be equal in every call belong together.
void AxisGroups::noteAgreements() {
  state.func.walk([&](pl::RequireOp require) {
    auto compare = require.getCondition().getDefiningOp<mlir::arith::CmpIOp>();
    if (require.getOrigin() != pl::derivedOrigin || !compare ||
        compare.getPredicate() != mlir::arith::CmpIPredicate::eq ||
        !pl::isUnconditional(require))
      return;
    DynamicGroup group{{}, nullptr, false, /*isAgreement=*/true};
    for (Value extent : compare->getOperands())
      if (isAxisExtent(extent))
        addOrigins(extent, group, /*isDirect=*/true, 0);
    groups.push_back(std::move(group));
  });
}

void AxisGroups::pinAxis(Value shaped, unsigned axis, Location loc) {
  DynamicGroup group{{}, nullptr, /*isPinned=*/true};
  addOrigins(emitter.extents.settled(loc, shaped, axis), group,
             /*isDirect=*/true, 0);
  groups.push_back(std::move(group));
}

std::vector<DynamicGroup> AxisGroups::finish() {
  if (state.module.notesGroups)
    noteAgreements();
  return std::move(groups);
}
