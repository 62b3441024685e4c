// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a statement of ordinary Python may change: the names it binds, and the
/// names of things it changes in place.

#ifndef TEGULA_FRONTEND_SYNTAX_BOUNDNAMES_H
#define TEGULA_FRONTEND_SYNTAX_BOUNDNAMES_H

#include "tegula/frontend/syntax/AstWalk.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {

using NameSet = llvm::SetVector<llvm::StringRef>;

/// The names that a statement may bind, in source order: by assignments, loops,
/// imports and definitions, in all its blocks.
NameSet boundNames(const ast::Stmt &stmt);

/// The names whose objects a statement may change: `x[i] = ...`,
/// `x.append(...)`, `del x[i]`, and the arguments of a call for its effect.
NameSet changedNames(const ast::Stmt &stmt);

/// The `a` of every `x.a = ...` in a statement, together with its `x`.
std::vector<std::pair<llvm::StringRef, llvm::StringRef>>
assignedMembers(const ast::Stmt &stmt);

/// Calls `visit` for every function that stands in the statements, however
/// deep, with the functions and classes around it, outermost first.
using Enclosing = llvm::ArrayRef<const ast::Stmt *>;
void walkFunctions(
    Stmts stmts,
    llvm::function_ref<void(const ast::FunctionDef &, Enclosing)> visit);

} // namespace tegula

#endif // TEGULA_FRONTEND_SYNTAX_BOUNDNAMES_H
