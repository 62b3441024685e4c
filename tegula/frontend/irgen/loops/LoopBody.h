// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a loop repeats, however it is built.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_LOOPBODY_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_LOOPBODY_H

#include "tegula/frontend/irgen/FunctionState.h"

namespace tegula {

/// Values that a loop names in its head, as in
/// `for i, (a, b) in pl.range(n, init_values=(x, y))`.
struct Carries {
  /// What the body calls them.
  std::vector<llvm::StringRef> names;
  /// Where they go around.
  std::vector<Slot> slots;
  /// The statement that hands the next ones on.
  const ast::Stmt *yield = nullptr;
};

/// What a loop repeats.
struct LoopBody {
  Stmts stmts;
  /// The loop variable; empty if there is none.
  llvm::StringRef variable;
  Carries carries = {};
  /// How the author calls the loop.
  llvm::StringRef shown = "pl.range";
  pl::LoopKind kind = pl::LoopKind::AnyOrder;
  /// What is said of a grid as a task; may be null.
  mlir::DictionaryAttr task = {};
  /// The statement, if what the last iteration leaves can be read after it.
  const ast::Stmt *loop = nullptr;
};

/// Leaves a loop: `scope` becomes what was there before, and names that only
/// the body bound have no value.
void leaveLoop(Scope &scope, Scope before, llvm::StringRef loopVariable,
               mlir::Location loc);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_LOOPBODY_H
