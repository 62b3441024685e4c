// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Evaluates expressions outside kernel bodies: module constants, annotations,
/// defaults. Nothing is reported; what has no value says why.

#ifndef TEGULA_FRONTEND_CONSTANTS_CONSTANTEVALUATOR_H
#define TEGULA_FRONTEND_CONSTANTS_CONSTANTEVALUATOR_H

#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/diagnostics/SourceText.h"
#include "tegula/frontend/syntax/Ast.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

/// Gives the object of a name or dotted name, or nothing.
using NameLookup = llvm::function_ref<std::optional<Object>(llvm::StringRef)>;

/// The value of `expr`, or an UnusableObject.
Object evaluateConstant(const ast::Expr &expr, const SourceText &source,
                        NameLookup lookup);

/// What an attribute of `object` is: a name of the language under another one,
/// a dtype, a name of a module or a class; nothing if that cannot be said
/// without generating code.
std::optional<Object> constantAttribute(mlir::MLIRContext *context,
                                        const Object &object,
                                        llvm::StringRef name);

/// The object of the builtin name of Python, or nothing.
std::optional<Object> pythonBuiltin(mlir::MLIRContext *context,
                                    llvm::StringRef name);

/// `pl.dynamic(name)` at `loc`: a fresh symbol, or an UnusableObject if the
/// argument is not an identifier.
Object makeSymbol(const Object &name, mlir::Location loc);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_CONSTANTEVALUATOR_H
