// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds the extent and kind of one token. It knows characters, not lines:
/// indentation, brackets and errors are the lexer's.

#ifndef TEGULA_FRONTEND_SYNTAX_TOKENSCANNER_H
#define TEGULA_FRONTEND_SYNTAX_TOKENSCANNER_H

#include "tegula/frontend/syntax/Token.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

/// How the scan of a string literal ended.
enum class StringEnd { Closed, OpenAtLineEnd, OpenAtTextEnd };

/// The string literal at the start of some text.
struct ScannedString {
  size_t length = 0;
  StringEnd end = StringEnd::Closed;
};

/// True if `c` starts a name. Bytes beyond ASCII count as letters.
bool isNameStart(char c);

/// True if `c` may stand inside a name.
bool isNameChar(char c);

/// The length of the line break at the start of `text`: `\n`, `\r\n`, `\r`;
/// 0 if there is none.
size_t lineBreakLength(llvm::StringRef text);

/// The length of the string prefix and quote at the start of `text`, e.g. 2
/// for `f"`; 0 if no string literal starts there.
size_t stringOpening(llvm::StringRef text);

/// Scans the string literal at the start of `text`, whose prefix and first
/// quote are `opening` characters long.
ScannedString scanString(llvm::StringRef text, size_t opening);

/// The token at the start of `text`, which is not empty and starts neither
/// with blanks nor with a string literal. Text that is no token is Unknown.
Token scanToken(llvm::StringRef text);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_TOKENSCANNER_H
