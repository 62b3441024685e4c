// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From text to tokens, by the rules of Python 3.11: indentation, implicit and
/// explicit line joining, comments. The values of literals are not computed
/// here (see Literals.h).

#ifndef TEGULA_FRONTEND_SYNTAX_LEXER_H
#define TEGULA_FRONTEND_SYNTAX_LEXER_H

#include "tegula/frontend/diagnostics/Diagnostics.h"
#include "tegula/frontend/syntax/Token.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace tegula {

/// The largest text that is taken: 1 GiB.
constexpr uint64_t maxSourceBytes = uint64_t(1) << 30;

/// Whether the first line may be indented. If so, that is how deep the text
/// stands: it is part of a file.
enum class FirstLine { NotIndented, MayBeIndented };

/// Splits `text` into tokens that point into it. The last token is End;
/// every Indent has its Dedent; every logical line ends with Newline; inside
/// brackets there is no Newline. An opening bracket that is not Error has its
/// closing bracket, or an Error token in its place, before the next Newline.
/// Reports only what leaves the structure of the file unknown; after
/// `maxErrors` it stops as if the text ended there.
std::vector<Token> lex(llvm::StringRef text, SourceDiagnostics &diagnostics,
                       unsigned maxErrors,
                       FirstLine firstLine = FirstLine::NotIndented);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_LEXER_H
