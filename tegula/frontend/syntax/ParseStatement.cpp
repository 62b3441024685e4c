// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements of one line.
#include "tegula/frontend/syntax/StatementParser.h"
#include <optional>

using namespace tegula;
using namespace tegula::ast;
using llvm::SMLoc;
using llvm::StringRef;

void StatementParser::add(Block &block, SMLoc loc, Stmt::Node node) {
  auto stmt = std::make_unique<Stmt>();
  stmt->loc = loc;
  stmt->node = std::move(node);
  block.push_back(std::move(stmt));
}

/// Statements separated by `;`, up to the end of the line.
bool StatementParser::parseSimpleLine(Block &block) {
  do {
    if (!parseSimple(block))
      return false;
    if (!at(TokenKind::Newline) && !at(TokenKind::Semicolon))
      return failExpected("the end of the statement");
  } while (accept(TokenKind::Semicolon) && !at(TokenKind::Newline));
  accept(TokenKind::Newline);
  return true;
}

bool StatementParser::parseSimple(Block &block) {
  SMLoc loc = peek().loc();
  switch (peek().kind) {
  case TokenKind::Pass:
    advance();
    add(block, loc, Pass{});
    return true;
  case TokenKind::Break:
    advance();
    add(block, loc, Break{});
    return true;
  case TokenKind::Continue:
    advance();
    add(block, loc, Continue{});
    return true;
  case TokenKind::Return:
    return parseReturn(block);
  case TokenKind::Assert:
    return parseAssert(block);
  case TokenKind::Import:
    return parseImport(block);
  case TokenKind::From:
    return parseImportFrom(block);
  case TokenKind::Del:
    return parseDelete(block);
  case TokenKind::Raise:
    return parseRaise(block);
  case TokenKind::Global:
  case TokenKind::Nonlocal:
    return parseUnsupportedSimple(block);
  default:
    return parseExpressionStatement(block);
  }
}

bool StatementParser::parseUnsupportedSimple(Block &block) {
  SMLoc loc = peek().loc();
  StringRef what = at(TokenKind::Global) ? "'global'" : "'nonlocal'";
  Unsupported node{what, "pass the value as a parameter and return it"};
  while (!at(TokenKind::Newline) && !at(TokenKind::Semicolon)) {
    if (at(TokenKind::Error) || at(TokenKind::End))
      return false;
    advance();
  }
  add(block, loc, node);
  return true;
}

