// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of functions and lambdas, and annotations.
#include "tegula/frontend/syntax/ExpressionParser.h"
#include "tegula/frontend/syntax/Lexer.h"
#include "tegula/frontend/syntax/Parser.h"
#include "llvm/ADT/DenseSet.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::StringRef;

bool ExpressionParser::parseParams(FunctionDef &function, ParamList list) {
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
bool ExpressionParser::parseParam(FunctionDef &function, ParamKind &kind,
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
ExprPtr ExpressionParser::parseAnnotation() {
  StringRef literal = peek().text();
  ExprPtr annotation = parseExpression();
  const auto *string =
      annotation ? std::get_if<String>(&annotation->node) : nullptr;
  if (!string)
    return annotation;
  StringRef quotes = literal.starts_with("\"\"\"") || literal.starts_with("'''")
                         ? literal.take_front(3)
                         : literal.take_front(1);
  // What is written in another way than it reads has no location to point at.
  StringRef inside = literal;
  if (!inside.consume_front(quotes) || !inside.consume_back(quotes) ||
      inside != string->value || string->isFString)
    return annotation;
  std::vector<Token> inner =
      lex(inside.trim(), diagnostics, maxParseErrors + 1);
  ExpressionParser parser(inner, diagnostics);
  annotation = parser.parseExpression();
  parser.accept(TokenKind::Newline);
  if (annotation && !parser.at(TokenKind::End)) {
    parser.failExpected("the end of the annotation");
    return nullptr;
  }
  return annotation;
}

/// Arguments are matched by position, so defaults come last.
bool ExpressionParser::checkParam(const FunctionDef &function,
                                  const Param &param) {
  if (param.kind != ParamKind::Plain || param.defaultValue ||
      function.params.empty() || !function.params.back().defaultValue)
    return true;
  return failAt(param.loc,
                "parameter '" + param.name + "' has no default but follows '" +
                    function.params.back().name + "', which has one");
}
