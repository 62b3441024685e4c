// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `pl.print`: what a kernel says while it runs.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_PRINTS_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_PRINTS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class MessageTexts;
class SymbolExtents;

/// Generates what prints.
class Prints : FunctionPart {
public:
  Prints(FunctionState &state, SymbolExtents &symbolExtents,
         MessageTexts &messageTexts)
      : FunctionPart(state), symbolExtents(symbolExtents),
        messageTexts(messageTexts) {}

  Object call(const ast::Expr &expr, const ast::Call &node);

private:
  mlir::Value toPrinted(const Object &object, mlir::Location loc);

  SymbolExtents &symbolExtents;
  MessageTexts &messageTexts;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_PRINTS_H
