// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shows a syntax tree as nested lists, for tests and for debugging.

#ifndef TEGULA_FRONTEND_SYNTAX_ASTPRINTER_H
#define TEGULA_FRONTEND_SYNTAX_ASTPRINTER_H

#include "tegula/frontend/syntax/Ast.h"
#include <string>

namespace tegula {

/// The expression on one line: `a + f(b, c=1)` is `(+ a (call f b c=1))`.
std::string printAst(const ast::Expr &expr);

/// The module, one statement to a line, blocks indented by two columns.
std::string printAst(const ast::Module &module);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_ASTPRINTER_H
