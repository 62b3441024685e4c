// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The axes of matmuls. Those before the last two are batches: matched
/// from the last one back, those of exactly 1 repeated, as in NumPy.

#ifndef TEGULA_IR_OPS_SEMANTICS_MATMUL_H
#define TEGULA_IR_OPS_SEMANTICS_MATMUL_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula::pl {

/// Whether matmuls of such elements may have the precision, and what those are
/// called that may.
bool isFor(Precision precision, mlir::Type element);
llvm::StringRef getOperandTypeName(Precision precision);

/// How many axes of the result are batches.
unsigned getBatchRank(MatmulOp op);

/// The axis of an operand that the result's batch `axis` iterates over; nothing
/// if the operand has none or repeats it.
std::optional<unsigned> getBatchAxis(MatmulOp op, mlir::Value operand,
                                     unsigned axis);

/// The same for an axis counted from the end, the last one being 1.
std::optional<unsigned> getBatchAxis(mlir::Value operand, unsigned fromEnd);

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_SEMANTICS_MATMUL_H
