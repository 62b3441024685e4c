// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What random kernels are about.

#ifndef TEGULA_TEST_DIFFERENTIAL_THEME_H
#define TEGULA_TEST_DIFFERENTIAL_THEME_H

#include "test/differential/Program.h"
#include <cstdint>

namespace tegula::differential {

enum class Theme : uint8_t {
  /// Expressions of tiles and tensors.
  Expressions,
  /// Values whose extents change on their way around loops.
  Carries,
  /// Grids with barriers that do not matter.
  Grids,
  /// Grids with barriers that do.
  Barriers,
  /// Parallel loops that write windows, apart from each other or not.
  Windows,
  /// Kernels that do nearly the same with every row.
  Rows,
  /// Tensors that are made in iterations of loops, or seen in other shapes.
  Scratch,
  /// Loops over tiles of matmuls.
  Matmuls,
  /// Matrices whose rows are expensive, are reduced and read again.
  Norms,
  /// Rows that end near half a vector.
  Ends,
  /// Matmuls whose rows and columns are about those of strips and panels.
  Panels,
  /// Matmuls of whole arrays, and what is computed from them.
  Epilogues,
  /// Matmuls of 16-bit matrices, and what layers do with them.
  Layers,
  /// Loops with matmuls of what matmuls gave, and online softmax.
  Attention,
  /// Limits of types, special floats, extents 0 and 1.
  Edges,
  /// Several matmuls and reductions of tiles in a loop.
  Tiles,
  /// Host programs that several ranks run.
  Ranks
};

/// The program of that number.
Program makeProgram(Theme theme, uint64_t number);

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_THEME_H
