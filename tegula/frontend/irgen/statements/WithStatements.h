// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `with`: where a region runs, and what is said of it as a task.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_WITHSTATEMENTS_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_WITHSTATEMENTS_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/statements/Flow.h"

namespace tegula {

class Assignments;
class Branches;
class Expressions;
class GridLoops;
struct Rest;
class Statements;
struct TaskOptions;

/// Generates `with`.
class WithStatements : FunctionPart {
public:
  WithStatements(FunctionState &state, Expressions &expressions,
                 Assignments &assignments, Branches &branches,
                 Statements &statements, GridLoops &gridLoops)
      : FunctionPart(state), expressions(expressions), assignments(assignments),
        branches(branches), statements(statements), gridLoops(gridLoops) {}

  /// Generates the statement, and then `rest` unless it is null.
  Flow emit(const ast::With &node, const ast::Stmt &stmt, const Rest *rest);

private:
  Flow emitRegion(Construct construct, const TaskOptions &options,
                  const ast::With &node, const ast::Stmt &stmt,
                  const Rest *rest);

  Expressions &expressions;
  Assignments &assignments;
  Branches &branches;
  Statements &statements;
  GridLoops &gridLoops;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_WITHSTATEMENTS_H
