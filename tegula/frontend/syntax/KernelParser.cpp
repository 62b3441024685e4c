// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/KernelParser.h"
#include "tegula/frontend/syntax/Lexer.h"
#include "tegula/frontend/syntax/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using llvm::SMLoc;
using llvm::StringRef;
using llvm::Twine;

const Token &KernelParser::peek(size_t lookahead) const {
  return tokens[std::min(position + lookahead, tokens.size() - 1)];
}

void KernelParser::advance() {
  if (position + 1 < tokens.size())
    ++position;
}

bool KernelParser::accept(TokenKind kind) {
  if (!at(kind))
    return false;
  advance();
  return true;
}

bool KernelParser::expect(TokenKind kind, const Twine &wanted) {
  return accept(kind) || failExpected(wanted);
}

bool KernelParser::expectName(const Twine &wanted, Token &name) {
  name = peek();
  return expect(TokenKind::Name, wanted);
}

bool KernelParser::failAt(SMLoc loc, const Twine &message) {
  diagnostics.error(loc, message);
  // With this many errors more would not be shown.
  if (!isTentative && diagnostics.errors.size() > maxParseErrors)
    position = tokens.size() - 1;
  return false;
}

bool KernelParser::fail(const Twine &message) {
  const Token &token = peek();
  if (token.kind == TokenKind::Error)
    return false;
  if (token.kind != TokenKind::Unknown)
    return failAt(token.loc(), message);
  return failAt(token.loc(),
                "character '" + token.text() + "' has no meaning here");
}

bool KernelParser::failExpected(const Twine &wanted) {
  return fail("expected " + wanted + ", found " + peek().describe());
}

static int bracketStep(TokenKind kind) {
  switch (kind) {
  case TokenKind::LeftParen:
  case TokenKind::LeftSquare:
  case TokenKind::LeftBrace:
    return 1;
  case TokenKind::RightParen:
  case TokenKind::RightSquare:
  case TokenKind::RightBrace:
    return -1;
  default:
    return 0;
  }
}

bool KernelParser::skipToClosing() {
  for (int depth = 0;; advance()) {
    TokenKind kind = peek().kind;
    int step = bracketStep(kind);
    if (depth == 0 && step < 0)
      return true;
    if (kind == TokenKind::Error || kind == TokenKind::Newline ||
        kind == TokenKind::End)
      return false;
    depth += step;
  }
}

void KernelParser::skipLine() {
  while (!at(TokenKind::Newline) && !at(TokenKind::Indent) &&
         !at(TokenKind::Dedent) && !at(TokenKind::End))
    advance();
  accept(TokenKind::Newline);
}

void KernelParser::skipBlock() {
  size_t depth = 0;
  do {
    if (at(TokenKind::Indent))
      ++depth;
    else if (at(TokenKind::Dedent))
      --depth;
    advance();
  } while (depth > 0 && !at(TokenKind::End));
}

void KernelParser::skipSuite() {
  skipLine();
  if (at(TokenKind::Indent))
    skipBlock();
}

bool KernelParser::atClause() const {
  return at(TokenKind::Elif) || at(TokenKind::Else) || at(TokenKind::Except) ||
         at(TokenKind::Finally);
}

void KernelParser::skipCompound() {
  do
    skipSuite();
  while (atClause());
}

bool KernelParser::atMatch() const {
  if (!at(TokenKind::Name) || peek().text() != "match")
    return false;
  TokenKind next = peek(1).kind;
  if (next == TokenKind::Colon || next == TokenKind::Equal ||
      next == TokenKind::Dot || next == TokenKind::Comma)
    return false;
  size_t lookahead = 1;
  while (peek(lookahead).kind != TokenKind::Newline &&
         peek(lookahead).kind != TokenKind::End)
    ++lookahead;
  return peek(lookahead - 1).kind == TokenKind::Colon &&
         peek(lookahead + 1).kind == TokenKind::Indent;
}

/// Reports what was found, in source order; true if there is nothing.
static bool report(ErrorList &found, SourceDiagnostics &diagnostics) {
  llvm::sort(found.errors, [](const auto &lhs, const auto &rhs) {
    return std::make_pair(lhs.first.getPointer(), StringRef(lhs.second)) <
           std::make_pair(rhs.first.getPointer(), StringRef(rhs.second));
  });
  for (auto [index, error] : llvm::enumerate(found.errors)) {
    if (index == maxParseErrors) {
      diagnostics.error(error.first, "too many errors, only the first " +
                                         Twine(maxParseErrors) + " are shown");
      break;
    }
    diagnostics.error(error.first, error.second);
  }
  return found.errors.empty();
}

std::unique_ptr<ast::Module>
tegula::parseModule(StringRef text, SourceDiagnostics &diagnostics) {
  ErrorList found;
  std::vector<Token> tokens = lex(text, found, maxParseErrors + 1);
  auto module =
      std::make_unique<ast::Module>(KernelParser(tokens, found).parseModule());
  return report(found, diagnostics) ? std::move(module) : nullptr;
}

std::unique_ptr<ast::Module>
tegula::parseDefinition(StringRef text, SourceDiagnostics &diagnostics) {
  ErrorList found;
  std::vector<Token> tokens =
      lex(text, found, maxParseErrors + 1, FirstLine::MayBeIndented);
  auto module = std::make_unique<ast::Module>(
      KernelParser(tokens, found).parseDefinition());
  return report(found, diagnostics) ? std::move(module) : nullptr;
}
