// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A call of a kernel as the reference interpreter takes it.

#ifndef TEGULA_BACKENDS_CALLINTERPRETER_H
#define TEGULA_BACKENDS_CALLINTERPRETER_H

#include "tegula/ir/Interpreter.h"
#include "tegula/launch/Argument.h"
#include "tegula/launch/Signature.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir {
class ModuleOp;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace tegula {

/// The function of the module that is called from outside; null if none is.
mlir::func::FuncOp findEntry(mlir::ModuleOp module);

/// Interprets `entry` on arguments that the guard of its signature has checked,
/// `slots` being what it made of them. What is wrong is emitted.
llvm::LogicalResult callInterpreter(mlir::func::FuncOp entry,
                                    const Signature &signature,
                                    llvm::ArrayRef<Argument> arguments,
                                    const int64_t *slots,
                                    const pl::InterpreterOptions &options = {});

} // namespace tegula

#endif // TEGULA_BACKENDS_CALLINTERPRETER_H
