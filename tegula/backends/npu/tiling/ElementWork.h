// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much a vector region does for each of its elements.

#ifndef TEGULA_BACKENDS_NPU_TILING_ELEMENTWORK_H
#define TEGULA_BACKENDS_NPU_TILING_ELEMENTWORK_H

#include "mlir/IR/Region.h"

#include <string>

namespace tegula {

/// What lanes do for one element.
struct ElementWork {
  /// What it is, in a word.
  std::string name;
  /// Plain operations, and those like exp and division that lanes take longer
  /// for.
  int64_t ops = 0;
  int64_t specials = 0;
  /// Whether elements are moved and nothing else.
  bool isCopy = false;
  /// Whether it combines the elements of rows.
  bool combinesRows = false;
};

/// What the loops over elements in the region do, in their order; what its
/// routines do if it has none.
std::vector<ElementWork> listWork(mlir::Region &region);

/// What is done for one element by all of them.
ElementWork addWork(llvm::ArrayRef<ElementWork> loops);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TILING_ELEMENTWORK_H
