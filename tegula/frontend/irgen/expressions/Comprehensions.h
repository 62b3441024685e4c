// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `[f(i) for i in range(4)]` in a kernel: what it goes over is known while
/// compiling, and every element is generated for itself.

#ifndef TEGULA_FRONTEND_IRGEN_EXPRESSIONS_COMPREHENSIONS_H
#define TEGULA_FRONTEND_IRGEN_EXPRESSIONS_COMPREHENSIONS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Assignments;
class Expressions;

/// Evaluates comprehensions and generator expressions, which are tuples here,
/// or dicts.
class Comprehensions : FunctionPart {
public:
  Comprehensions(FunctionState &state, Expressions &expressions,
                 Assignments &assignments)
      : FunctionPart(state), expressions(expressions),
        assignments(assignments) {}

  Object evaluate(const ast::Comprehension &node, mlir::Location loc);

private:
  using Clauses = llvm::ArrayRef<ast::ForClause>;
  using Objects = std::vector<Object>;

  bool visit(Clauses clauses, llvm::function_ref<bool()> visitElement);
  std::optional<bool> isWanted(const ast::ForClause &clause);
  std::optional<Objects> listItems(const ast::Expr &iter);

  Expressions &expressions;
  Assignments &assignments;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_EXPRESSIONS_COMPREHENSIONS_H
