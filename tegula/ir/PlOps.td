// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_OPS
#define TEGULA_IR_PL_OPS

include "tegula/ir/PlControlOps.td"
include "tegula/ir/PlElementwiseOps.td"
include "tegula/ir/PlMemoryOps.td"
include "tegula/ir/PlTileOps.td"

#endif // TEGULA_IR_PL_OPS
