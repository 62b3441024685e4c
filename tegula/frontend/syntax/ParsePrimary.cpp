// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, literals, brackets, and what may follow them: calls, subscripts and
// attributes.
#include "tegula/frontend/syntax/ExpressionParser.h"
#include "tegula/frontend/syntax/Literals.h"
#include "tegula/frontend/syntax/ParseFString.h"
#include "llvm/ADT/DenseSet.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::SMLoc;

/// An atom and the calls, subscripts and attributes applied to it.
ExprPtr ExpressionParser::parsePrimary() {
  SMLoc start = peek().loc();
  ExprPtr expr = parseAtom();
  while (expr) {
    if (at(TokenKind::Dot))
      expr = parseAttribute(start, std::move(expr));
    else if (at(TokenKind::LeftParen))
      expr = parseCall(start, std::move(expr));
    else if (at(TokenKind::LeftSquare))
      expr = parseSubscript(start, std::move(expr));
    else
      break;
  }
  return expr;
}

ExprPtr ExpressionParser::parseAtom() {
  Token token = peek();
  auto leaf = [&](Expr::Node node) {
    advance();
    return make(token.loc(), std::move(node));
  };
  switch (token.kind) {
  case TokenKind::Name:
    return leaf(Name{token.text()});
  case TokenKind::Number:
    return parseNumber();
  case TokenKind::String:
    return parseStrings();
  case TokenKind::True:
    return leaf(Bool{true});
  case TokenKind::False:
    return leaf(Bool{false});
  case TokenKind::None:
    return leaf(None{});
  case TokenKind::Ellipsis:
    return leaf(Ellipsis{});
  case TokenKind::LeftParen:
    return parseParenthesized();
  case TokenKind::LeftSquare:
    return parseListDisplay();
  case TokenKind::LeftBrace:
    return parseBraces();
  default:
    failExpected("an expression");
    return nullptr;
  }
}

ExprPtr ExpressionParser::parseNumber() {
  SMLoc start = peek().loc();
  Expr::Node node;
  std::string problem = readNumber(peek().text(), node);
  if (!problem.empty()) {
    failAt(start, problem);
    return nullptr;
  }
  advance();
  return make(start, std::move(node));
}

ExprPtr ExpressionParser::parseStrings() {
  SMLoc start = peek().loc();
  String string;
  bool isBytes = false;
  for (; at(TokenKind::String); advance()) {
    StringPrefix prefix = stringPrefix(peek().text());
    isBytes |= prefix.isBytes;
    string.isFString |= prefix.isFormatted;
    if (prefix.isBytes)
      continue;
    readFStringParts(string, peek().text());
    std::string problem = readString(peek().text(), string.value);
    if (!problem.empty()) {
      failAt(peek().loc(), problem);
      return nullptr;
    }
  }
  if (isBytes)
    return make(start, Unsupported{"a bytes literal", "use a string"});
  if (!string.isFString)
    string.parts.clear();
  return make(start, std::move(string));
}

/// `()`, `(a)`, `(a, b)`, or a generator.
ExprPtr ExpressionParser::parseParenthesized() {
  SMLoc start = peek().loc();
  advance();
  if (accept(TokenKind::RightParen))
    return make(start, Tuple{});
  ExprPtr inner = parseExpressionList();
  if (!inner)
    return nullptr;
  if (atComprehension())
    inner = parseComprehension(start, Comprehension::Kind::Generator,
                               std::move(inner), nullptr);
  if (!inner || !expect(TokenKind::RightParen, "',' or ')'"))
    return nullptr;
  // The parentheses belong to the expression, whatever it is.
  inner->loc = start;
  inner->end = tokens[position - 1].end();
  return inner;
}

ExprPtr ExpressionParser::parseListDisplay() {
  SMLoc start = peek().loc();
  advance();
  List list;
  while (!accept(TokenKind::RightSquare)) {
    ExprPtr element = parseListItem();
    if (!element)
      return nullptr;
    list.elements.push_back(std::move(element));
    if (list.elements.size() == 1 && atComprehension()) {
      ExprPtr made =
          parseComprehension(start, Comprehension::Kind::List,
                             std::move(list.elements.front()), nullptr);
      if (!made ||
          !expect(TokenKind::RightSquare, "']' after the comprehension"))
        return nullptr;
      made->end = tokens[position - 1].end();
      return made;
    }
    if (!at(TokenKind::RightSquare) &&
        !expect(TokenKind::Comma, "',' or ']' in the list"))
      return nullptr;
  }
  return make(start, std::move(list));
}

/// The rest of a set, behind its first element.
ExprPtr ExpressionParser::parseSet(SMLoc start, ExprPtr first) {
  if (atComprehension()) {
    ExprPtr made = parseComprehension(start, Comprehension::Kind::Set,
                                      std::move(first), nullptr);
    if (!made || !expect(TokenKind::RightBrace, "'}' after the comprehension"))
      return nullptr;
    made->end = tokens[position - 1].end();
    return made;
  }
  Set set;
  set.elements.push_back(std::move(first));
  while (!accept(TokenKind::RightBrace)) {
    if (!expect(TokenKind::Comma, "',' or '}' in the set"))
      return nullptr;
    if (at(TokenKind::RightBrace))
      continue;
    ExprPtr element = parseListItem();
    if (!element)
      return nullptr;
    set.elements.push_back(std::move(element));
  }
  return make(start, std::move(set));
}

