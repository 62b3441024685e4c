// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/LoweringHooks.h"

#include "tegula/backends/cpu/TileLowering.h"

using namespace tegula;

LoweringHooks::~LoweringHooks() = default;

UnitScope::UnitScope(TileLowering &lowering, mlir::Location loc)
    : lowering(lowering), isOutermost(lowering.hooks && !lowering.isInUnit) {
  if (!isOutermost)
    return;
  lowering.isInUnit = true;
  lowering.hooks->open(lowering.builder, loc);
}

UnitScope::~UnitScope() {
  if (!isOutermost)
    return;
  lowering.hooks->close(lowering.builder);
  lowering.isInUnit = false;
}
