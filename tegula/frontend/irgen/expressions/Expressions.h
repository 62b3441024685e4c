// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What expressions are worth: names, literals, attributes, operators. Calls,
/// subscripts and `and`/`or` have parts of their own.

#ifndef TEGULA_FRONTEND_IRGEN_EXPRESSIONS_EXPRESSIONS_H
#define TEGULA_FRONTEND_IRGEN_EXPRESSIONS_EXPRESSIONS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class BooleanOperators;
class Branches;
class Calls;
class Comprehensions;
class Subscripts;
class SymbolExtents;

/// Evaluates expressions.
class Expressions : FunctionPart {
public:
  Expressions(FunctionState &state, SymbolExtents &symbolExtents,
              Branches &branches, BooleanOperators &booleans,
              Subscripts &subscripts, Comprehensions &comprehensions,
              Calls &calls)
      : FunctionPart(state), symbolExtents(symbolExtents), branches(branches),
        booleans(booleans), subscripts(subscripts),
        comprehensions(comprehensions), calls(calls) {}

  Object evaluate(const ast::Expr &expr);
  /// An expression of which only the truth counts: the operands of its `and`
  /// and `or` need not be alike.
  Object evaluateCondition(const ast::Expr &expr);
  /// The arguments of a call; nothing after a mistake in one of them.
  std::optional<CallArguments> evaluateArguments(const ast::Expr &expr,
                                                 const ast::Call &node);
  /// An object as a value: reports names without one, and gives symbols their
  /// extent.
  Object usable(const Object &object, mlir::Location loc);

private:
  Object evaluateName(llvm::StringRef name, mlir::Location loc);
  /// The object, after whoever listens has heard what the name means.
  Object heard(Object object, llvm::StringRef name, mlir::Location loc);
  Object evaluateAttribute(const ast::Expr &expr, const ast::Attribute &node);
  Object evaluateCompare(const ast::Compare &node, mlir::Location loc);
  Object evaluateConditional(const ast::Conditional &node, mlir::Location loc);
  Object evaluateDict(const ast::Dict &node);
  Object evaluateElements(const std::vector<ast::ExprPtr> &exprs);

  SymbolExtents &symbolExtents;
  Branches &branches;
  BooleanOperators &booleans;
  Subscripts &subscripts;
  Comprehensions &comprehensions;
  Calls &calls;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_EXPRESSIONS_EXPRESSIONS_H
