// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the decorators of a function make of it.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULE_DECORATORS_H
#define TEGULA_FRONTEND_CONSTANTS_MODULE_DECORATORS_H

#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/module/KernelFunction.h"
#include "tegula/frontend/diagnostics/Reporter.h"
#include "tegula/ir/ops/PlDialect.h"

namespace tegula {

/// A function's decorators, read.
struct Decoration {
  /// True for a stub of code in another language, which is nobody's business
  /// until it is called.
  bool isForeign = false;
  /// Nothing if none of them makes it a kernel function.
  std::optional<pl::FunctionKind> kind;
  FunctionTraits traits = {};
  /// True if every open axis is to be dynamic.
  bool isDynamic = false;
  /// True if tensors that it makes are to start as zeros.
  bool isDebug = false;
  /// True if what is a warning elsewhere is to be an error.
  bool isStrict = false;
  /// What is wrong with them, and where.
  std::vector<Note> mistakes;
};

/// What the decorator at `path` below `pl` makes of a function, if it is one.
std::optional<pl::FunctionKind> kindOfDecorator(llvm::StringRef path);

/// The name under which an environment knows what the default of a parameter
/// was where the function was defined. No name of Python looks like it.
std::string nameOfDefault(llvm::StringRef function, llvm::StringRef parameter);

/// Reads the decorators of `node`.
Decoration readDecorators(const ast::FunctionDef &node,
                          const SourceText &source, NameLookup lookup);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULE_DECORATORS_H
