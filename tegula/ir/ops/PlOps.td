// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_OPS
#define TEGULA_IR_PL_OPS

include "tegula/ir/ops/PlControlOps.td"
include "tegula/ir/ops/PlElementwiseOps.td"
include "tegula/ir/ops/PlMemoryOps.td"
include "tegula/ir/ops/PlTileOps.td"

#endif // TEGULA_IR_PL_OPS
