// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What becomes of the value of a name: whether it may be read before the name
/// gets another one. Asked on syntax, and answered on the safe side.

#ifndef TEGULA_FRONTEND_SYNTAX_NAMEFLOW_H
#define TEGULA_FRONTEND_SYNTAX_NAMEFLOW_H

#include "tegula/frontend/syntax/AstWalk.h"

namespace tegula {

/// What statements do first to the value a name has before them.
enum class FirstUse {
  /// Nothing on some path.
  None,
  /// It may be read.
  Read,
  /// It is never read, the name is assigned on every path.
  Replaced
};

FirstUse firstUse(Stmts stmts, llvm::StringRef name);

/// True if the value a name has after the statement `at`, which stands anywhere
/// in `body`, may be read.
bool mayBeReadAfter(Stmts body, const ast::Stmt &at, llvm::StringRef name);

/// The same for a name that has no value when an iteration of a loop around
/// `at` begins: there is nothing to read in the next one.
bool mayBeReadLater(Stmts body, const ast::Stmt &at, llvm::StringRef name);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_NAMEFLOW_H
