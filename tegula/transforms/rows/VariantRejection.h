// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why a kernel does not get tuned code, for those who ask.

#ifndef TEGULA_TRANSFORMS_ROWS_VARIANTREJECTION_H
#define TEGULA_TRANSFORMS_ROWS_VARIANTREJECTION_H

#include "mlir/IR/Operation.h"

namespace tegula {

/// What a search found first that the variant has not: in words, and where;
/// nowhere if it is something of the kernel as a whole.
struct VariantRejection {
  std::string why;
  mlir::Operation *op = nullptr;

  /// Keeps the first reason, and where it is if that is known, and is false.
  bool reject(const llvm::Twine &reason, mlir::Operation *at = nullptr) {
    if (!why.empty())
      return false;
    why = reason.str();
    if (at)
      op = at;
    return false;
  }
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_ROWS_VARIANTREJECTION_H
