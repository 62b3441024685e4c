// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Mathematical functions as arithmetic, without a call. NaN, infinities,
/// zeros and subnormal numbers are treated as C does; docs/math.md lists the
/// errors. Coefficients are minimax fits, rounded one after the other.

#ifndef TEGULA_BACKENDS_MATH_FUNCTIONS_H
#define TEGULA_BACKENDS_MATH_FUNCTIONS_H

#include "tegula/backends/math/FloatBuilder.h"

namespace tegula {

mlir::Value buildExp(FloatBuilder &on, mlir::Value x);
/// The same where x and the result are far from the ends of the type's range.
mlir::Value buildBoundedExp(FloatBuilder &on, mlir::Value x);
/// exp(x + low) where `low` is what rounding took from x.
mlir::Value buildExpOfSum(FloatBuilder &on, mlir::Value x, mlir::Value low);
mlir::Value buildLog(FloatBuilder &on, mlir::Value x);
mlir::Value buildTanh(FloatBuilder &on, mlir::Value x);
/// With `buildLarge` for numbers from 0.625 on.
mlir::Value
buildTanhOf(FloatBuilder &on, mlir::Value x,
            llvm::function_ref<mlir::Value(mlir::Value)> buildLarge);
mlir::Value buildErf(FloatBuilder &on, mlir::Value x);
/// The same for a wide register of FP32, or one FP32 where there are such
/// registers: lanes pick coefficients from tables, which is half of the
/// arithmetic.
mlir::Value buildErfByTable(FloatBuilder &on, mlir::Value x);
mlir::Value buildPow(FloatBuilder &on, mlir::Value x, mlir::Value y);

/// Sine or cosine.
mlir::Value buildSine(FloatBuilder &on, mlir::Value x, bool isCosine);

/// An angle less `quarter` times pi / 2, of which the lowest two bits count.
struct ReducedAngle {
  mlir::Value rest;
  mlir::Value quarter;
};
/// Of an angle that is positive and at least 2 ** -1; of an infinite one it
/// makes nothing of use.
ReducedAngle reduceLargeAngle(FloatBuilder &on, mlir::Value angle);

/// A positive normal number as m * 2 ** exponent, m between the roots of 1/2
/// and of 2.
struct Parts {
  mlir::Value mantissa;
  mlir::Value exponent;
};
/// Subnormal numbers count, too; of what is not positive and finite it makes
/// nothing of use.
Parts splitPositive(FloatBuilder &on, mlir::Value x);

} // namespace tegula

#endif // TEGULA_BACKENDS_MATH_FUNCTIONS_H
