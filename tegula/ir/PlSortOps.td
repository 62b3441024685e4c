// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_SORT_OPS
#define TEGULA_IR_PL_SORT_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/ir/PlAttrs.td"
include "tegula/ir/PlInterfaces.td"
include "tegula/ir/PlTypes.td"

#endif // TEGULA_IR_PL_SORT_OPS
