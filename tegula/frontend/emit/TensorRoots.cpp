// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/emit/TensorRoots.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/emit/TensorUse.h"
#include "tegula/ir/ops/PlOps.h"
#include "llvm/ADT/SetVector.h"

using namespace tegula;
using namespace mlir;

namespace {

/// What a view may be: the values it comes from, one after the other.
using Sources = llvm::SetVector<Value>;

} // namespace

/// Adds what the block ends with for a result; nothing while it is being
/// generated.
static void addYielded(Region &region, unsigned position, Sources &sources) {
  if (region.empty() || region.front().empty())
    return;
  Operation &last = region.front().back();
  unsigned first = isa<scf::ConditionOp>(last) ? 1 : 0;
  if (last.hasTrait<OpTrait::IsTerminator>() &&
      first + position < last.getNumOperands())
    sources.insert(last.getOperand(first + position));
}

/// Adds what a loop may hand to a variable of its own: what it starts with, or
/// what the iteration before left.
static void addCarried(BlockArgument argument, Sources &sources) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent); loop && number > 0) {
    sources.insert(loop.getInitArgs()[number - 1]);
    addYielded(loop.getRegion(), number - 1, sources);
  } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (argument.getOwner()->getParent() == &loop.getAfter())
      return addYielded(loop.getBefore(), number, sources);
    sources.insert(loop.getInits()[number]);
    addYielded(loop.getAfter(), number, sources);
  }
}

/// Adds what a branch, a region or a loop may give as a result.
static void addResult(OpResult result, Sources &sources) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    sources.insert(loop.getInitArgs()[number]);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return addYielded(loop.getBefore(), number, sources);
  if (isa<scf::ForOp, scf::IfOp, pl::AtOp>(op))
    for (Region &region : op->getRegions())
      addYielded(region, number, sources);
}

llvm::SmallVector<Value> tegula::rootsOf(Value tensor) {
  llvm::SmallVector<Value> roots;
  Sources sources;
  sources.insert(tensor);
  for (size_t next = 0; next < sources.size(); ++next) {
    Value source = sources[next];
    if (Value root = rootOf(source)) {
      if (!llvm::is_contained(roots, root))
        roots.push_back(root);
      continue;
    }
    while (auto view = source.getDefiningOp<ViewLikeOpInterface>())
      source = view.getViewSource();
    if (auto argument = dyn_cast<BlockArgument>(source))
      addCarried(argument, sources);
    else
      addResult(cast<OpResult>(source), sources);
  }
  return roots;
}
