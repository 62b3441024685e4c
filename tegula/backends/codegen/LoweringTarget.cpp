// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/LoweringTarget.h"

#include "tegula/ir/ops/PlOps.h"

using namespace tegula;

LoweringTarget::~LoweringTarget() = default;

bool LoweringTarget::multiplyTiles(TileLowering &, pl::MatmulOp,
                                   const TileMatmul &) const {
  return false;
}
