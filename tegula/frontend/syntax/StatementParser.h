// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parser of statements but for functions and classes: ParseStatement.cpp,
/// ParseCompound.cpp. A function that returns false has reported why, as in
/// TokenReader.

#ifndef TEGULA_FRONTEND_SYNTAX_STATEMENTPARSER_H
#define TEGULA_FRONTEND_SYNTAX_STATEMENTPARSER_H

#include "tegula/frontend/syntax/ExpressionParser.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

/// Recursive descent over statements.
class StatementParser : public ExpressionParser {
public:
  using ExpressionParser::ExpressionParser;

protected:
  ~StatementParser() = default;

  using SuiteParser = llvm::function_ref<void(ast::Block &)>;
  void add(ast::Block &block, llvm::SMLoc loc, ast::Stmt::Node node);
  bool parseCompound(ast::Block &block);
  /// Parses `:` and a suite; `header` says after what, for the error.
  bool parseSuite(llvm::StringRef header, ast::Block &block);
  bool parseSuite(llvm::StringRef header, ast::Block &block, SuiteParser each);
  /// After a failed statement: goes to the next one; a block that belongs to
  /// the failed one is parsed for its errors and dropped.
  void recover();

private:
  /// Parses a function or a class with its decorators, if there are any.
  virtual bool parseDecorated(ast::Block &block) = 0;

  void parseStatement(ast::Block &block);
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
  bool parseFor(ast::Block &block);
  bool parseWhile(ast::Block &block);
  bool parseIf(ast::Block &block);
  bool parseOrElse(ast::Block &orelse);
  bool parseTry(ast::Block &block);
  bool parseWith(ast::Block &block);
  bool parseWithItem(ast::With &with);
  bool atParenthesizedWithItems() const;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_STATEMENTPARSER_H
