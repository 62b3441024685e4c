// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Index values that depend on nothing but what a call brings, as programs for
/// the call and as text for people.

#ifndef TEGULA_IR_EXTENTS_INDEXEXPRESSION_H
#define TEGULA_IR_EXTENTS_INDEXEXPRESSION_H

#include "tegula/support/ExtentProgram.h"

#include "mlir/IR/Value.h"

#include <optional>

namespace tegula::pl {

/// The step that an op on two numbers is; nothing for any other op.
std::optional<ExtentProgram::Op> stepOf(mlir::Operation *op);

/// The function parameter that an index value is, or is converted from.
std::optional<unsigned> parameterOf(mlir::Value value);

/// Programs have no more steps than these.
inline constexpr size_t maxProgramSteps = 256;

/// The program that computes an index or a boolean from the symbols and the
/// integer parameters of a function; nothing if it depends on anything else.
std::optional<ExtentProgram> programOf(mlir::Value value);

/// "M // 2 + 1"; empty if it is not made of symbols, parameters and numbers.
std::string formatIndex(mlir::Value value);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_INDEXEXPRESSION_H
