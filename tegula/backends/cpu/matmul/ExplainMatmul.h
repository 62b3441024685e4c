// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Says in words what the formulas of MatmulHeuristics.h choose at some sizes,
/// and why. The formulas themselves are asked, with numbers in place of values.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_EXPLAINMATMUL_H
#define TEGULA_BACKENDS_CPU_MATMUL_EXPLAINMATMUL_H

#include "tegula/backends/cpu/matmul/MatmulVariant.h"

namespace tegula {

/// Elements from one row of an operand to the next, and from one column.
struct OperandStrides {
  int64_t row, column;
};

/// The sizes of a matmul.
struct MatmulExtents {
  int64_t rows, columns, inner;
  /// Whether operands lie column by column.
  bool transposeLhs = false, transposeRhs = false;
  /// Its layout, transposed or not; without gaps if nothing is said.
  std::optional<OperandStrides> lhs = std::nullopt, rhs = std::nullopt;
};

/// How the matmul is computed on so many threads, such as "packs the
/// rhs: 1024 x 1024 is read by 74 strips of 14 rows; ...".
std::string explainMatmul(const MatmulVariant &variant,
                          const MatmulExtents &extents, int64_t threads);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_EXPLAINMATMUL_H
