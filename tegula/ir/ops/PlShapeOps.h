// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ops that give tiles and tensors another shape of run-time extents.

#ifndef TEGULA_IR_OPS_PLSHAPEOPS_H
#define TEGULA_IR_OPS_PLSHAPEOPS_H

#include "tegula/ir/ops/PlOps.h"

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlShapeOps.h.inc"

#endif // TEGULA_IR_OPS_PLSHAPEOPS_H
