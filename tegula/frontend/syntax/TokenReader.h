// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tokens of a file one after the other, and errors at them. A function
/// that returns false has reported why, unless the token it stopped at is an
/// Error, which the lexer has reported.

#ifndef TEGULA_FRONTEND_SYNTAX_TOKENREADER_H
#define TEGULA_FRONTEND_SYNTAX_TOKENREADER_H

#include "tegula/frontend/diagnostics/Diagnostics.h"
#include "tegula/frontend/syntax/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <utility>
#include <vector>

namespace tegula {

/// Collects errors, so that they can be withdrawn or sorted.
class ErrorList : public SourceDiagnostics {
public:
  void error(llvm::SMLoc loc, const llvm::Twine &message) override {
    errors.emplace_back(loc, message.str());
  }

  /// The errors in the order they were found.
  std::vector<std::pair<llvm::SMLoc, std::string>> errors;
};

/// Reads a list of tokens that ends in End.
class TokenReader {
public:
  TokenReader(llvm::ArrayRef<Token> tokens, ErrorList &diagnostics)
      : tokens(tokens), diagnostics(diagnostics) {}

  const Token &peek(size_t lookahead = 0) const;
  bool at(TokenKind kind) const { return peek().kind == kind; }
  void advance();
  bool accept(TokenKind kind);
  /// Takes a token of this kind or reports "expected WANTED, found ...".
  bool expect(TokenKind kind, const llvm::Twine &wanted);
  /// Takes a name or reports "expected WANTED, found ...".
  bool expectName(const llvm::Twine &wanted, Token &name);
  /// Reports `message` at the next token, unless the lexer did. Returns false.
  bool fail(const llvm::Twine &message);
  /// Reports "expected WANTED, found ..." at the next token. Returns false.
  bool failExpected(const llvm::Twine &wanted);
  /// Reports `message` at `loc`. Returns false.
  bool failAt(llvm::SMLoc loc, const llvm::Twine &message);
  /// Skips to the closing bracket of the bracket that encloses the next token.
  bool skipToClosing();
  /// Skips to the end of the line, and past it. Stays at a change of
  /// indentation.
  void skipLine();
  /// Skips from an Indent past its Dedent.
  void skipBlock();
  /// Skips a suite: the rest of the line and the block below it, if any.
  void skipSuite();
  /// Skips a compound statement with all its clauses.
  void skipCompound();
  /// True at a word that continues a compound statement.
  bool atClause() const;
  /// True if the next line is a `match` statement.
  bool atMatch() const;

protected:
  llvm::ArrayRef<Token> tokens;
  ErrorList &diagnostics;
  size_t position = 0;
  /// True while errors may still be withdrawn.
  bool isTentative = false;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_TOKENREADER_H
