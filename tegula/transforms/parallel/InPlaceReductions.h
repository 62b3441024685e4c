// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The two halves of a sum in place: what reads the elements and what writes
/// them back. What is between them must not be long, since others may wait.

#ifndef TEGULA_TRANSFORMS_PARALLEL_INPLACEREDUCTIONS_H
#define TEGULA_TRANSFORMS_PARALLEL_INPLACEREDUCTIONS_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// The other half of a sum that `op` is one half of: it adds something to the
/// elements of one view, which nothing else gets to see, and writes nothing
/// else. Null if there is none.
mlir::Operation *findOtherHalf(mlir::Operation *op);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PARALLEL_INPLACEREDUCTIONS_H
