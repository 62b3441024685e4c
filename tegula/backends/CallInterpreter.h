// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A call of a kernel as the reference interpreter takes it.

#ifndef TEGULA_BACKENDS_CALLINTERPRETER_H
#define TEGULA_BACKENDS_CALLINTERPRETER_H

#include "tegula/ir/interpreter/Interpreter.h"
#include "tegula/launch/call/Argument.h"
#include "tegula/launch/call/Signature.h"

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

/// How calls of this process are interpreted that ask for no ranks themselves:
/// by one, unless others were chosen. No call may be running. Returns what it
/// was.
pl::RankOptions chooseInterpretedRanks(const pl::RankOptions &ranks);

/// Interprets `entry` on arguments that the guard of its signature has checked,
/// `slots` being what it made of them. What is wrong is emitted. By several
/// ranks, a copy is interpreted in which all functions are inlined and the
/// accesses of the host program are in order.
llvm::LogicalResult callInterpreter(mlir::func::FuncOp entry,
                                    const Signature &signature,
                                    llvm::ArrayRef<Argument> arguments,
                                    const int64_t *slots,
                                    const pl::InterpreterOptions &options = {});

} // namespace tegula

#endif // TEGULA_BACKENDS_CALLINTERPRETER_H
