// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators, from the loosest binding to the tightest.
#include "tegula/frontend/syntax/ExpressionParser.h"
#include <optional>

using namespace tegula;
using namespace tegula::ast;
using llvm::SMLoc;

namespace {

/// The height of the highest direct child of a node. Operands that are
/// evaluated only if those before them say so count as nested in those.
struct ChildHeight {
  unsigned height = 0;

  void take(const ExprPtr &child) {
    if (child)
      height = std::max(height, child->height);
  }
  void take(const std::vector<ExprPtr> &children) {
    for (const ExprPtr &child : children)
      take(child);
  }
  template <typename Leaf> void operator()(const Leaf &) {}
  void operator()(const Attribute &node) { take(node.value); }
  void operator()(const Unary &node) { take(node.operand); }
  void operator()(const Binary &node) {
    take(node.lhs);
    take(node.rhs);
  }
  void operator()(const Compare &node) {
    take(node.first);
    for (const CompareLink &link : node.links)
      take(link.operand);
    height += node.links.size();
  }
  void operator()(const BoolOp &node) {
    take(node.operands);
    height += node.operands.size() - 1;
  }
  void operator()(const Conditional &node) {
    take(node.condition);
    take(node.thenValue);
    take(node.elseValue);
  }
  void operator()(const Call &node) {
    take(node.callee);
    take(node.args);
    for (const Keyword &keyword : node.keywords)
      take(keyword.value);
  }
  void operator()(const Subscript &node) {
    take(node.value);
    for (const SubscriptItem &item : node.items) {
      if (const auto *expr = std::get_if<ExprPtr>(&item)) {
        take(*expr);
        continue;
      }
      const auto &slice = std::get<Slice>(item);
      take(slice.lower);
      take(slice.upper);
      take(slice.step);
    }
  }
  void operator()(const List &node) { take(node.elements); }
  void operator()(const Tuple &node) { take(node.elements); }
  void operator()(const Dict &node) {
    take(node.keys);
    take(node.values);
  }
  void operator()(const Starred &node) { take(node.value); }
  void operator()(const DoubleStarred &node) { take(node.value); }
  void operator()(const NamedExpr &node) { take(node.value); }
  void operator()(const Set &node) { take(node.elements); }
  void operator()(const Comprehension &node) {
    take(node.element);
    take(node.value);
    for (const ForClause &clause : node.clauses) {
      take(clause.target);
      take(clause.iter);
      take(clause.conditions);
    }
    height += node.clauses.size();
  }
  void operator()(const Lambda &node) {
    take(node.body);
    for (const Param &param : node.params)
      take(param.defaultValue);
  }
};

} // namespace

ExprPtr ExpressionParser::make(SMLoc start, Expr::Node node) {
  ChildHeight children;
  std::visit(children, node);
  if (children.height >= maxExprHeight) {
    failAt(start, "expression chains too many operations (limit " +
                      llvm::Twine(maxExprHeight) +
                      "); split it over several statements");
    return nullptr;
  }
  auto expr = std::make_unique<Expr>();
  expr->loc = start;
  expr->end = position ? tokens[position - 1].end() : start;
  expr->height = children.height + 1;
  expr->node = std::move(node);
  return expr;
}

bool ExpressionParser::isDepthExceeded() {
  if (exprDepth <= maxExprDepth)
    return false;
  fail("expression is nested too deeply (limit " + llvm::Twine(maxExprDepth) +
       ")");
  return true;
}

/// True where an expression list ends, perhaps after a trailing comma.
static bool endsList(TokenKind kind) {
  switch (kind) {
  case TokenKind::Newline:
  case TokenKind::End:
  case TokenKind::Equal:
  case TokenKind::Colon:
  case TokenKind::Semicolon:
  case TokenKind::In:
  case TokenKind::RightParen:
  case TokenKind::RightSquare:
  case TokenKind::RightBrace:
    return true;
  default:
    return false;
  }
}

/// `a` or `a, b, ...` without parentheses around it.
ExprPtr ExpressionParser::parseExpressionList() {
  if (at(TokenKind::Yield))
    return parseYield();
  SMLoc start = peek().loc();
  ExprPtr first = parseListItem();
  if (!first || !at(TokenKind::Comma))
    return first;
  Tuple tuple;
  tuple.elements.push_back(std::move(first));
  while (accept(TokenKind::Comma) && !endsList(peek().kind)) {
    ExprPtr next = parseListItem();
    if (!next)
      return nullptr;
    tuple.elements.push_back(std::move(next));
  }
  return make(start, std::move(tuple));
}

