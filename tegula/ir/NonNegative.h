// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether an index value can be negative.

#ifndef TEGULA_IR_NONNEGATIVE_H
#define TEGULA_IR_NONNEGATIVE_H

#include "mlir/IR/Value.h"

namespace tegula::pl {

/// True if the index value is proved not to be negative.
bool isNonNegative(mlir::Value index);

} // namespace tegula::pl

#endif // TEGULA_IR_NONNEGATIVE_H