/// `{key: value, ...}`, a set, or a comprehension.
ExprPtr ExpressionParser::parseBraces() {
  SMLoc start = peek().loc();
  advance();
  Dict dict;
  while (!accept(TokenKind::RightBrace)) {
    SMLoc entry = peek().loc();
    bool isUnpacked = accept(TokenKind::DoubleStar);
    ExprPtr key = isUnpacked ? parseBinary(1) : parseListItem();
    if (key && isUnpacked)
      key = make(entry, DoubleStarred{std::move(key)});
    if (!key)
      return nullptr;
    if (!isUnpacked && dict.keys.empty() && !at(TokenKind::Colon))
      return parseSet(start, std::move(key));
    if (!isUnpacked && !expect(TokenKind::Colon, "':' after the key"))
      return nullptr;
    ExprPtr value = isUnpacked ? nullptr : parseExpression();
    if (!isUnpacked && !value)
      return nullptr;
    if (atComprehension() && dict.keys.empty() && value) {
      ExprPtr made = parseComprehension(start, Comprehension::Kind::Dict,
                                        std::move(key), std::move(value));
      if (!made ||
          !expect(TokenKind::RightBrace, "'}' after the comprehension"))
        return nullptr;
      made->end = tokens[position - 1].end();
      return made;
    }
    dict.keys.push_back(std::move(key));
    dict.values.push_back(std::move(value));
    if (!at(TokenKind::RightBrace) &&
        !expect(TokenKind::Comma, "',' or '}' in the dict"))
      return nullptr;
  }
  return make(start, std::move(dict));
}

ExprPtr ExpressionParser::parseAttribute(SMLoc start, ExprPtr value) {
  advance();
  Token name;
  if (!expectName("a name after '.'", name))
    return nullptr;
  return make(start, Attribute{std::move(value), name.text(), name.loc()});
}

bool ExpressionParser::checkKeywords(const Call &call) {
  llvm::DenseSet<llvm::StringRef> seen;
  for (const Keyword &keyword : call.keywords)
    if (!seen.insert(keyword.name).second)
      return failAt(keyword.loc,
                    "keyword argument '" + keyword.name + "' is given twice");
  return true;
}

ExprPtr ExpressionParser::parseCall(SMLoc start, ExprPtr callee) {
  advance();
  Call call;
  call.callee = std::move(callee);
  if (!parseArguments(call))
    return nullptr;
  return make(start, std::move(call));
}

/// What stands between the parentheses of a call, and the closing one.
bool ExpressionParser::parseArguments(Call &call) {
  while (!accept(TokenKind::RightParen)) {
    if (!parseArgument(call))
      return false;
    if (!at(TokenKind::RightParen) &&
        !expect(TokenKind::Comma, "',' or ')' in the call"))
      return false;
  }
  return checkKeywords(call);
}

bool ExpressionParser::parseArgument(Call &call) {
  SMLoc loc = peek().loc();
  if (accept(TokenKind::DoubleStar)) {
    ExprPtr value = parseExpression();
    ExprPtr arg = value ? make(loc, DoubleStarred{std::move(value)}) : nullptr;
    if (!arg)
      return false;
    call.args.push_back(std::move(arg));
    return true;
  }
  if (at(TokenKind::Name) && peek(1).kind == TokenKind::Equal) {
    Keyword keyword{peek().text(), loc, nullptr};
    advance();
    advance();
    keyword.value = parseExpression();
    if (!keyword.value)
      return false;
    call.keywords.push_back(std::move(keyword));
    return true;
  }
  ExprPtr arg = parseListItem();
  if (!arg)
    return false;
  if (atComprehension())
    arg = parseComprehension(loc, Comprehension::Kind::Generator,
                             std::move(arg), nullptr);
  if (!arg)
    return false;
  bool isUnpacked = std::holds_alternative<Starred>(arg->node);
  if (!call.keywords.empty() && !isUnpacked)
    return failAt(loc, "a positional argument follows the keyword argument '" +
                           call.keywords.back().name + "'");
  call.args.push_back(std::move(arg));
  return true;
}

ExprPtr ExpressionParser::parseSubscript(SMLoc start, ExprPtr value) {
  advance();
  Subscript subscript;
  subscript.value = std::move(value);
  if (at(TokenKind::RightSquare)) {
    failExpected("an index");
    return nullptr;
  }
  bool hasComma = false;
  while (!accept(TokenKind::RightSquare)) {
    if (!parseSubscriptItem(subscript))
      return nullptr;
    if (at(TokenKind::RightSquare))
      continue;
    hasComma = true;
    if (!expect(TokenKind::Comma, "',' or ']' in the subscript"))
      return nullptr;
  }
  auto *only = std::get_if<ExprPtr>(&subscript.items.front());
  auto *tuple =
      only && !hasComma ? std::get_if<Tuple>(&(*only)->node) : nullptr;
  if (tuple && !tuple->elements.empty()) {
    std::vector<ExprPtr> elements = std::move(tuple->elements);
    subscript.items.clear();
    for (ExprPtr &element : elements)
      subscript.items.emplace_back(std::move(element));
  }
  return make(start, std::move(subscript));
}

bool ExpressionParser::parseSubscriptItem(Subscript &subscript) {
  Slice slice;
  slice.loc = peek().loc();
  auto parsePart = [&](ExprPtr &part) {
    if (at(TokenKind::Colon) || at(TokenKind::Comma) ||
        at(TokenKind::RightSquare))
      return true;
    part = parseExpression();
    return part != nullptr;
  };
  if (!at(TokenKind::Colon)) {
    ExprPtr item = parseListItem();
    if (!item)
      return false;
    if (!at(TokenKind::Colon)) {
      subscript.items.emplace_back(std::move(item));
      return true;
    }
    slice.lower = std::move(item);
  }
  advance();
  if (!parsePart(slice.upper))
    return false;
  if (accept(TokenKind::Colon) && !parsePart(slice.step))
    return false;
  subscript.items.emplace_back(std::move(slice));
  return true;
}
