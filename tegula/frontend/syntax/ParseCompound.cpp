// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements with blocks, and how the parser goes on after a mistake.
#include "tegula/frontend/syntax/StatementParser.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::SMLoc;
using llvm::StringRef;

void StatementParser::parseStatement(Block &block) {
  if (at(TokenKind::Indent)) {
    fail("this line is indented more than the block it belongs to");
    advance();
    while (!at(TokenKind::Dedent) && !at(TokenKind::End))
      parseStatement(block);
    accept(TokenKind::Dedent);
    return;
  }
  if (!parseCompound(block))
    recover();
}

bool StatementParser::parseCompound(Block &block) {
  SMLoc loc = peek().loc();
  switch (peek().kind) {
  case TokenKind::If:
    return parseIf(block);
  case TokenKind::For:
    return parseFor(block);
  case TokenKind::While:
    return parseWhile(block);
  case TokenKind::With:
    return parseWith(block);
  case TokenKind::At:
    return parseDecorated(block);
  case TokenKind::Def:
    return parseDecorated(block);
  case TokenKind::Class:
    return parseDecorated(block);
  case TokenKind::Try:
    return parseTry(block);
  case TokenKind::Async: {
    StringRef what = peek(1).kind == TokenKind::Def    ? "'async def'"
                     : peek(1).kind == TokenKind::For  ? "'async for'"
                     : peek(1).kind == TokenKind::With ? "'async with'"
                                                       : "'async'";
    skipCompound();
    add(block, loc, Unsupported{what, "kernels run to their end"});
    return true;
  }
  case TokenKind::Elif:
  case TokenKind::Else:
  case TokenKind::Except:
  case TokenKind::Finally:
    return fail(peek().describe() + " belongs to no statement before it");
  default:
    break;
  }
  if (!atMatch())
    return parseSimpleLine(block);
  skipCompound();
  add(block, loc, Unsupported{"'match'", "write 'if' and 'elif'"});
  return true;
}

void StatementParser::recover() {
  do {
    skipLine();
    if (!accept(TokenKind::Indent))
      continue;
    Block dropped;
    while (!at(TokenKind::Dedent) && !at(TokenKind::End))
      parseStatement(dropped);
    accept(TokenKind::Dedent);
  } while (atClause());
}

bool StatementParser::parseSuite(StringRef header, Block &block) {
  return parseSuite(header, block,
                    [this](Block &inner) { parseStatement(inner); });
}

bool StatementParser::parseSuite(StringRef header, Block &block,
                                 SuiteParser each) {
  if (at(TokenKind::Equal) &&
      (header == "'if'" || header == "'elif'" || header == "'while'"))
    return fail("expected ':' after the " + header +
                " header, found '='; to compare, write '=='");
  if (!expect(TokenKind::Colon, "':' after the " + header + " header"))
    return false;
  if (!accept(TokenKind::Newline))
    return parseSimpleLine(block);
  if (!at(TokenKind::Indent)) {
    fail("expected an indented block after the " + header + " header");
    // The next line is a statement of its own.
    return true;
  }
  advance();
  while (!at(TokenKind::Dedent) && !at(TokenKind::End))
    each(block);
  accept(TokenKind::Dedent);
  return true;
}

bool StatementParser::parseIf(Block &block) {
  SMLoc loc = peek().loc();
  If node;
  do {
    SMLoc branchLoc = peek().loc();
    StringRef header = at(TokenKind::If) ? "'if'" : "'elif'";
    advance();
    if (node.branches.size() == maxBlockDepth)
      return failAt(branchLoc, "too many 'elif' branches (limit " +
                                   llvm::Twine(maxBlockDepth - 1) + ")");
    IfBranch branch{branchLoc, parseNamedExpression(), {}};
    if (!branch.condition || !parseSuite(header, branch.body))
      return false;
    node.branches.push_back(std::move(branch));
  } while (at(TokenKind::Elif));
  if (!parseOrElse(node.orelse))
    return false;
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseOrElse(Block &orelse) {
  return !accept(TokenKind::Else) || parseSuite("'else'", orelse);
}

bool StatementParser::parseFor(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  For node;
  node.target = parseTargetList();
  if (!node.target || !expect(TokenKind::In, "'in' after the loop variable"))
    return false;
  node.iter = parseExpressionList();
  if (!node.iter || !parseSuite("'for'", node.body) ||
      !parseOrElse(node.orelse))
    return false;
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseWhile(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  While node;
  node.condition = parseNamedExpression();
  if (!node.condition || !parseSuite("'while'", node.body) ||
      !parseOrElse(node.orelse))
    return false;
  add(block, loc, std::move(node));
  return true;
}

bool StatementParser::parseTry(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  Try node;
  if (!parseSuite("'try'", node.body))
    return false;
  while (accept(TokenKind::Except)) {
    ExceptClause handler;
    accept(TokenKind::Star);
    if (!at(TokenKind::Colon)) {
      handler.type = parseExpression();
      if (!handler.type)
        return false;
    }
    Token name;
    if (accept(TokenKind::As)) {
      if (!expectName("a name after 'as'", name))
        return false;
      handler.name = name.text();
    }
    if (!parseSuite("'except'", handler.body))
      return false;
    node.handlers.push_back(std::move(handler));
  }
  if (!parseOrElse(node.orelse))
    return false;
  if (accept(TokenKind::Finally) && !parseSuite("'finally'", node.finally))
    return false;
  add(block, loc, std::move(node));
  return true;
}

/// True at `(` if it holds the items of the `with` rather than starting one:
/// the matching `)` is then followed by `:`, and inside stands an `as` or a
/// comma.
bool StatementParser::atParenthesizedWithItems() const {
  if (!at(TokenKind::LeftParen))
    return false;
  int depth = 0;
  bool hasItems = false;
  for (size_t lookahead = 0;; ++lookahead) {
    switch (peek(lookahead).kind) {
    case TokenKind::LeftParen:
    case TokenKind::LeftSquare:
    case TokenKind::LeftBrace:
      ++depth;
      break;
    case TokenKind::RightParen:
    case TokenKind::RightSquare:
    case TokenKind::RightBrace:
      if (--depth == 0)
        return hasItems && peek(lookahead + 1).kind == TokenKind::Colon;
      break;
    case TokenKind::As:
    case TokenKind::Comma:
      hasItems |= depth == 1;
      break;
    case TokenKind::Newline:
    case TokenKind::Error:
    case TokenKind::End:
      return false;
    default:
      break;
    }
  }
}

bool StatementParser::parseWithItem(With &with) {
  WithItem item{parseExpression(), nullptr};
  if (!item.context)
    return false;
  if (accept(TokenKind::As)) {
    item.target = parsePrimary();
    if (!item.target || !checkTarget(*item.target))
      return false;
  }
  with.items.push_back(std::move(item));
  return true;
}

bool StatementParser::parseWith(Block &block) {
  SMLoc loc = peek().loc();
  advance();
  With node;
  bool hasParens = atParenthesizedWithItems();
  if (hasParens)
    advance();
  do {
    if (hasParens && !node.items.empty() && at(TokenKind::RightParen))
      break;
    if (!parseWithItem(node))
      return false;
  } while (accept(TokenKind::Comma));
  if (hasParens && !expect(TokenKind::RightParen, "',' or ')' after the items"))
    return false;
  if (!parseSuite("'with'", node.body))
    return false;
  add(block, loc, std::move(node));
  return true;
}
