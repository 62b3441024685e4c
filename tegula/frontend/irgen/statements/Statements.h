// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks and simple statements. Control that leaves a block early is
/// structured by moving the statements after an `if` into its branches.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_STATEMENTS_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_STATEMENTS_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/statements/Flow.h"

namespace tegula {

class Assertions;
class Assignments;
class Branches;
class Exits;
class Expressions;
class ForLoops;
class FunctionAttributes;
class HeadValues;
class LocalAnnotations;
struct RegionPlacement;
class WhileLoops;
class WithStatements;

/// Statements to generate after the end of a block, and those after them.
struct Rest {
  Stmts stmts;
  const Rest *next;
  /// The region they are in, if control may leave that; else null.
  const RegionPlacement *placement;
};

/// Generates statements.
class Statements : FunctionPart {
public:
  Statements(FunctionState &state, Expressions &expressions,
             Assignments &assignments, LocalAnnotations &annotations,
             FunctionAttributes &attributes, Assertions &assertions,
             Branches &branches, Exits &exits, HeadValues &headValues,
             ForLoops &forLoops, WhileLoops &whileLoops,
             WithStatements &withStatements)
      : FunctionPart(state), expressions(expressions), assignments(assignments),
        annotations(annotations), attributes(attributes),
        assertions(assertions), branches(branches), exits(exits),
        headValues(headValues), forLoops(forLoops), whileLoops(whileLoops),
        withStatements(withStatements) {}

  /// Statements moved into both branches of an `if` are generated twice; a
  /// function made only of such ifs would otherwise grow without end.
  static constexpr unsigned maxStatements = 100000;

  /// Generates a suite, and then `rest` unless it is null.
  Flow emitBlock(Stmts stmts, const Rest *rest);
  Flow emitRest(const Rest &rest);
  /// Generates a suite as a region of its own. `inside` counts the names in the
  /// statement.
  Flow emitRegion(const RegionPlacement &placement, Stmts stmts,
                  const NameCounts &inside, mlir::Location loc);
  /// Generates a suite whose statements run in `placement`, which control
  /// leaves in its middle: what does not jump is placed.
  Flow emitLeft(const RegionPlacement &placement, Stmts stmts,
                const Rest *rest);

private:
  bool countStatement(const ast::Stmt &stmt);
  Flow emitStatement(const ast::Stmt &stmt);
  void emitExpression(const ast::ExprStmt &node);
  Flow emitIf(const ast::If &node, size_t branch, const Rest *rest,
              const ast::Stmt &stmt);
  size_t emitPlaced(Stmts stmts);

  Expressions &expressions;
  Assignments &assignments;
  LocalAnnotations &annotations;
  FunctionAttributes &attributes;
  Assertions &assertions;
  Branches &branches;
  Exits &exits;
  HeadValues &headValues;
  ForLoops &forLoops;
  WhileLoops &whileLoops;
  WithStatements &withStatements;
  unsigned numStatements = 0;
  /// The region around, if control may leave it before its end; else null.
  const RegionPlacement *leftPlacement = nullptr;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_STATEMENTS_H
