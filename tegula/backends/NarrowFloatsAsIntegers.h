// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// BF16 and 8-bit floats in the LLVM dialect. NarrowFloats.h takes what is
/// computed with them apart first, so here they are only moved.

#ifndef TEGULA_BACKENDS_NARROWFLOATSASINTEGERS_H
#define TEGULA_BACKENDS_NARROWFLOATSASINTEGERS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Holds BF16 values and 8-bit floats as integers of their width: LLVM takes
/// vectors of BF16 apart on machines without instructions for them, and knows
/// no 8-bit floats.
void populateNarrowFloatsAsIntegers(mlir::LLVMTypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);

} // namespace tegula

#endif // TEGULA_BACKENDS_NARROWFLOATSASINTEGERS_H
