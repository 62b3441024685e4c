// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Says in words what the formulas of ProductChoice.h choose at some sizes, and
/// why. The formulas themselves are asked, with numbers in place of values.

#ifndef TEGULA_BACKENDS_CPU_PRODUCT_PRODUCTREASON_H
#define TEGULA_BACKENDS_CPU_PRODUCT_PRODUCTREASON_H

#include "tegula/backends/cpu/product/ProductForm.h"

namespace tegula {

/// Elements from one row of a factor to the next, and from one column.
struct FactorStrides {
  int64_t row, column;
};

/// The sizes of a product.
struct ProductExtents {
  int64_t rows, columns, inner;
  /// Whether factors lie column by column.
  bool transposeLhs = false, transposeRhs = false;
  /// How they lie, transposed or not; without gaps if nothing is said.
  std::optional<FactorStrides> lhs = std::nullopt, rhs = std::nullopt;
};

/// How the product is computed on so many threads, such as "packs the right
/// factor: 1024 x 1024 is read by 74 strips of 14 rows; ...".
std::string explainProduct(const ProductForm &form,
                           const ProductExtents &extents, int64_t threads);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_PRODUCT_PRODUCTREASON_H
