// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ops that read and write elements at indices given by an index tile: gathers
/// and scatters.

#ifndef TEGULA_IR_OPS_PLINDEXOPS_H
#define TEGULA_IR_OPS_PLINDEXOPS_H

#include "tegula/ir/ops/PlOps.h"

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlIndexOps.h.inc"

#endif // TEGULA_IR_OPS_PLINDEXOPS_H
