// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls of whole-array expressions, on machines that multiply whole
/// matrices: they are never cut.

#ifndef TEGULA_TRANSFORMS_MATMUL_WHOLEMATMULS_H
#define TEGULA_TRANSFORMS_MATMUL_WHOLEMATMULS_H

#include "tegula/transforms/tile/CutTiles.h"

namespace tegula {

/// Makes one op of each store that would be cut and that is a matmul of
/// tensors, as it is or with an epilogue. Where an expression has several
/// matmuls, all but one go to memory of their own.
///
///   store(f(matmul(load(a), load(b)), load(v)), c)
///     ->  matmul_into a, b into c with v epilogue { f }
///
/// What is reduced, or moves, before it is stored is computed by one op as far
/// as it goes element by element, and read from memory:
///
///   r = reduce(f(matmul(load(a), load(b))))
///     ->  matmul_into a, b into m epilogue { f };  r = reduce(load(m))
///
/// Not those that compute operands; nor what an author's loop does tile by
/// tile, of which all tiles are raised together. Returns whether something
/// changed.
bool keepMatmulsWhole(mlir::func::FuncOp function, const CutTiles &cut);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_WHOLEMATMULS_H
