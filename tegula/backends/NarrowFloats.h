// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conversions to and from floats narrower than FP32 in steps the machine has.

#ifndef TEGULA_BACKENDS_NARROWFLOATS_H
#define TEGULA_BACKENDS_NARROWFLOATS_H

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds patterns after which FP16 and BF16 are only moved, extended to FP32 and
/// truncated from FP32, and 8-bit floats only moved. Every conversion still
/// rounds once.
void populateNarrowFloatPatterns(mlir::RewritePatternSet &patterns);

} // namespace tegula

#endif // TEGULA_BACKENDS_NARROWFLOATS_H
