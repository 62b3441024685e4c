// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sizes of a call, as the IR names them.

#ifndef TEGULA_RUNTIME_READSIZES_H
#define TEGULA_RUNTIME_READSIZES_H

#include "tegula/ir/extents/SizeEvaluation.h"
#include "tegula/launch/call/Argument.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// What is given to a call of the function: extents of its tensors, by
/// parameter and axis and by the symbols that are bound to them, and numbers.
std::map<pl::SizeInput, int64_t> readSizes(mlir::func::FuncOp entry,
                                           llvm::ArrayRef<Argument> arguments);

} // namespace tegula

#endif // TEGULA_RUNTIME_READSIZES_H
