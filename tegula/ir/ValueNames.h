// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names an author gave to values. They are kept in the locations of ops
/// and block arguments, so that a program can be shown in the author's words.

#ifndef TEGULA_IR_VALUENAMES_H
#define TEGULA_IR_VALUENAMES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

/// Gives `value` a name, unless it has one. A parameter has its own.
void nameValue(mlir::Value value, llvm::StringRef name);

/// Takes the name away from the only result of an op.
void forgetName(mlir::Value value);

/// The name of `value`; empty if nobody gave it one.
llvm::StringRef nameOfValue(mlir::Value value);

} // namespace tegula

#endif // TEGULA_IR_VALUENAMES_H
