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
  if (!skipsOuterCompound(block))
    parseOuterLine(block);
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

/// True if one of the decorators from here on makes what follows a kernel. If
/// none does, the parser is left at what they decorate.
bool KernelParser::hasKernelDecorator() {
  size_t first = position;
  for (; at(TokenKind::At); skipLine()) {
    if (atKernelDecorator()) {
      position = first;
      return true;
    }
  }
  return false;
}

bool KernelParser::skipsOuterCompound(Block &block) {
  switch (peek().kind) {
  case TokenKind::Def:
    skipOuter(block, "a function without a kernel decorator");
    return true;
  case TokenKind::Class:
    parsePlainClass(block);
    return true;
  case TokenKind::Async:
    skipOuter(block, "an 'async' statement");
    return true;
  case TokenKind::If:
    skipOuter(block, "an 'if' outside a kernel");
    return true;
  case TokenKind::For:
    skipOuter(block, "a 'for' outside a kernel");
    return true;
  case TokenKind::While:
    skipOuter(block, "a 'while' outside a kernel");
    return true;
  case TokenKind::Try:
    skipOuter(block, "a 'try' outside a kernel");
    return true;
  case TokenKind::With:
    skipOuter(block, "a 'with' outside a kernel");
    return true;
  default:
    return false;
  }
}

/// A class may hold constants. If it holds anything else that is no kernel
/// code, that is skipped, and if it cannot be parsed at all, so is the class.
void KernelParser::parsePlainClass(Block &block) {
  size_t first = position;
  size_t numErrors = diagnostics.errors.size();
  bool isParsed = false;
  {
    llvm::SaveAndRestore tentative(isTentative, true);
    isParsed = parseClass(block, {});
  }
  if (isParsed && diagnostics.errors.size() == numErrors)
    return;
  if (isParsed)
    block.pop_back();
  diagnostics.errors.resize(numErrors);
  position = first;
  skipOuter(block, "a class without a kernel decorator");
}

void KernelParser::skipOuter(Block &block, StringRef what) {
  size_t first = position;
  SMLoc loc = peek().loc();
  skipCompound();
  add(block, loc,
      Skipped{what, definedNames(tokens.slice(first, position - first))});
}

void KernelParser::parseOuterLine(Block &block) {
  size_t first = position;
  size_t numErrors = diagnostics.errors.size();
  Block line;
  bool isParsed = false;
  {
    llvm::SaveAndRestore tentative(isTentative, true);
    isParsed = parseSimpleLine(line);
  }
  for (const StmtPtr &stmt : line)
    isParsed &= !std::holds_alternative<Unsupported>(stmt->node);
  if (isParsed) {
    for (StmtPtr &stmt : line)
      block.push_back(std::move(stmt));
    return;
  }
  diagnostics.errors.resize(numErrors);
  position = first;
  skipOuter(block, "a statement that is not kernel code");
}