/// An expression, or `*expression` where a list is unpacked.
ExprPtr ExpressionParser::parseListItem() {
  SMLoc start = peek().loc();
  if (!accept(TokenKind::Star))
    return parseNamedExpression();
  ExprPtr value = parseBinary(1);
  if (!value)
    return nullptr;
  return make(start, Starred{std::move(value)});
}

/// An expression, or `name := expression`.
ExprPtr ExpressionParser::parseNamedExpression() {
  SMLoc start = peek().loc();
  ExprPtr expr = parseExpression();
  if (!expr || !at(TokenKind::Walrus))
    return expr;
  const auto *name = std::get_if<Name>(&expr->node);
  if (!name) {
    fail("only a name can stand before ':='");
    return nullptr;
  }
  advance();
  ExprPtr value = parseExpression();
  if (!value)
    return nullptr;
  return make(start, NamedExpr{name->id, std::move(value)});
}

ExprPtr ExpressionParser::parseExpression() {
  DepthGuard guard(exprDepth);
  if (isDepthExceeded())
    return nullptr;
  if (at(TokenKind::Lambda))
    return parseLambda();
  SMLoc start = peek().loc();
  ExprPtr thenValue = parseBoolOp(BoolOpKind::Or);
  if (!thenValue || !accept(TokenKind::If))
    return thenValue;
  ExprPtr condition = parseBoolOp(BoolOpKind::Or);
  if (!condition ||
      !expect(TokenKind::Else, "'else' in the conditional expression"))
    return nullptr;
  ExprPtr elseValue = parseExpression();
  if (!elseValue)
    return nullptr;
  return make(start, Conditional{std::move(condition), std::move(thenValue),
                                 std::move(elseValue)});
}

ExprPtr ExpressionParser::parseLambda() {
  SMLoc start = peek().loc();
  advance();
  FunctionDef function;
  if (!parseParams(function, ParamList::OfLambda))
    return nullptr;
  ExprPtr body = parseExpression();
  if (!body)
    return nullptr;
  return make(start, Lambda{std::move(function.params), std::move(body)});
}

ExprPtr ExpressionParser::parseYield() {
  SMLoc start = peek().loc();
  advance();
  accept(TokenKind::From);
  if (!endsList(peek().kind) && !parseExpressionList())
    return nullptr;
  return make(start, Unsupported{"'yield'", "hand results back with 'return'"});
}

ExprPtr ExpressionParser::parseBoolOp(BoolOpKind op) {
  bool isOr = op == BoolOpKind::Or;
  TokenKind kind = isOr ? TokenKind::Or : TokenKind::And;
  auto parseOperand = [&] {
    return isOr ? parseBoolOp(BoolOpKind::And) : parseNot();
  };
  SMLoc start = peek().loc();
  ExprPtr first = parseOperand();
  if (!first || !at(kind))
    return first;
  BoolOp node{op, {}};
  node.operands.push_back(std::move(first));
  while (accept(kind)) {
    ExprPtr next = parseOperand();
    if (!next)
      return nullptr;
    node.operands.push_back(std::move(next));
  }
  return make(start, std::move(node));
}

ExprPtr ExpressionParser::parseNot() {
  SMLoc start = peek().loc();
  if (!accept(TokenKind::Not))
    return parseComparison();
  DepthGuard guard(exprDepth);
  if (isDepthExceeded())
    return nullptr;
  ExprPtr operand = parseNot();
  if (!operand)
    return nullptr;
  return make(start, Unary{UnaryOp::Not, std::move(operand)});
}

bool ExpressionParser::acceptCompareOp(CompareOp &op) {
  auto take = [&](CompareOp taken, unsigned numTokens) {
    op = taken;
    while (numTokens--)
      advance();
    return true;
  };
  switch (peek().kind) {
  case TokenKind::Less:
    return take(CompareOp::Lt, 1);
  case TokenKind::LessEqual:
    return take(CompareOp::Le, 1);
  case TokenKind::Greater:
    return take(CompareOp::Gt, 1);
  case TokenKind::GreaterEqual:
    return take(CompareOp::Ge, 1);
  case TokenKind::EqualEqual:
    return take(CompareOp::Eq, 1);
  case TokenKind::NotEqual:
    return take(CompareOp::Ne, 1);
  case TokenKind::In:
    return take(CompareOp::In, 1);
  case TokenKind::Is:
    return peek(1).kind == TokenKind::Not ? take(CompareOp::IsNot, 2)
                                          : take(CompareOp::Is, 1);
  case TokenKind::Not:
    return peek(1).kind == TokenKind::In && take(CompareOp::NotIn, 2);
  default:
    return false;
  }
}

