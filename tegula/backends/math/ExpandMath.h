// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ops of the math dialect become arithmetic.

#ifndef TEGULA_BACKENDS_MATH_EXPANDMATH_H
#define TEGULA_BACKENDS_MATH_EXPANDMATH_H

#include "tegula/backends/math/MathTarget.h"

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds patterns that expand exp, log, sin, cos, tanh, erf and one over a root,
/// of FP32 and FP64, scalars and vectors.
void populateMathExpansions(mlir::RewritePatternSet &patterns,
                            const MathTarget &target);

/// The same for powers, which take some hundred ops.
void populatePowExpansion(mlir::RewritePatternSet &patterns,
                          const MathTarget &target);

/// All of these, and quotients that round up or down and narrow floats in steps
/// that processors have.
void populateAllExpansions(mlir::RewritePatternSet &patterns,
                           const MathTarget &target);

} // namespace tegula

#endif // TEGULA_BACKENDS_MATH_EXPANDMATH_H
