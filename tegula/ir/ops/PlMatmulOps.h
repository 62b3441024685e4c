// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls of whole matrices in memory. Those of tiles are in PlOps.h.

#ifndef TEGULA_IR_OPS_PLMATMULOPS_H
#define TEGULA_IR_OPS_PLMATMULOPS_H

#include "tegula/ir/ops/PlOps.h"

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlMatmulOps.h.inc"

#endif // TEGULA_IR_OPS_PLMATMULOPS_H
