// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comprehensions and generators: one element and the loops that make it.
#include "tegula/frontend/syntax/ExpressionParser.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::SMLoc;

bool ExpressionParser::atComprehension() const {
  return at(TokenKind::For) ||
         (at(TokenKind::Async) && peek(1).kind == TokenKind::For);
}

/// The `for` and `if` clauses behind `element`, up to the closing bracket.
ExprPtr ExpressionParser::parseComprehension(SMLoc start,
                                             Comprehension::Kind kind,
                                             ExprPtr element, ExprPtr value) {
  Comprehension node{kind, std::move(element), std::move(value), {}};
  bool isAsync = false;
  while (atComprehension()) {
    isAsync |= accept(TokenKind::Async);
    advance();
    ForClause clause;
    clause.target = parseTargetList();
    if (!clause.target ||
        !expect(TokenKind::In, "'in' after the loop variable"))
      return nullptr;
    clause.iter = parseBoolOp(BoolOpKind::Or);
    if (!clause.iter)
      return nullptr;
    while (accept(TokenKind::If)) {
      SMLoc conditionStart = peek().loc();
      ExprPtr condition = parseBoolOp(BoolOpKind::Or);
      if (condition && at(TokenKind::Walrus)) {
        const auto *name = std::get_if<Name>(&condition->node);
        advance();
        ExprPtr assigned = name ? parseExpression() : nullptr;
        condition = assigned ? make(conditionStart,
                                    NamedExpr{name->id, std::move(assigned)})
                             : nullptr;
      }
      if (!condition)
        return nullptr;
      clause.conditions.push_back(std::move(condition));
    }
    node.clauses.push_back(std::move(clause));
  }
  if (isAsync)
    return make(start, Unsupported{"'async for'", "kernels run to their end"});
  return make(start, std::move(node));
}
