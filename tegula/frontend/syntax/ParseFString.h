// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What stands in literals of f-strings.

#ifndef TEGULA_FRONTEND_SYNTAX_PARSEFSTRING_H
#define TEGULA_FRONTEND_SYNTAX_PARSEFSTRING_H

#include "tegula/frontend/syntax/Ast.h"

namespace tegula {

/// Adds the pieces of one literal. Those of a plain one are its text.
void readFStringParts(ast::String &string, llvm::StringRef literal);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_PARSEFSTRING_H
