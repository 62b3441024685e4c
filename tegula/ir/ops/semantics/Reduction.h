// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each reduction is: what it starts from and how it combines, on tiles,
/// on scalars and on data. Nothing else knows one reduction from another.

#ifndef TEGULA_IR_OPS_SEMANTICS_REDUCTION_H
#define TEGULA_IR_OPS_SEMANTICS_REDUCTION_H

#include "tegula/ir/ops/PlDialect.h"

namespace tegula::pl {

/// What combining starts from; also the result where nothing is valid. The
/// lowest and the highest value of a type are those of `max` and `min`.
Scalar getIdentity(Reduction reduction, DType element);

/// What leaves every number as it is, bit by bit: the identity, but -0.0 for
/// sums of floats.
Scalar getNeutral(Reduction reduction, DType element);

/// The type that a reduction of at most `count` elements of BOOL is computed
/// in; nothing if their number is not known. Sums and products are counts:
/// INT32, or INT64 where INT32 may be too narrow. An extreme is found in INT32
/// and is BOOL again.
DType getTypeOfBooleans(Reduction reduction, std::optional<uint64_t> count);

/// True if what is chosen among elements is one of them, and needs no room.
bool isChoice(Reduction reduction);

/// Builds the pl op that combines two tiles or scalars.
mlir::Value buildCombination(mlir::OpBuilder &builder, mlir::Location loc,
                             Reduction reduction, mlir::Value lhs,
                             mlir::Value rhs);

/// True for the pl op that buildCombination builds.
bool isCombination(mlir::Operation *op, Reduction reduction);

/// Builds the arith op that combines two signless scalars of one type.
mlir::Value buildScalarCombination(mlir::OpBuilder &builder, mlir::Location loc,
                                   Reduction reduction, mlir::Value lhs,
                                   mlir::Value rhs, bool isUnsigned);

/// For an arith op that combines scalars of a reduction, what leaves every
/// number it is combined with as it is; nothing for other ops.
std::optional<Scalar> findNeutral(mlir::Operation *combination);

/// Combines two elements. Floats are combined in double, integers in 64 bits,
/// and not cut to their type.
using Combination = Slot (*)(Slot lhs, Slot rhs);

/// How elements of a type are combined.
Combination getCombination(Reduction reduction, DType element);

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_SEMANTICS_REDUCTION_H
