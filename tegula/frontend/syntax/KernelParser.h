// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parser of a whole file, shared by ParseDefinition.cpp and
/// ParseModule.cpp; use Parser.h.

#ifndef TEGULA_FRONTEND_SYNTAX_KERNELPARSER_H
#define TEGULA_FRONTEND_SYNTAX_KERNELPARSER_H

#include "tegula/frontend/syntax/StatementParser.h"

namespace tegula {

/// Parses functions and classes, and what is outside of kernels.
class KernelParser final : private StatementParser {
public:
  using StatementParser::StatementParser;

  /// Parses a whole file.
  ast::Module parseModule();

  /// Parses one function or class, whatever its decorators are called.
  ast::Module parseDefinition();

private:
  bool parseDecorated(ast::Block &block) override;
  bool parseFunction(ast::Block &block, std::vector<ast::ExprPtr> decorators);
  bool parseClass(ast::Block &block, std::vector<ast::ExprPtr> decorators);

  void parseOuterStatement(ast::Block &block);
  void parseOrdinary(ast::Block &block);
  void skipOuter(ast::Block &block, llvm::StringRef what);
  bool atKernelDecorator() const;
  bool hasKernelDecorator();
  bool holdsKernel(size_t first) const;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_KERNELPARSER_H
