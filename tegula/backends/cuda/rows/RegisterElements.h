// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many registers rows take while they are summed up.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_REGISTERELEMENTS_H
#define TEGULA_BACKENDS_CUDA_ROWS_REGISTERELEMENTS_H

#include "tegula/transforms/rows/RowwiseKernel.h"

namespace tegula {

/// About how many registers a thread needs for each of its columns where most
/// are needed: for all that is read before the last reduction, and for all that
/// is computed before a reduction and used after it.
int64_t countRegistersPerColumn(const RowwiseKernel &program);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_REGISTERELEMENTS_H
