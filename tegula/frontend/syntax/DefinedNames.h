// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which names a piece of Python that is not parsed would define. It is a guess
/// good enough to say, where a kernel uses such a name, why it has no value.

#ifndef TEGULA_FRONTEND_SYNTAX_DEFINEDNAMES_H
#define TEGULA_FRONTEND_SYNTAX_DEFINEDNAMES_H

#include "tegula/frontend/syntax/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace tegula {

/// The names that the statements in `tokens` bind, in source order, each once.
/// The bodies of functions and classes bind nothing outside them.
std::vector<llvm::StringRef> definedNames(llvm::ArrayRef<Token> tokens);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_DEFINEDNAMES_H
