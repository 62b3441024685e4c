// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/DefinedNames.h"
#include "llvm/ADT/DenseSet.h"

using namespace tegula;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// Visits tokens one statement at a time.
class NameCollector {
public:
  explicit NameCollector(ArrayRef<Token> tokens) : tokens(tokens) {}

  std::vector<StringRef> run() {
    while (position < tokens.size())
      visitStatement();
    return std::move(names);
  }

private:
  TokenKind kind(size_t lookahead = 0) const {
    return position + lookahead < tokens.size()
               ? tokens[position + lookahead].kind
               : TokenKind::End;
  }
  void add(size_t lookahead) {
    StringRef name = tokens[position + lookahead].text();
    if (kind(lookahead) == TokenKind::Name && seen.insert(name).second)
      names.push_back(name);
  }

  void visitStatement();
  void visitImport();
  void visitTargets(TokenKind end);
  void visitAliases();
  void skipBlock();
  void skipHeader();
  void skipLine();
  bool atLineEnd() const;

  ArrayRef<Token> tokens;
  size_t position = 0;
  std::vector<StringRef> names;
  llvm::DenseSet<StringRef> seen;
};

} // namespace

void NameCollector::visitStatement() {
  if (kind() == TokenKind::Async)
    ++position;
  switch (kind()) {
  case TokenKind::Def:
  case TokenKind::Class:
    if (kind(1) == TokenKind::Name)
      add(1);
    return skipBlock();
  case TokenKind::Import:
  case TokenKind::From:
    return visitImport();
  case TokenKind::For:
    ++position;
    visitTargets(TokenKind::In);
    return skipHeader();
  case TokenKind::With:
  case TokenKind::Except:
    return visitAliases();
  case TokenKind::Name:
    visitTargets(TokenKind::Equal);
    return skipLine();
  case TokenKind::If:
  case TokenKind::Elif:
  case TokenKind::While:
    return skipHeader();
  default:
    ++position;
  }
}

bool NameCollector::atLineEnd() const {
  return kind() == TokenKind::Newline || kind() == TokenKind::Semicolon ||
         kind() == TokenKind::End;
}

void NameCollector::skipLine() {
  while (!atLineEnd())
    ++position;
}

/// Goes to where a suite on the same line would start.
void NameCollector::skipHeader() {
  while (!atLineEnd() && kind() != TokenKind::Colon)
    ++position;
}

/// Names separated by commas count if `end` follows, or an annotation.
void NameCollector::visitTargets(TokenKind end) {
  do {
    size_t last = 0;
    while (kind(last) == TokenKind::Name && kind(last + 1) == TokenKind::Comma)
      last += 2;
    TokenKind next = kind(last + 1);
    bool isTarget = kind(last) == TokenKind::Name &&
                    (next == end || next == TokenKind::Colon);
    for (size_t lookahead = 0; isTarget && lookahead <= last; lookahead += 2)
      add(lookahead);
    position += last + 1;
    // `a = b = value` has another target after each `=`.
    if (!isTarget || next != TokenKind::Equal)
      break;
    ++position;
  } while (kind() == TokenKind::Name);
}

/// `import a.b` binds `a`; `as` renames; `from m import a` binds `a`.
void NameCollector::visitImport() {
  while (kind() != TokenKind::Import && kind() != TokenKind::Newline &&
         kind() != TokenKind::End)
    ++position;
  for (; kind() != TokenKind::Newline && kind() != TokenKind::End; ++position) {
    bool isFirst = kind() == TokenKind::Import || kind() == TokenKind::Comma;
    size_t name = kind(1) == TokenKind::LeftParen ? 2 : 1;
    if (!isFirst || kind(name) != TokenKind::Name)
      continue;
    size_t after = name + 1;
    while (kind(after) == TokenKind::Dot)
      after += 2;
    add(kind(after) == TokenKind::As && kind(after + 1) == TokenKind::Name
            ? after + 1
            : name);
  }
}

void NameCollector::visitAliases() {
  for (; kind() != TokenKind::Newline && kind() != TokenKind::End; ++position)
    if (kind() == TokenKind::As && kind(1) == TokenKind::Name)
      add(1);
}

void NameCollector::skipBlock() {
  while (kind() != TokenKind::Newline && kind() != TokenKind::End)
    ++position;
  ++position;
  size_t depth = 0;
  do {
    if (kind() == TokenKind::Indent)
      ++depth;
    else if (kind() == TokenKind::Dedent && depth > 0)
      --depth;
    else if (depth == 0)
      return;
    ++position;
  } while (position < tokens.size());
}

std::vector<StringRef> tegula::definedNames(ArrayRef<Token> tokens) {
  return NameCollector(tokens).run();
}
