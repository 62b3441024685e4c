// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ops that order elements: sorting, merging, the k largest.

#ifndef TEGULA_IR_OPS_PLSORTOPS_H
#define TEGULA_IR_OPS_PLSORTOPS_H

#include "tegula/ir/ops/PlOps.h"

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlSortOps.h.inc"

#endif // TEGULA_IR_OPS_PLSORTOPS_H
