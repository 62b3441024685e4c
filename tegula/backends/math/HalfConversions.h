// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conversions between FP16 and FP32 for processors without instructions for
/// them.

#ifndef TEGULA_BACKENDS_MATH_HALFCONVERSIONS_H
#define TEGULA_BACKENDS_MATH_HALFCONVERSIONS_H

#include "tegula/backends/math/MathTarget.h"

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds patterns after which FP16 is only moved.
void populateHalfConversions(mlir::RewritePatternSet &patterns,
                             const MathTarget &target);

} // namespace tegula

#endif // TEGULA_BACKENDS_MATH_HALFCONVERSIONS_H
