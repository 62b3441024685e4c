// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"

using namespace tegula;
using namespace mlir;

/// What stands for the name of a result that has none, next to others that do.
static constexpr llvm::StringLiteral noName = "<none>";

/// The names in a location: one for an op with one result, otherwise one for
/// each result.
static SmallVector<StringRef> namesIn(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return namesIn(call.getCallee());
  if (auto named = dyn_cast<NameLoc>(loc))
    return {named.getName().getValue()};
  SmallVector<StringRef> names;
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations()) {
      auto named = dyn_cast<NameLoc>(part);
      if (!named)
        return {};
      names.push_back(named.getName().getValue());
    }
  return names;
}

static Location withName(StringRef name, Location loc) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

StringRef tegula::nameOfValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    SmallVector<StringRef> names = namesIn(argument.getLoc());
    return names.empty() ? "" : names.front();
  }
  auto result = cast<OpResult>(value);
  SmallVector<StringRef> names = namesIn(result.getOwner()->getLoc());
  if (names.size() != result.getOwner()->getNumResults())
    return "";
  StringRef name = names[result.getResultNumber()];
  return name == noName ? "" : name;
}

void tegula::forgetName(Value value) {
  Operation *op = value.getDefiningOp();
  auto named = op ? dyn_cast<NameLoc>(op->getLoc()) : NameLoc();
  if (named && op->getNumResults() == 1)
    op->setLoc(named.getChildLoc());
}

void tegula::nameValue(Value value, StringRef name) {
  if (!nameOfValue(value).empty())
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      argument.setLoc(withName(name, argument.getLoc()));
    return;
  }
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  // Shared by all who need them, and named by what they are.
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<pl::BindOp>(op))
    return;
  unsigned count = op->getNumResults();
  SmallVector<StringRef> names = namesIn(op->getLoc());
  if (names.size() != count)
    names.assign(count, noName);
  names[result.getResultNumber()] = name;
  Location nameLoc = op->getLoc();
  auto known = nameLoc->findInstanceOf<FileLineColLoc>();
  if (known && !pl::hasIndexLocations(nameLoc))
    nameLoc = known;
  SmallVector<Location> parts;
  for (StringRef part : names)
    parts.push_back(withName(part, nameLoc));
  op->setLoc(count == 1 ? parts.front()
                        : FusedLoc::get(op->getContext(), parts));
}
