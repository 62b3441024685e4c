// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `return`, `break` and `continue`: what they leave in the scope for the loops
/// around and for the end of the function.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_EXITS_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_EXITS_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/statements/Flow.h"

namespace tegula {

class Branches;
class Expressions;
class FunctionResults;

/// Leaves blocks before their end.
class Exits : FunctionPart {
public:
  Exits(FunctionState &state, Expressions &expressions,
        FunctionResults &results, Branches &branches)
      : FunctionPart(state), expressions(expressions), results(results),
        branches(branches) {}

  Flow emitReturn(const ast::Return &node, mlir::Location loc);
  /// `break` or `continue`.
  Flow emitBreak(const ast::Stmt &stmt);
  /// What is left to do after a loop that may have left the function; `goOn`
  /// generates it.
  Flow emitAfterLoop(mlir::Location loc, llvm::function_ref<Flow()> goOn);

private:
  Flow leaveFunction(const Object &value, mlir::Location loc);

  Expressions &expressions;
  FunctionResults &results;
  Branches &branches;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_EXITS_H