bool StatementParser::parseReturn(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  Return node;
  if (!at(TokenKind::Newline) && !at(TokenKind::Semicolon)) {
    node.value = parseExpressionList();
    if (!node.value)
      return false;
  }
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseAssert(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  Assert node;
  node.condition = parseExpression();
  if (!node.condition)
    return false;
  if (accept(TokenKind::Comma)) {
    node.message = parseExpression();
    if (!node.message)
      return false;
  }
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseRaise(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  Raise node;
  if (!at(TokenKind::Newline) && !at(TokenKind::Semicolon)) {
    node.value = parseExpression();
    if (!node.value || (accept(TokenKind::From) && !parseExpression()))
      return false;
  }
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseDelete(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  Delete node;
  do {
    if (at(TokenKind::Newline) && !node.targets.empty())
      break;
    ExprPtr target = parsePrimary();
    if (!target || !checkTarget(*target))
      return false;
    node.targets.push_back(std::move(target));
  } while (accept(TokenKind::Comma));
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseImportAlias(ImportAlias &alias, bool isDotted) {
  alias.loc = peek().loc();
  Token name;
  if (!expectName("a name to import", name))
    return false;
  alias.name = name.text().str();
  while (isDotted && accept(TokenKind::Dot)) {
    if (!expectName("a name after '.'", name))
      return false;
    alias.name += ("." + name.text()).str();
  }
  alias.alias = alias.name;
  if (!accept(TokenKind::As))
    return true;
  if (!expectName("a name after 'as'", name))
    return false;
  alias.alias = name.text().str();
  return true;
}

bool StatementParser::parseImport(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  Import node;
  do {
    if (!parseImportAlias(node.names.emplace_back(), /*isDotted=*/true))
      return false;
  } while (accept(TokenKind::Comma));
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseImportFrom(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  ImportFrom node;
  while (at(TokenKind::Dot) || at(TokenKind::Ellipsis) || at(TokenKind::Name)) {
    node.module += peek().text();
    advance();
  }
  if (!expect(TokenKind::Import, "'import' after the module's name"))
    return false;
  SMLoc star = peek().loc();
  if (accept(TokenKind::Star)) {
    node.names.push_back({"*", "*", star});
    add(block, loc, std::move(node));
    return true;
  }
  bool hasParens = accept(TokenKind::LeftParen);
  do {
    if (hasParens && !node.names.empty() && at(TokenKind::RightParen))
      break;
    if (!parseImportAlias(node.names.emplace_back(), /*isDotted=*/false))
      return false;
  } while (accept(TokenKind::Comma));
  if (hasParens && !expect(TokenKind::RightParen, "',' or ')' in the import"))
    return false;
  add(block, loc, std::move(node));
  return true;
}

static std::optional<BinaryOp> augmentedOp(TokenKind kind) {
  switch (kind) {
  case TokenKind::PlusEqual:
    return BinaryOp::Add;
  case TokenKind::MinusEqual:
    return BinaryOp::Sub;
  case TokenKind::StarEqual:
    return BinaryOp::Mul;
  case TokenKind::SlashEqual:
    return BinaryOp::Div;
  case TokenKind::DoubleSlashEqual:
    return BinaryOp::FloorDiv;
  case TokenKind::PercentEqual:
    return BinaryOp::Mod;
  case TokenKind::DoubleStarEqual:
    return BinaryOp::Pow;
  case TokenKind::AtEqual:
    return BinaryOp::MatMul;
  case TokenKind::LeftShiftEqual:
    return BinaryOp::ShiftLeft;
  case TokenKind::RightShiftEqual:
    return BinaryOp::ShiftRight;
  case TokenKind::AmpersandEqual:
    return BinaryOp::BitAnd;
  case TokenKind::PipeEqual:
    return BinaryOp::BitOr;
  case TokenKind::CaretEqual:
    return BinaryOp::BitXor;
  default:
    return std::nullopt;
  }
}

/// The name that `pl.write(name, ...)` as a statement gives another value if it
/// is a tile; null if the expression is something else.
static const Expr *writtenName(const Expr &expr) {
  const auto *call = std::get_if<Call>(&expr.node);
  const auto *path =
      call ? std::get_if<Attribute>(&call->callee->node) : nullptr;
  if (!path || path->name != "write")
    return nullptr;
  const Expr *base = path->value.get();
  if (const auto *space = std::get_if<Attribute>(&base->node);
      space && (space->name == "tile" || space->name == "tensor"))
    base = space->value.get();
  const auto *language = std::get_if<Name>(&base->node);
  if (!language || language->id != "pl")
    return nullptr;
  const Expr *target = call->args.empty() ? nullptr : call->args.front().get();
  for (const Keyword &keyword : call->keywords)
    if (!target &&
        llvm::is_contained({"x", "tile", "tensor", "dst"}, keyword.name))
      target = keyword.value.get();
  return target && std::holds_alternative<Name>(target->node) ? target
                                                              : nullptr;
}

/// An assignment of any kind, or an expression for its effect.
bool StatementParser::parseExpressionStatement(Block &block) {
  SMLoc loc = peek().loc();
  ExprPtr first = parseExpressionList();
  if (!first)
    return false;
  if (at(TokenKind::Equal))
    return parseAssign(block, loc, std::move(first));
  if (at(TokenKind::Colon))
    return parseAnnAssign(block, loc, std::move(first));
  if (augmentedOp(peek().kind))
    return parseAugAssign(block, loc, std::move(first));
  if (const Expr *written = writtenName(*first)) {
    auto target = std::make_unique<Expr>();
    target->loc = written->loc;
    target->node = Name{std::get<Name>(written->node)};
    Assign assign;
    assign.targets.push_back(std::move(target));
    assign.value = std::move(first);
    add(block, loc, std::move(assign));
    return true;
  }
  add(block, loc, ExprStmt{std::move(first)});
  return true;
}

bool StatementParser::parseAssign(Block &block, SMLoc loc, ExprPtr first) {
  Assign node;
  node.value = std::move(first);
  while (at(TokenKind::Equal)) {
    if (!checkTarget(*node.value))
      return false;
    advance();
    node.targets.push_back(std::move(node.value));
    node.value = parseExpressionList();
    if (!node.value)
      return false;
  }
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseAnnAssign(Block &block, SMLoc loc, ExprPtr target) {
  if (!checkSingleTarget(*target, "an annotated assignment"))
    return false;
  advance();
  AnnAssign node;
  node.target = std::move(target);
  node.annotation = parseAnnotation();
  if (!node.annotation)
    return false;
  if (accept(TokenKind::Equal)) {
    node.value = parseExpressionList();
    if (!node.value)
      return false;
  }
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseAugAssign(Block &block, SMLoc loc, ExprPtr target) {
  if (!checkSingleTarget(*target, "an augmented assignment"))
    return false;
  AugAssign node{*augmentedOp(peek().kind), peek().loc(), std::move(target),
                 nullptr};
  advance();
  node.value = parseExpressionList();
  if (!node.value)
    return false;
  add(block, loc, std::move(node));
  return true;
}
