// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The values of number and string literals. What is wrong with one is returned
/// as text; the parser knows the location.

#ifndef TEGULA_FRONTEND_SYNTAX_LITERALS_H
#define TEGULA_FRONTEND_SYNTAX_LITERALS_H

#include "tegula/frontend/syntax/Ast.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tegula {

/// A number literal may not be longer than this.
constexpr size_t maxNumberLength = 1000;

/// Reads the number token `text`. Sets `result` to an Integer, a Float, or
/// Unsupported for an imaginary number, and returns the empty string; or
/// returns what is wrong.
[[nodiscard]] std::string readNumber(llvm::StringRef text,
                                     ast::Expr::Node &result);

/// What the prefix of a string token says.
struct StringPrefix {
  bool isRaw = false;
  bool isBytes = false;
  bool isFormatted = false;
};

/// The prefix of the string token `text`.
StringPrefix stringPrefix(llvm::StringRef text);

/// Appends the value of the string token `text` to `value`, escapes resolved
/// unless it is raw, and returns the empty string; or returns what is wrong.
[[nodiscard]] std::string readString(llvm::StringRef text, std::string &value);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_LITERALS_H
