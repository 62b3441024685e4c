// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Questions about pieces of syntax: which names they use and assign, and
/// whether control leaves them early.

#ifndef TEGULA_FRONTEND_SYNTAX_ASTWALK_H
#define TEGULA_FRONTEND_SYNTAX_ASTWALK_H

#include "tegula/frontend/syntax/Ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

/// Statements of a suite.
using Stmts = llvm::ArrayRef<ast::StmtPtr>;

/// Names and how often they appear.
using NameCounts = llvm::MapVector<llvm::StringRef, unsigned>;

/// Adds every name that appears in the statements, targets included.
void countNames(Stmts stmts, NameCounts &counts);
void countNames(const ast::Stmt &stmt, NameCounts &counts);
void countNames(const ast::Expr &expr, NameCounts &counts);

/// Calls `visit` for every expression in the statements, those in blocks and in
/// other expressions included.
void walkExprs(Stmts stmts, llvm::function_ref<void(const ast::Expr &)> visit);

/// How statements assign a name.
struct AssignedName {
  /// Where the first time.
  llvm::SMLoc loc;
  /// False if only parts are assigned: `x[i] = v`.
  bool isRebound = false;
};
using AssignedNames = llvm::MapVector<llvm::StringRef, AssignedName>;

/// The names the statements assign, in order: targets of assignments and loops,
/// names after `as`.
AssignedNames assignedNames(Stmts stmts);

/// Ways to leave a block other than at its end.
struct Jumps {
  bool hasReturn = false;
  /// `break` and `continue` of the loop around the block.
  bool hasBreak = false;
  bool hasContinue = false;

  bool any() const { return hasReturn || hasBreak || hasContinue; }
};

/// The jumps in the statements, not counting those that stay inside.
Jumps jumpsOf(Stmts stmts);
Jumps jumpsOf(const ast::Stmt &stmt);

/// Calls `visit` for every suite directly below a statement.
void forEachBlock(const ast::Stmt &stmt, llvm::function_ref<void(Stmts)> visit);
/// Calls `visit` for every expression that belongs to a statement itself.
void forEachExpr(const ast::Stmt &stmt,
                 llvm::function_ref<void(const ast::Expr &)> visit);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_ASTWALK_H
