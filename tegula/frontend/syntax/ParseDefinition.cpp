// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and classes.
#include "tegula/frontend/syntax/KernelParser.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::SMLoc;
using llvm::StringRef;

bool KernelParser::parseDecorated(Block &block) {
  std::vector<ExprPtr> decorators;
  while (accept(TokenKind::At)) {
    ExprPtr decorator = parseNamedExpression();
    if (!decorator ||
        !expect(TokenKind::Newline, "the end of the line after the decorator"))
      return false;
    decorators.push_back(std::move(decorator));
  }
  if (at(TokenKind::Def))
    return parseFunction(block, std::move(decorators));
  if (at(TokenKind::Class))
    return parseClass(block, std::move(decorators));
  if (at(TokenKind::Async) && peek(1).kind == TokenKind::Def) {
    SMLoc loc = peek().loc();
    advance();
    if (!parseFunction(block, std::move(decorators)))
      return false;
    std::get<FunctionDef>(block.back()->node).asyncLoc = loc;
    return true;
  }
  return failExpected("'def' or 'class' after the decorator");
}

bool KernelParser::parseFunction(Block &block,
                                 std::vector<ExprPtr> decorators) {
  SMLoc loc = peek().loc();
  advance();
  FunctionDef node;
  node.decorators = std::move(decorators);
  Token name;
  if (!expectName("the function's name after 'def'", name))
    return false;
  node.name = name.text();
  node.nameLoc = name.loc();
  if (!expect(TokenKind::LeftParen, "'(' after the function's name") ||
      !parseParams(node, ParamList::OfFunction))
    return false;
  if (accept(TokenKind::Arrow)) {
    node.returns = parseAnnotation();
    if (!node.returns)
      return false;
  }
  if (!parseSuite("function", node.body))
    return false;
  add(block, loc, std::move(node));
  return true;
}

bool KernelParser::parseClass(Block &block, std::vector<ExprPtr> decorators) {
  SMLoc loc = peek().loc();
  advance();
  ClassDef node;
  node.decorators = std::move(decorators);
  Token name;
  if (!expectName("the class's name after 'class'", name))
    return false;
  node.name = name.text();
  node.nameLoc = name.loc();
  if (at(TokenKind::LeftParen)) {
    advance();
    Call list;
    if (!parseArguments(list))
      return false;
    node.bases = std::move(list.args);
  }
  if (!parseSuite("class", node.body,
                  [this](Block &inner) { parseOuterStatement(inner); }))
    return false;
  add(block, loc, std::move(node));
  return true;
}
