// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/UnitRecorder.h"

#include "tegula/backends/cpu/TileLowering.h"

using namespace tegula;

UnitRecorder::~UnitRecorder() = default;

UnitScope::UnitScope(TileLowering &lowering, mlir::Location loc)
    : lowering(lowering), isOutermost(lowering.units && !lowering.isInUnit) {
  if (!isOutermost)
    return;
  lowering.isInUnit = true;
  lowering.units->open(lowering.builder, loc);
}

UnitScope::~UnitScope() {
  if (!isOutermost)
    return;
  lowering.units->close(lowering.builder);
  lowering.isInUnit = false;
}
