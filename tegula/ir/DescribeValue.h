// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Values and ops in words, for messages about programs.

#ifndef TEGULA_IR_DESCRIBEVALUE_H
#define TEGULA_IR_DESCRIBEVALUE_H

#include "mlir/IR/Operation.h"

#include <string>

namespace tegula::pl {

/// "parameter 'x'", "the constant 2.5", "pl.add", "the variable of a loop".
std::string describeValue(mlir::Value value);

/// An attribute or a type as its own text.
std::string textOf(mlir::Attribute attribute);
std::string textOf(mlir::Type type);

/// Where a value was made: the first of its own location and that of `user`
/// that is known.
mlir::Location locationOf(mlir::Value value, mlir::Operation *user);

} // namespace tegula::pl

#endif // TEGULA_IR_DESCRIBEVALUE_H
