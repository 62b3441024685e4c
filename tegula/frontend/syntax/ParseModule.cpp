// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Module and class level: what is kernel code is parsed, the rest is skipped.
#include "tegula/frontend/syntax/DefinedNames.h"
#include "tegula/frontend/syntax/KernelParser.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::SMLoc;
using llvm::StringRef;

Module KernelParser::parseModule() {
  Module module;
  while (!at(TokenKind::End))
    parseOuterStatement(module.body);
  return module;
}

Module KernelParser::parseDefinition() {
  Module module;
  if (!parseDecorated(module.body))
    recover();
  else if (!at(TokenKind::End))
    failExpected("the end of the definition");
  return module;
}

void KernelParser::parseOuterStatement(Block &block) {
  if (at(TokenKind::Indent)) {
    fail("this line is indented more than the block it belongs to");
    skipBlock();
    return;
  }
  if (at(TokenKind::At) && hasKernelDecorator()) {
    if (!parseDecorated(block))
      recover();
    return;
  }
  parseOrdinary(block);
}

/// True at `@pl.anything`, and at a decorator whose last name is one of ours.
bool KernelParser::atKernelDecorator() const {
  if (!at(TokenKind::At) || peek(1).kind != TokenKind::Name)
    return false;
  size_t last = 1;
  while (peek(last + 1).kind == TokenKind::Dot) {
    if (peek(1).text() == "pl")
      return true;
    if (peek(last + 2).kind != TokenKind::Name)
      return false;
    last += 2;
  }
  return llvm::StringSwitch<bool>(peek(last).text())
      .Cases({"jit", "incore", "inline", "opaque"}, true)
      .Cases({"host", "program", "function"}, true)
      .Default(false);
}

/// True if one of the decorators from here on makes what follows a kernel.
bool KernelParser::hasKernelDecorator() {
  size_t first = position;
  bool isKernel = false;
  for (; at(TokenKind::At); skipLine())
    isKernel |= atKernelDecorator();
  position = first;
  return isKernel;
}

/// What to call a statement that is not parsed.
static StringRef describeOrdinary(TokenKind kind) {
  switch (kind) {
  case TokenKind::Def:
    return "a function without a kernel decorator";
  case TokenKind::Class:
    return "a class without a kernel decorator";
  case TokenKind::Async:
    return "an 'async' statement";
  case TokenKind::If:
    return "an 'if' outside a kernel";
  case TokenKind::For:
    return "a 'for' outside a kernel";
  case TokenKind::While:
    return "a 'while' outside a kernel";
  case TokenKind::Try:
    return "a 'try' outside a kernel";
  case TokenKind::With:
    return "a 'with' outside a kernel";
  default:
    return "a statement that is not kernel code";
  }
}

/// True if a kernel decorator stands between the token `first` and here.
bool KernelParser::holdsKernel(size_t first) const {
  KernelParser lookahead(tokens, diagnostics);
  for (lookahead.position = first; lookahead.position < position;
       lookahead.advance())
    if (lookahead.atKernelDecorator())
      return true;
  return false;
}

/// Ordinary Python: what cannot be parsed is skipped, unless there is a kernel
/// in it, whose author wants to know.
void KernelParser::parseOrdinary(Block &block) {
  size_t first = position;
  size_t numErrors = diagnostics.errors.size();
  Block parsed;
  bool isParsed = false;
  {
    llvm::SaveAndRestore tentative(isTentative, true);
    isParsed = parseCompound(parsed);
  }
  isParsed &= diagnostics.errors.size() == numErrors;
  for (const StmtPtr &stmt : parsed)
    isParsed &= !std::holds_alternative<Unsupported>(stmt->node);
  if (isParsed) {
    for (StmtPtr &stmt : parsed)
      block.push_back(std::move(stmt));
    return;
  }
  std::vector<std::pair<SMLoc, std::string>> problems(
      diagnostics.errors.begin() + numErrors, diagnostics.errors.end());
  diagnostics.errors.resize(numErrors);
  position = first;
  while (at(TokenKind::At))
    skipLine();
  skipOuter(block, describeOrdinary(peek().kind));
  if (holdsKernel(first))
    llvm::append_range(diagnostics.errors, problems);
}

void KernelParser::skipOuter(Block &block, StringRef what) {
  size_t first = position;
  SMLoc loc = peek().loc();
  skipCompound();
  add(block, loc,
      Skipped{what, definedNames(tokens.slice(first, position - first))});
}
