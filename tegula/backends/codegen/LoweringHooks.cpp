// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/LoweringHooks.h"

using namespace tegula;

LoweringHooks::~LoweringHooks() = default;

UnitScope::UnitScope(RecordedSteps &steps, mlir::Location loc)
    : steps(steps), isOutermost(steps && !steps.isInStep) {
  if (!isOutermost)
    return;
  steps.isInStep = true;
  steps->open(steps.builder, loc);
}

UnitScope::~UnitScope() {
  if (!isOutermost)
    return;
  steps->close(steps.builder);
  steps.isInStep = false;
}
