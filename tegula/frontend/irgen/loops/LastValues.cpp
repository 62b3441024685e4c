// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/LastValues.h"
#include "tegula/frontend/syntax/NameFlow.h"

using namespace tegula;

bool tegula::isMadeIn(const Object &object, mlir::Region &region) {
  if (mlir::Value value = object.asValue())
    return region.isAncestor(value.getParentRegion());
  const auto *tuple = object.asTuple();
  return tuple && llvm::any_of(*tuple, [&](const Object &element) {
           return isMadeIn(element, region);
         });
}

static bool isLasting(const Object &object, mlir::Operation *loop) {
  if (object.is<TaskObject>())
    return true;
  return object.asTensor() &&
         llvm::none_of(loop->getRegions(), [&](mlir::Region &region) {
           return isMadeIn(object, region);
         });
}

Scope tegula::lastingVariables(const Scope &scope, const Scope &before,
                               mlir::Operation *loop) {
  Scope lasting;
  for (const auto &[slot, variable] : scope)
    if (!before.count(slot) && isLasting(variable.object, loop))
      lasting.insert({slot, variable});
  return lasting;
}

/// True for a name whose value after the loop is said by its head.
static bool isOfHead(const Carries &carries, Stmts stmts, const Slot &slot) {
  return carries.yield &&
         (llvm::is_contained(carries.names, slot.getName()) ||
          assignedNames(stmts.take_back(1)).count(slot.getName()));
}

bool tegula::findLastValues(FunctionState &state, const LoopBody &body,
                            const Scope &before, mlir::Operation *loop,
                            LoopTypes &types) {
  bool hasFound = false;
  Stmts all = state.function.getDefinition().body;
  for (const auto &[slot, variable] : state.scope) {
    const Object &object = variable.object;
    if (before.count(slot) || !slot.isNamed() || slot == body.variable ||
        types.variables.count(slot) || object.isPoison() ||
        isOfHead(body.carries, body.stmts, slot) ||
        object.is<UnusableObject>() || isLasting(object, loop) ||
        !mayBeReadLater(all, *body.loop, slot.getName()))
      continue;
    LoopVariable known{Join::of(state.emitter.getContext(), object),
                       /*isCarried=*/true};
    known.isLast = true;
    types.variables.insert({slot, known});
    hasFound = true;
  }
  return hasFound;
}
