// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why the operands of a matmul are not those of a kernel that multiplies two
/// parameters.

#ifndef TEGULA_TRANSFORMS_ROWS_EXPLAINOPERANDS_H
#define TEGULA_TRANSFORMS_ROWS_EXPLAINOPERANDS_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// Whether elements of operands have forms that sum up so.
bool isMultipliedAs(mlir::Type element, mlir::Type sum);

/// Why the lhs, or else the rhs, is none that forms take: it is no parameter,
/// or another part of one.
const char *explainOperand(pl::MatmulOp matmul, bool isLhs);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_ROWS_EXPLAINOPERANDS_H
