// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// FP8E4M3FN and FP8E5M2 in terms of integers, FP16 and FP32: no machine we
/// compile for has them. Works on single values and on vectors.

#ifndef TEGULA_IR_INTERPRETER_EIGHTBITFLOAT_H
#define TEGULA_IR_INTERPRETER_EIGHTBITFLOAT_H

#include "tegula/ir/ops/PlDialect.h"

namespace tegula::pl {

/// True for the types this file is about.
bool isEightBitFloat(mlir::Type element);

/// The 8 bits of an FP32 rounded once into `to` as the mode says. Values beyond
/// the range become infinite or the largest finite value, whichever the mode
/// asks for; in FP8E4M3FN NaN takes the place of infinity.
mlir::Value buildEightBits(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, mlir::Type to, Rounding mode);

/// The FP32 of the same value as the 8 bits of a `from`.
mlir::Value buildFromEightBits(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value bits, mlir::Type from);

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_EIGHTBITFLOAT_H
