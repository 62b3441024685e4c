// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why a call was compiled for and did not find its code.

#ifndef TEGULA_LAUNCH_CALL_COMPILEREASON_H
#define TEGULA_LAUNCH_CALL_COMPILEREASON_H

#include "tegula/launch/call/Argument.h"
#include "tegula/launch/call/Program.h"
#include "tegula/launch/call/Variant.h"

namespace tegula {

/// What a call has that the nearest of the variants was not made for: "'x'
/// holds FP16, not FP32". "the first call" if there are none.
std::string explainCompile(const Signature &declared,
                           llvm::ArrayRef<const Variant *> variants,
                           llvm::ArrayRef<Argument> arguments);

/// What is different in a program that a function has become, from the nearest
/// of those it was, the first if several are as near: "ROWS changed from 4 to
/// 8". Empty if nothing is.
std::string explainChange(llvm::ArrayRef<const Program *> before,
                          const Program &after);

/// A captured value as its author would write it: 4, "row", (1, 2), FP32.
std::string formatCaptured(const CapturedValue &value);

/// True for values that an author may change: numbers, texts, dtypes, and
/// what holds such.
bool isCapturedConstant(const CapturedValue &value);

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_COMPILEREASON_H
