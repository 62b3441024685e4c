// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of the C library for the few elements that arithmetic is not enough
/// for.

#ifndef TEGULA_BACKENDS_MATH_LIBRARYCALL_H
#define TEGULA_BACKENDS_MATH_LIBRARYCALL_H

#include "tegula/backends/math/FloatBuilder.h"

namespace tegula {

/// `function` of the C library of x in the lanes of `where`, and `otherwise` in
/// the others. Nothing is called where no lane is set.
mlir::Value callWhere(FloatBuilder &on, llvm::StringRef function, mlir::Value x,
                      mlir::Value where, mlir::Value otherwise);

} // namespace tegula

#endif // TEGULA_BACKENDS_MATH_LIBRARYCALL_H
