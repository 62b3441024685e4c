// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/LoopBody.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;

void tegula::leaveLoop(Scope &scope, Scope before, StringRef loopVariable,
                       Location loc) {
  for (const auto &[slot, variable] : scope) {
    if (before.count(slot))
      continue;
    if (variable.object.is<TaskObject>() ||
        variable.object.is<UnusableObject>()) {
      before.insert({slot, variable});
    } else if (slot.isNamed()) {
      Object undefined(UnusableObject{
          ("'" + slot.getName() +
           "' may be undefined: it is assigned only inside the loop; give it a "
           "value before the loop")
              .str(),
          {{variable.loc, "assigned here"}}});
      before.insert({slot, Variable{undefined, variable.loc}});
    }
  }
  if (!loopVariable.empty())
    before.insert_or_assign(
        loopVariable,
        Variable{Object(UnusableObject{("the loop variable '" + loopVariable +
                                        "' has no value after its loop")
                                           .str(),
                                       {{loc, "the loop"}}}),
                 loc});
  scope = std::move(before);
}
