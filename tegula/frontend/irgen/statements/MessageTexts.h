// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Texts that the author wants said while compiling: strings and f-strings.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_MESSAGETEXTS_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_MESSAGETEXTS_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include <deque>
#include <memory>

namespace tegula {

class Expressions;

/// Makes messages from expressions.
class MessageTexts : FunctionPart {
public:
  MessageTexts(FunctionState &state, Expressions &expressions)
      : FunctionPart(state), expressions(expressions) {}

  /// What an expression says in a message; nothing after a mistake in it.
  std::optional<std::string> textOf(const ast::Expr &expr);

  /// The same as the format of a pl.print: what is known while the program runs
  /// is a position in it, and added to `values`.
  std::optional<std::string> formatOf(const ast::Expr &expr,
                                      llvm::SmallVectorImpl<Object> &values);

private:
  using Show = llvm::function_ref<std::string(const Object &object)>;

  std::optional<std::string> textOf(const ast::Expr &expr, Show show,
                                    bool isFormat);
  std::optional<std::string> formatFields(llvm::StringRef text,
                                          mlir::Location loc, Show show,
                                          bool isFormat);
  Object evaluateText(llvm::StringRef text, mlir::Location loc);

  Expressions &expressions;
  /// The texts of fields, and the syntax trees that point into them.
  std::deque<std::string> texts;
  std::vector<std::unique_ptr<ast::Module>> trees;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_MESSAGETEXTS_H
