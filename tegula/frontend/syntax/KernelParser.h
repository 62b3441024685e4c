// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parser's inside, shared by the Parse*.cpp files; use Parser.h. A parse
/// function that returns null or false has reported why, unless the token it
/// stopped at is an Error, which the lexer has reported.

#ifndef TEGULA_FRONTEND_SYNTAX_KERNELPARSER_H
#define TEGULA_FRONTEND_SYNTAX_KERNELPARSER_H

#include "tegula/frontend/diagnostics/Diagnostics.h"
#include "tegula/frontend/syntax/Ast.h"
#include "tegula/frontend/syntax/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <utility>
#include <vector>

namespace tegula {

/// Collects errors, so that they can be withdrawn or sorted.
class ErrorList : public SourceDiagnostics {
public:
  void error(llvm::SMLoc loc, const llvm::Twine &message) override {
    errors.emplace_back(loc, message.str());
  }

  /// The errors in the order they were found.
  std::vector<std::pair<llvm::SMLoc, std::string>> errors;
};

/// Recursive descent over a list of tokens that ends in End.
class KernelParser {
public:
  KernelParser(llvm::ArrayRef<Token> tokens, ErrorList &diagnostics)
      : tokens(tokens), diagnostics(diagnostics) {}

  /// Parses a whole file.
  ast::Module parseModule();

  /// Parses one function or class, whatever its decorators are called.
  ast::Module parseDefinition();

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

  // Tokens and errors: KernelParser.cpp.

  const Token &peek(size_t lookahead = 0) const;
  bool at(TokenKind kind) const { return peek().kind == kind; }
  void advance();
  bool accept(TokenKind kind);
  /// Takes a token of this kind or reports "expected WANTED, found ...".
  bool expect(TokenKind kind, const llvm::Twine &wanted);
  /// Takes a name or reports "expected WANTED, found ...".
  bool expectName(const llvm::Twine &wanted, Token &name);
  /// Reports `message` at the next token, unless the lexer did. Returns false.
  bool fail(const llvm::Twine &message);
  /// Reports "expected WANTED, found ..." at the next token. Returns false.
  bool failExpected(const llvm::Twine &wanted);
  /// Reports `message` at `loc`. Returns false.
  bool failAt(llvm::SMLoc loc, const llvm::Twine &message);
  /// Skips to the closing bracket of the bracket that encloses the next token.
  bool skipToClosing();
  /// Skips to the end of the line, and past it. Stays at a change of
  /// indentation.
  void skipLine();
  /// Skips from an Indent past its Dedent.
  void skipBlock();
  /// Skips a suite: the rest of the line and the block below it, if any.
  void skipSuite();
  /// Skips a compound statement with all its clauses.
  void skipCompound();
  /// True at a word that continues a compound statement.
  bool atClause() const;
  /// True if the next line is a `match` statement.
  bool atMatch() const;

  // Expressions: ParseExpression.cpp, ParsePrimary.cpp.

  /// Makes an expression that starts at `start` and ends before the next
  /// token; null, and reported, if it is too high.
  ast::ExprPtr make(llvm::SMLoc start, ast::Expr::Node node);
  ast::ExprPtr parseExpressionList();
  ast::ExprPtr parseListItem();
  ast::ExprPtr parseNamedExpression();
  ast::ExprPtr parseExpression();
  ast::ExprPtr parseLambda();
  ast::ExprPtr parseYield();
  ast::ExprPtr parseBoolOp(ast::BoolOpKind op);
  ast::ExprPtr parseNot();
  ast::ExprPtr parseComparison();
  bool acceptCompareOp(ast::CompareOp &op);
  ast::ExprPtr parseBinary(unsigned minPrecedence);
  ast::ExprPtr parseUnary();
  ast::ExprPtr parsePower();
  ast::ExprPtr parsePrimary();
  ast::ExprPtr parseAtom();
  ast::ExprPtr parseNumber();
  ast::ExprPtr parseStrings();
  ast::ExprPtr parseParenthesized();
  ast::ExprPtr parseListDisplay();
  ast::ExprPtr parseBraces();
  ast::ExprPtr parseCall(llvm::SMLoc start, ast::ExprPtr callee);
  bool parseArguments(ast::Call &call);
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
  void readFStringParts(ast::String &string, llvm::StringRef literal);
  bool readFStringParts(llvm::StringRef &text, unsigned level, bool isRaw,
                        std::vector<ast::FStringPart> &parts);
  bool readFStringField(llvm::StringRef &text, unsigned level, bool isRaw,
                        ast::FStringPart &part);
  bool isDepthExceeded();

