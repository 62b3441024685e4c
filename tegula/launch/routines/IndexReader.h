// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads indices of any type, and checks them, some at a time. Compiled once
/// for each width of vectors.

#ifndef TEGULA_LAUNCH_ROUTINES_INDEXREADER_H
#define TEGULA_LAUNCH_ROUTINES_INDEXREADER_H

#include "tegula/support/DType.h"

#include <cstdint>

namespace tegula {

/// Reads `count` indices that are `step` elements apart. True if all of them
/// are below the limit, and none is negative.
using ReadIndices = bool (*)(const char *from, int64_t step, int64_t count,
                             int64_t limit, int64_t *indices);

/// For indices of that type, and processors whose vectors have that many bits.
ReadIndices getIndexReader(DType dtype, int64_t vectorBits);

/// Each needs a processor that has what it is named for.
ReadIndices getIndexReaderPlain(DType dtype);
ReadIndices getIndexReaderAvx2(DType dtype);
ReadIndices getIndexReaderAvx512(DType dtype);

} // namespace tegula

#endif // TEGULA_LAUNCH_ROUTINES_INDEXREADER_H
