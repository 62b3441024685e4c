// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How tiles lie in memory and how much of it they take.

#ifndef TEGULA_TRANSFORMS_PLAN_BUFFERSIZE_H
#define TEGULA_TRANSFORMS_PLAN_BUFFERSIZE_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// The most bytes a buffer is said to have. No machine has this much: a frame
/// that needs it is refused when it is opened.
constexpr int64_t mostBufferBytes = int64_t(1) << 48;

/// The type an element of a tile has in memory: booleans and 4-bit integers are
/// bytes, integers signless.
mlir::Type memoryType(mlir::Type element);

/// True if tensors hold two of these to a byte. Tiles never do, so that no op
/// computes on such tensors.
bool isHalfByteInTensors(mlir::Type element);

/// What the elements of a reduction are combined and kept in: FP32 for narrow
/// floats. They are rounded where they are read.
mlir::Type combinedType(mlir::Type element);

/// The static bounds of a tile type.
llvm::SmallVector<int64_t, 4> boundsOf(pl::TileType type);

/// The bytes of so many elements; `mostBufferBytes` if there are more.
int64_t bufferBytes(mlir::Type element, llvm::ArrayRef<int64_t> shape);

/// The sum of two numbers of bytes, no more than `mostBufferBytes`.
int64_t addBytes(int64_t some, int64_t more);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_BUFFERSIZE_H
