// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A square of elements is transposed in registers, or summed along one side.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_TRANSPOSEBLOCK_H
#define TEGULA_BACKENDS_CPU_MATMUL_TRANSPOSEBLOCK_H

#include "tegula/backends/cpu/matmul/VectorCode.h"

namespace tegula {

/// As many vectors as each has lanes, a power of two: vector i becomes lane i
/// of all of them.
void transposeBlock(VectorCode &code,
                    llvm::SmallVectorImpl<mlir::Value> &vectors);

/// One vector whose lane i is the sum of the lanes of vector i, of as many
/// vectors.
mlir::Value sumOfEach(VectorCode &code, llvm::ArrayRef<mlir::Value> vectors);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_TRANSPOSEBLOCK_H
