// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and classes.
#include "tegula/frontend/syntax/KernelParser.h"
#include "tegula/frontend/syntax/Lexer.h"
#include "tegula/frontend/syntax/Parser.h"
#include "llvm/ADT/DenseSet.h"

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

bool KernelParser::parseParams(FunctionDef &function, ParamList list) {
  bool isLambda = list == ParamList::OfLambda;
  TokenKind end = isLambda ? TokenKind::Colon : TokenKind::RightParen;
  ParamKind kind = ParamKind::Plain;
  while (!accept(end)) {
    if (!parseParam(function, kind, list))
      return false;
    if (!at(end) && !expect(TokenKind::Comma,
                            isLambda ? "':' after the parameters of 'lambda'"
                                     : "',' or ')' in the parameter list"))
      return false;
  }
  llvm::DenseSet<llvm::StringRef> seen;
  for (const Param &param : function.params)
    if (!seen.insert(param.name).second)
      return failAt(param.loc,
                    "parameter '" + param.name + "' is declared twice");
  return true;
}

/// One entry of the list; `kind` is what the entries are, and changes at `*`.
bool KernelParser::parseParam(FunctionDef &function, ParamKind &kind,
                              ParamList list) {
  if (at(TokenKind::Slash)) {
    if (function.params.empty() || kind != ParamKind::Plain)
      return fail("'/' must follow the parameters that are positional only");
    for (Param &param : function.params)
      param.kind = ParamKind::PositionalOnly;
    advance();
    return true;
  }
  Param param;
  param.kind = kind;
  if (accept(TokenKind::DoubleStar)) {
    param.kind = ParamKind::DoubleStar;
  } else if (accept(TokenKind::Star)) {
    kind = ParamKind::KeywordOnly;
    if (at(TokenKind::Comma))
      return true;
    param.kind = ParamKind::Star;
  }
  Token name;
  if (!expectName("a parameter's name", name))
    return false;
  param.name = name.text();
  param.loc = name.loc();
  if (list == ParamList::OfFunction && accept(TokenKind::Colon)) {
    param.annotation = parseAnnotation();
    if (!param.annotation)
      return false;
  }
  if (accept(TokenKind::Equal)) {
    param.defaultValue = parseExpression();
    if (!param.defaultValue)
      return false;
  }
  if (!checkParam(function, param))
    return false;
  function.params.push_back(std::move(param));
  return true;
}

/// An annotation in quotes is, as in Python, what stands in them.
ExprPtr KernelParser::parseAnnotation() {
  StringRef literal = peek().text();
  ExprPtr annotation = parseExpression();
  const auto *string =
      annotation ? std::get_if<String>(&annotation->node) : nullptr;
  if (!string)
    return annotation;
  StringRef quotes = literal.starts_with("\"\"\"") || literal.starts_with("'''")
                         ? literal.take_front(3)
                         : literal.take_front(1);
  // What is written in another way than it reads has no place to point at.
  StringRef inside = literal;
  if (!inside.consume_front(quotes) || !inside.consume_back(quotes) ||
      inside != string->value || string->isFString)
    return annotation;
  std::vector<Token> inner =
      lex(inside.trim(), diagnostics, maxParseErrors + 1);
  KernelParser parser(inner, diagnostics);
  annotation = parser.parseExpression();
  parser.accept(TokenKind::Newline);
  if (annotation && !parser.at(TokenKind::End)) {
    parser.failExpected("the end of the annotation");
    return nullptr;
  }
  return annotation;
}

/// Arguments are matched by position, so defaults come last.
bool KernelParser::checkParam(const FunctionDef &function, const Param &param) {
  if (param.kind != ParamKind::Plain || param.defaultValue ||
      function.params.empty() || !function.params.back().defaultValue)
    return true;
  return failAt(param.loc,
                "parameter '" + param.name + "' has no default but follows '" +
                    function.params.back().name + "', which has one");
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
