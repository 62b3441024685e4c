// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles that are put together of others, in memory.

#ifndef TEGULA_TRANSFORMS_MEMORY_CONCATINMEMORY_H
#define TEGULA_TRANSFORMS_MEMORY_CONCATINMEMORY_H

#include "mlir/IR/Operation.h"

namespace tegula {

/// Replaces a pl.concat or a pl.insert by two stores, one after the other, to a
/// tensor of its own, and a load of that.
void concatInMemory(mlir::Operation *op);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MEMORY_CONCATINMEMORY_H
