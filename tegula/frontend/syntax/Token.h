// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The words of a kernel file, as the lexer hands them to the parser.

#ifndef TEGULA_FRONTEND_SYNTAX_TOKEN_H
#define TEGULA_FRONTEND_SYNTAX_TOKEN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"
#include <cstdint>
#include <string>

namespace tegula {

/// What a token is. Soft keywords (`match`) are names.
enum class TokenKind : uint8_t {
  // Structure. The text of these is empty.
  End,
  Newline,
  Indent,
  Dedent,
  // Something the lexer has already reported; the parser stays silent on it.
  Error,
  // A character that starts no token; reported only where it is parsed.
  Unknown,
  // Words with a value.
  Name,
  Number,
  String,
  // Keywords.
  False,
  None,
  True,
  And,
  As,
  Assert,
  Async,
  Await,
  Break,
  Class,
  Continue,
  Def,
  Del,
  Elif,
  Else,
  Except,
  Finally,
  For,
  From,
  Global,
  If,
  Import,
  In,
  Is,
  Lambda,
  Nonlocal,
  Not,
  Or,
  Pass,
  Raise,
  Return,
  Try,
  While,
  With,
  Yield,
  // Brackets.
  LeftParen,
  RightParen,
  LeftSquare,
  RightSquare,
  LeftBrace,
  RightBrace,
  // Punctuation.
  Comma,
  Colon,
  Semicolon,
  Dot,
  Ellipsis,
  Arrow,
  At,
  Walrus,
  Equal,
  // Operators.
  Plus,
  Minus,
  Star,
  Slash,
  DoubleSlash,
  Percent,
  DoubleStar,
  LeftShift,
  RightShift,
  Ampersand,
  Pipe,
  Caret,
  Tilde,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  EqualEqual,
  NotEqual,
  // Augmented assignments.
  PlusEqual,
  MinusEqual,
  StarEqual,
  SlashEqual,
  DoubleSlashEqual,
  PercentEqual,
  DoubleStarEqual,
  AtEqual,
  LeftShiftEqual,
  RightShiftEqual,
  AmpersandEqual,
  PipeEqual,
  CaretEqual
};

/// One token: its kind and where it stands in the text.
struct Token {
  const char *begin = nullptr;
  uint32_t length = 0;
  TokenKind kind = TokenKind::End;

  /// The characters of the token.
  llvm::StringRef text() const { return {begin, length}; }
  /// The first character.
  llvm::SMLoc loc() const { return llvm::SMLoc::getFromPointer(begin); }
  /// One past the last character.
  llvm::SMLoc end() const {
    return llvm::SMLoc::getFromPointer(begin + length);
  }
  /// The token in words, for "found ...": `'+'`, `the end of the line`.
  std::string describe() const;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_TOKEN_H
