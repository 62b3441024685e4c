// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which stores may go past the caches. Whether they do, the size of the tensor
/// decides at each call: what no cache holds until somebody reads it need not
/// be read from memory before it is written.

#ifndef TEGULA_BACKENDS_CODEGEN_MEMORY_STREAMEDSTORES_H
#define TEGULA_BACKENDS_CODEGEN_MEMORY_STREAMEDSTORES_H

#include "mlir/IR/Value.h"

namespace tegula {

namespace pl {
class StoreOp;
} // namespace pl

struct TilePlan;

/// The argument that the store writes a window of, if the function reads no
/// element of it and every iteration of the loops around writes another window;
/// else null.
mlir::Value findStreamedTensor(pl::StoreOp store);

/// True if elements of the tile are computed of what is in memory by functions
/// that take many instructions. Memory is read and written concurrently; stores
/// past the caches would keep it waiting.
bool isComputedSlowly(mlir::Value tile, const TilePlan &plan);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_MEMORY_STREAMEDSTORES_H
