// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls that depend on where they stand, and what is said while compiling or
/// running.

#ifndef TEGULA_FRONTEND_IRGEN_CALLS_CONTROLCALLS_H
#define TEGULA_FRONTEND_IRGEN_CALLS_CONTROLCALLS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Assertions;
class Expressions;
class GridCalls;
class HeadValues;
class Prints;

/// Sends such calls to whoever knows what is around them.
class ControlCalls : FunctionPart {
public:
  ControlCalls(FunctionState &state, Expressions &expressions,
               HeadValues &headValues, Assertions &assertions, Prints &prints,
               GridCalls &gridCalls)
      : FunctionPart(state), expressions(expressions), headValues(headValues),
        assertions(assertions), prints(prints), gridCalls(gridCalls) {}

  /// What the call of `pl.<path>` is worth; nothing if it is an ordinary
  /// function.
  std::optional<Object> call(llvm::StringRef path, const ast::Expr &expr,
                             const ast::Call &node);

private:
  Object callYield(const ast::Expr &expr, const ast::Call &node);
  Object callGrid(Construct construct, llvm::StringRef name,
                  const ast::Expr &expr, const ast::Call &node);

  Expressions &expressions;
  HeadValues &headValues;
  Assertions &assertions;
  Prints &prints;
  GridCalls &gridCalls;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_CALLS_CONTROLCALLS_H
