// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `assert`, `pl.assume`, `pl.static_assert` and `pl.static_print`: checked and
/// said when compiling where everything is known, and at the call where it
/// depends on sizes.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_ASSERTIONS_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_ASSERTIONS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Expressions;
class MessageTexts;
class SymbolExtents;

/// What the author claims.
class Assertions : FunctionPart {
public:
  Assertions(FunctionState &state, Expressions &expressions,
             SymbolExtents &symbolExtents, MessageTexts &messageTexts)
      : FunctionPart(state), expressions(expressions),
        symbolExtents(symbolExtents), messageTexts(messageTexts) {}

  void emitAssert(const ast::Assert &node);
  Object callAssume(const ast::Call &node, mlir::Location loc);
  Object callStaticAssert(const ast::Call &node);
  Object callStaticPrint(const ast::Expr &expr, const ast::Call &node);

private:
  void emitAssumption(const ast::Expr &condition, const ast::Expr *message);

  Expressions &expressions;
  SymbolExtents &symbolExtents;
  MessageTexts &messageTexts;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_ASSERTIONS_H
