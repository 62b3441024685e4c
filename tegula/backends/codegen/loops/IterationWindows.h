// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How windows of tensors move from iteration to iteration of the loops around
/// them.

#ifndef TEGULA_BACKENDS_CODEGEN_LOOPS_ITERATIONWINDOWS_H
#define TEGULA_BACKENDS_CODEGEN_LOOPS_ITERATIONWINDOWS_H

#include "mlir/IR/Value.h"

namespace tegula {

namespace pl {
class LoadOp;
} // namespace pl

/// True if another iteration of the loop has another window.
bool movesWith(mlir::Value window, mlir::Value induction);

/// True if the rows below those that are loaded are loaded in the next
/// iteration of a loop around, and loops inside that one run along rows only.
/// May miss some.
bool loadsNextRows(pl::LoadOp load);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_LOOPS_ITERATIONWINDOWS_H
