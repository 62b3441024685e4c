// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One over a square root by the processor's estimate and a step of Newton's.

#ifndef TEGULA_BACKENDS_MATH_ROOTESTIMATE_H
#define TEGULA_BACKENDS_MATH_ROOTESTIMATE_H

#include "tegula/backends/math/MathTarget.h"

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds a pattern for registers of FP32 that AVX-512 has.
void populateRootEstimates(mlir::RewritePatternSet &patterns,
                           const MathTarget &target);

} // namespace tegula

#endif // TEGULA_BACKENDS_MATH_ROOTESTIMATE_H