  // Statements: ParseStatement.cpp, ParseCompound.cpp, ParseDefinition.cpp.

  using SuiteParser = llvm::function_ref<void(ast::Block &)>;
  void add(ast::Block &block, llvm::SMLoc loc, ast::Stmt::Node node);
  void parseStatement(ast::Block &block);
  bool parseCompound(ast::Block &block);
  bool parseSimpleLine(ast::Block &block);
  bool parseSimple(ast::Block &block);
  bool parseUnsupportedSimple(ast::Block &block);
  bool parseAssert(ast::Block &block);
  bool parseRaise(ast::Block &block);
  bool parseDelete(ast::Block &block);
  bool parseReturn(ast::Block &block);
  bool parseImport(ast::Block &block);
  bool parseImportFrom(ast::Block &block);
  bool parseImportAlias(ast::ImportAlias &alias, bool isDotted);
  bool parseExpressionStatement(ast::Block &block);
  bool parseAssign(ast::Block &block, llvm::SMLoc loc, ast::ExprPtr first);
  bool parseAnnAssign(ast::Block &block, llvm::SMLoc loc, ast::ExprPtr target);
  bool parseAugAssign(ast::Block &block, llvm::SMLoc loc, ast::ExprPtr target);
  bool checkTarget(const ast::Expr &target);
  bool checkSingleTarget(const ast::Expr &target, llvm::StringRef what);
  bool parseFor(ast::Block &block);
  ast::ExprPtr parseTargetList();
  bool parseWhile(ast::Block &block);
  bool parseIf(ast::Block &block);
  bool parseOrElse(ast::Block &orelse);
  bool parseTry(ast::Block &block);
  bool parseWith(ast::Block &block);
  bool parseWithItem(ast::With &with);
  bool atParenthesizedWithItems() const;
  bool parseDecorated(ast::Block &block);
  bool parseFunction(ast::Block &block, std::vector<ast::ExprPtr> decorators);
  /// Where parameters stand: between parentheses, or before a colon.
  enum class ParamList { OfFunction, OfLambda };
  bool parseParams(ast::FunctionDef &function, ParamList list);
  ast::ExprPtr parseAnnotation();
  bool parseParam(ast::FunctionDef &function, ast::ParamKind &kind,
                  ParamList list);
  bool checkParam(const ast::FunctionDef &function, const ast::Param &param);
  bool parseClass(ast::Block &block, std::vector<ast::ExprPtr> decorators);
  /// Parses `:` and a suite; `header` says after what, for the error.
  bool parseSuite(llvm::StringRef header, ast::Block &block);
  bool parseSuite(llvm::StringRef header, ast::Block &block, SuiteParser each);
  /// After a failed statement: goes to the next one; a block that belongs to
  /// the failed one is parsed for its errors and dropped.
  void recover();

  // Module level: ParseModule.cpp.

  void parseOuterStatement(ast::Block &block);
  void parseOrdinary(ast::Block &block);
  void skipOuter(ast::Block &block, llvm::StringRef what);
  bool atKernelDecorator() const;
  bool hasKernelDecorator();
  bool holdsKernel(size_t first) const;

  llvm::ArrayRef<Token> tokens;
  ErrorList &diagnostics;
  size_t position = 0;
  unsigned exprDepth = 0;
  /// True while errors may still be withdrawn.
  bool isTentative = false;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_KERNELPARSER_H
