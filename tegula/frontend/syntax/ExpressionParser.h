// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parser of expressions, parameters and annotations: ParseExpression.cpp,
/// ParsePrimary.cpp, ParseComprehension.cpp, ParseParameters.cpp,
/// ParseTargets.cpp. A function that returns null or false has reported why, as
/// in TokenReader.

#ifndef TEGULA_FRONTEND_SYNTAX_EXPRESSIONPARSER_H
#define TEGULA_FRONTEND_SYNTAX_EXPRESSIONPARSER_H

#include "tegula/frontend/syntax/Ast.h"
#include "tegula/frontend/syntax/TokenReader.h"

namespace tegula {

/// Recursive descent over expressions.
class ExpressionParser : public TokenReader {
public:
  using TokenReader::TokenReader;

  ast::ExprPtr parseExpressionList();
  ast::ExprPtr parseNamedExpression();
  ast::ExprPtr parseExpression();
  bool parseArguments(ast::Call &call);
  ast::ExprPtr parseTargetList();
  bool checkTarget(const ast::Expr &target);
  bool checkSingleTarget(const ast::Expr &target, llvm::StringRef what);
  /// Where parameters stand: between parentheses, or before a colon.
  enum class ParamList { OfFunction, OfLambda };
  bool parseParams(ast::FunctionDef &function, ParamList list);
  ast::ExprPtr parseAnnotation();

protected:
  /// Makes an expression that starts at `start` and ends before the next
  /// token; null, and reported, if it is too high.
  ast::ExprPtr make(llvm::SMLoc start, ast::Expr::Node node);
  ast::ExprPtr parseBinary(unsigned minPrecedence);
  ast::ExprPtr parsePrimary();

private:
  /// Parentheses, calls, operators and `not`s may not nest deeper than this.
  static constexpr unsigned maxExprDepth = 200;

  /// Counts one level of recursion for as long as it lives.
  class DepthGuard {
  public:
    explicit DepthGuard(unsigned &depth) : depth(depth) { ++depth; }
    ~DepthGuard() { --depth; }
    DepthGuard(const DepthGuard &) = delete;
    DepthGuard &operator=(const DepthGuard &) = delete;

  private:
    unsigned &depth;
  };

  ast::ExprPtr parseListItem();
  ast::ExprPtr parseLambda();
  ast::ExprPtr parseYield();
  ast::ExprPtr parseBoolOp(ast::BoolOpKind op);
  ast::ExprPtr parseNot();
  ast::ExprPtr parseComparison();
  bool acceptCompareOp(ast::CompareOp &op);
  ast::ExprPtr parseUnary();
  ast::ExprPtr parsePower();
  ast::ExprPtr parseAtom();
  ast::ExprPtr parseNumber();
  ast::ExprPtr parseStrings();
  ast::ExprPtr parseParenthesized();
  ast::ExprPtr parseListDisplay();
  ast::ExprPtr parseBraces();
  ast::ExprPtr parseCall(llvm::SMLoc start, ast::ExprPtr callee);
  bool parseArgument(ast::Call &call);
  bool checkKeywords(const ast::Call &call);
  ast::ExprPtr parseSubscript(llvm::SMLoc start, ast::ExprPtr value);
  bool parseSubscriptItem(ast::Subscript &subscript);
  ast::ExprPtr parseAttribute(llvm::SMLoc start, ast::ExprPtr value);
  bool atComprehension() const;
  ast::ExprPtr parseComprehension(llvm::SMLoc start,
                                  ast::Comprehension::Kind kind,
                                  ast::ExprPtr element, ast::ExprPtr value);
  ast::ExprPtr parseSet(llvm::SMLoc start, ast::ExprPtr first);
  bool isDepthExceeded();
  bool parseParam(ast::FunctionDef &function, ast::ParamKind &kind,
                  ParamList list);
  bool checkParam(const ast::FunctionDef &function, const ast::Param &param);

  unsigned exprDepth = 0;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_EXPRESSIONPARSER_H
