// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, literals, brackets, and what may follow them: calls, subscripts and
// attributes.
#include "tegula/frontend/syntax/KernelParser.h"
#include "tegula/frontend/syntax/Literals.h"
#include "llvm/ADT/DenseSet.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::SMLoc;

/// An atom and the calls, subscripts and attributes applied to it.
ExprPtr KernelParser::parsePrimary() {
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

ExprPtr KernelParser::parseAtom() {
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

ExprPtr KernelParser::parseNumber() {
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

ExprPtr KernelParser::parseStrings() {
  SMLoc start = peek().loc();
  String string;
  bool isBytes = false;
  for (; at(TokenKind::String); advance()) {
    StringPrefix prefix = stringPrefix(peek().text());
    isBytes |= prefix.isBytes;
    string.isFString |= prefix.isFormatted;
    if (prefix.isBytes)
      continue;
    std::string problem = readString(peek().text(), string.value);
    if (!problem.empty()) {
      failAt(peek().loc(), problem);
      return nullptr;
    }
  }
  if (isBytes)
    return make(start, Unsupported{"a bytes literal", "use a string"});
  return make(start, std::move(string));
}

bool KernelParser::atComprehension() const {
  return at(TokenKind::For) ||
         (at(TokenKind::Async) && peek(1).kind == TokenKind::For);
}

/// `()`, `(a)`, `(a, b)`, or a generator.
ExprPtr KernelParser::parseParenthesized() {
  SMLoc start = peek().loc();
  advance();
  if (accept(TokenKind::RightParen))
    return make(start, Tuple{});
  ExprPtr inner = parseExpressionList();
  if (!inner)
    return nullptr;
  if (atComprehension()) {
    if (!skipToClosing())
      return nullptr;
    inner->node = Unsupported{"a generator expression", "write a 'for' loop"};
  }
  if (!expect(TokenKind::RightParen, "',' or ')'"))
    return nullptr;
  // The parentheses belong to the expression, whatever it is.
  inner->loc = start;
  inner->end = tokens[position - 1].end();
  return inner;
}

ExprPtr KernelParser::parseListDisplay() {
  SMLoc start = peek().loc();
  advance();
  List list;
  while (!accept(TokenKind::RightSquare)) {
    ExprPtr element = parseListItem();
    if (!element)
      return nullptr;
    list.elements.push_back(std::move(element));
    if (list.elements.size() == 1 && atComprehension()) {
      if (!skipToClosing())
        return nullptr;
      advance();
      return make(start, Unsupported{"a list comprehension",
                                     "write the elements one by one"});
    }
    if (!at(TokenKind::RightSquare) &&
        !expect(TokenKind::Comma, "',' or ']' in the list"))
      return nullptr;
  }
  return make(start, std::move(list));
}

/// `{key: value, ...}`; sets and comprehensions are not taken apart.
ExprPtr KernelParser::parseBraces() {
  SMLoc start = peek().loc();
  advance();
  Dict dict;
  auto leaveOut = [&](llvm::StringRef what, llvm::StringRef advice) -> ExprPtr {
    if (!skipToClosing())
      return nullptr;
    advance();
    return make(start, Unsupported{what, advice});
  };
  while (!accept(TokenKind::RightBrace)) {
    if (at(TokenKind::DoubleStar))
      return leaveOut("unpacking with '**'", "write the entries one by one");
    ExprPtr key = parseListItem();
    if (!key)
      return nullptr;
    if (!accept(TokenKind::Colon))
      return leaveOut("a set", "use a tuple");
    ExprPtr value = parseExpression();
    if (!value)
      return nullptr;
    if (atComprehension())
      return leaveOut("a dict comprehension", "write the entries one by one");
    dict.keys.push_back(std::move(key));
    dict.values.push_back(std::move(value));
    if (!at(TokenKind::RightBrace) &&
        !expect(TokenKind::Comma, "',' or '}' in the dict"))
      return nullptr;
  }
  return make(start, std::move(dict));
}

ExprPtr KernelParser::parseAttribute(SMLoc start, ExprPtr value) {
  advance();
  Token name;
  if (!expectName("a name after '.'", name))
    return nullptr;
  return make(start, Attribute{std::move(value), name.text(), name.loc()});
}

bool KernelParser::checkKeywords(const Call &call) {
  llvm::DenseSet<llvm::StringRef> seen;
  for (const Keyword &keyword : call.keywords)
    if (!seen.insert(keyword.name).second)
      return failAt(keyword.loc,
                    "keyword argument '" + keyword.name + "' is given twice");
  return true;
}

ExprPtr KernelParser::parseCall(SMLoc start, ExprPtr callee) {
  advance();
  Call call;
  call.callee = std::move(callee);
  while (!accept(TokenKind::RightParen)) {
    if (!parseArgument(call))
      return nullptr;
    if (!at(TokenKind::RightParen) &&
        !expect(TokenKind::Comma, "',' or ')' in the call"))
      return nullptr;
  }
  if (!checkKeywords(call))
    return nullptr;
  return make(start, std::move(call));
}

bool KernelParser::parseArgument(Call &call) {
  SMLoc loc = peek().loc();
  if (accept(TokenKind::DoubleStar)) {
    if (!parseExpression())
      return false;
    call.args.push_back(
        make(loc, Unsupported{"unpacking with '**'",
                              "write the keyword arguments one by one"}));
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
  if (atComprehension()) {
    if (!skipToClosing())
      return false;
    arg =
        make(loc, Unsupported{"a generator expression", "write a 'for' loop"});
  }
  bool isUnpacked = std::holds_alternative<Unsupported>(arg->node);
  if (!call.keywords.empty() && !isUnpacked)
    return failAt(loc, "a positional argument follows the keyword argument '" +
                           call.keywords.back().name + "'");
  call.args.push_back(std::move(arg));
  return true;
}

ExprPtr KernelParser::parseSubscript(SMLoc start, ExprPtr value) {
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

bool KernelParser::parseSubscriptItem(Subscript &subscript) {
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
