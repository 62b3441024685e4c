// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/TokenReader.h"
#include "tegula/frontend/syntax/Parser.h"

using namespace tegula;
using llvm::SMLoc;
using llvm::StringRef;
using llvm::Twine;

const Token &TokenReader::peek(size_t lookahead) const {
  return tokens[std::min(position + lookahead, tokens.size() - 1)];
}

void TokenReader::advance() {
  if (position + 1 < tokens.size())
    ++position;
}

bool TokenReader::accept(TokenKind kind) {
  if (!at(kind))
    return false;
  advance();
  return true;
}

bool TokenReader::expect(TokenKind kind, const Twine &wanted) {
  return accept(kind) || failExpected(wanted);
}

bool TokenReader::expectName(const Twine &wanted, Token &name) {
  name = peek();
  return expect(TokenKind::Name, wanted);
}

bool TokenReader::failAt(SMLoc loc, const Twine &message) {
  diagnostics.error(loc, message);
  // With this many errors more would not be shown.
  if (!isTentative && diagnostics.errors.size() > maxParseErrors)
    position = tokens.size() - 1;
  return false;
}

bool TokenReader::fail(const Twine &message) {
  const Token &token = peek();
  if (token.kind == TokenKind::Error)
    return false;
  if (token.kind != TokenKind::Unknown)
    return failAt(token.loc(), message);
  return failAt(token.loc(),
                "character '" + token.text() + "' has no meaning here");
}

bool TokenReader::failExpected(const Twine &wanted) {
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

bool TokenReader::skipToClosing() {
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

void TokenReader::skipLine() {
  while (!at(TokenKind::Newline) && !at(TokenKind::Indent) &&
         !at(TokenKind::Dedent) && !at(TokenKind::End))
    advance();
  accept(TokenKind::Newline);
}

void TokenReader::skipBlock() {
  size_t depth = 0;
  do {
    if (at(TokenKind::Indent))
      ++depth;
    else if (at(TokenKind::Dedent))
      --depth;
    advance();
  } while (depth > 0 && !at(TokenKind::End));
}

void TokenReader::skipSuite() {
  skipLine();
  if (at(TokenKind::Indent))
    skipBlock();
}

bool TokenReader::atClause() const {
  return at(TokenKind::Elif) || at(TokenKind::Else) || at(TokenKind::Except) ||
         at(TokenKind::Finally);
}

void TokenReader::skipCompound() {
  do
    skipSuite();
  while (atClause());
}

bool TokenReader::atMatch() const {
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
