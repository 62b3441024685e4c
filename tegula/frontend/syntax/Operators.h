// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which elementwise op each of Python's operators is, by name. That numbers
/// are computed while compiling, and that INDEX has its own arithmetic, is the
/// business of whoever applies an operator.

#ifndef TEGULA_FRONTEND_SYNTAX_OPERATORS_H
#define TEGULA_FRONTEND_SYNTAX_OPERATORS_H

#include "tegula/frontend/syntax/Ast.h"
#include <optional>

namespace tegula::ast {

/// The op of an operator; empty for `**` and `@`, which are not one op each.
llvm::StringRef opOf(BinaryOp op);
/// The same for one operand; empty for `+x` and `not`.
llvm::StringRef opOf(UnaryOp op);
/// The comparison, as `pl.cmp` calls it; empty for `is`, `in` and the like.
llvm::StringRef opOf(CompareOp op);

/// The operator that `pl.<name>` is written as, if there is one. Quotients of
/// floats are `/`, those of integers `//`.
std::optional<BinaryOp> binaryOperatorOf(llvm::StringRef name, bool isFloat);
/// The same for one operand.
std::optional<UnaryOp> unaryOperatorOf(llvm::StringRef name);
/// The operator of a comparison.
CompareOp compareOperatorOf(llvm::StringRef name);

} // namespace tegula::ast

#endif // TEGULA_FRONTEND_SYNTAX_OPERATORS_H