ExprPtr ExpressionParser::parseComparison() {
  SMLoc start = peek().loc();
  ExprPtr first = parseBinary(1);
  if (!first)
    return nullptr;
  Compare node;
  CompareOp op;
  for (SMLoc opLoc = peek().loc(); acceptCompareOp(op); opLoc = peek().loc()) {
    ExprPtr operand = parseBinary(1);
    if (!operand)
      return nullptr;
    node.links.push_back({op, opLoc, std::move(operand)});
  }
  if (node.links.empty())
    return first;
  node.first = std::move(first);
  return make(start, std::move(node));
}

namespace {
struct BinaryRule {
  BinaryOp op;
  unsigned precedence;
};
} // namespace

static std::optional<BinaryRule> binaryRule(TokenKind kind) {
  switch (kind) {
  case TokenKind::Pipe:
    return BinaryRule{BinaryOp::BitOr, 1};
  case TokenKind::Caret:
    return BinaryRule{BinaryOp::BitXor, 2};
  case TokenKind::Ampersand:
    return BinaryRule{BinaryOp::BitAnd, 3};
  case TokenKind::LeftShift:
    return BinaryRule{BinaryOp::ShiftLeft, 4};
  case TokenKind::RightShift:
    return BinaryRule{BinaryOp::ShiftRight, 4};
  case TokenKind::Plus:
    return BinaryRule{BinaryOp::Add, 5};
  case TokenKind::Minus:
    return BinaryRule{BinaryOp::Sub, 5};
  case TokenKind::Star:
    return BinaryRule{BinaryOp::Mul, 6};
  case TokenKind::Slash:
    return BinaryRule{BinaryOp::Div, 6};
  case TokenKind::DoubleSlash:
    return BinaryRule{BinaryOp::FloorDiv, 6};
  case TokenKind::Percent:
    return BinaryRule{BinaryOp::Mod, 6};
  case TokenKind::At:
    return BinaryRule{BinaryOp::MatMul, 6};
  default:
    return std::nullopt;
  }
}

/// A chain of operators that bind at least as tightly as `minPrecedence`.
ExprPtr ExpressionParser::parseBinary(unsigned minPrecedence) {
  SMLoc start = peek().loc();
  ExprPtr lhs = parseUnary();
  while (lhs) {
    std::optional<BinaryRule> rule = binaryRule(peek().kind);
    if (!rule || rule->precedence < minPrecedence)
      return lhs;
    SMLoc opLoc = peek().loc();
    advance();
    ExprPtr rhs = parseBinary(rule->precedence + 1);
    if (!rhs)
      return nullptr;
    lhs = make(start, Binary{rule->op, opLoc, std::move(lhs), std::move(rhs)});
  }
  return lhs;
}

ExprPtr ExpressionParser::parseUnary() {
  UnaryOp op;
  if (at(TokenKind::Minus))
    op = UnaryOp::Minus;
  else if (at(TokenKind::Plus))
    op = UnaryOp::Plus;
  else if (at(TokenKind::Tilde))
    op = UnaryOp::Invert;
  else
    return parsePower();
  DepthGuard guard(exprDepth);
  if (isDepthExceeded())
    return nullptr;
  SMLoc start = peek().loc();
  advance();
  ExprPtr operand = parseUnary();
  if (!operand)
    return nullptr;
  return make(start, Unary{op, std::move(operand)});
}

/// `**` binds tighter than a sign on its left and looser than one on its right.
ExprPtr ExpressionParser::parsePower() {
  SMLoc start = peek().loc();
  bool isAwait = accept(TokenKind::Await);
  ExprPtr lhs = parsePrimary();
  if (lhs && isAwait)
    lhs = make(start, Unsupported{"'await'", "kernels run to their end"});
  SMLoc opLoc = peek().loc();
  if (!lhs || !accept(TokenKind::DoubleStar))
    return lhs;
  DepthGuard guard(exprDepth);
  if (isDepthExceeded())
    return nullptr;
  ExprPtr rhs = parseUnary();
  if (!rhs)
    return nullptr;
  return make(start,
              Binary{BinaryOp::Pow, opLoc, std::move(lhs), std::move(rhs)});
}
