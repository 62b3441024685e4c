// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names of a kernel file seen from the command line: its kernel functions,
/// its imports of the language, and its module-level constants, which are
/// evaluated when a kernel asks for them and never executed.

#ifndef TEGULA_FRONTEND_MODULECONSTANTS_H
#define TEGULA_FRONTEND_MODULECONSTANTS_H

#include "tegula/frontend/Environment.h"
#include "tegula/frontend/KernelFunction.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <vector>

namespace tegula {

class Reporter;

/// The environment of all functions of one file.
class ModuleConstants : public Environment {
public:
  /// Takes the names of `module`. Later definitions of a name replace earlier
  /// ones, as in Python. Decorators that are not understood are reported.
  ModuleConstants(const ast::Module &module, const SourceText &source,
                  Reporter &reporter);

  std::optional<Object> lookup(llvm::StringRef name) override;

  /// All functions with a kernel decorator, in source order.
  const std::vector<std::unique_ptr<KernelFunction>> &getFunctions() const {
    return functions;
  }

private:
  /// A name whose value is computed when it is first asked for.
  struct Definition {
    Object object = {};
    /// The expression to evaluate, or null if `object` is the value.
    const ast::Expr *expr = nullptr;
    /// Which element of the expression, for `A, B = ...`.
    std::vector<unsigned> path = {};
    bool isBeingEvaluated = false;
  };

  void define(const ast::Stmt &stmt);
  void defineTarget(const ast::Expr &target, const ast::Expr &value,
                    std::vector<unsigned> path);
  void defineImport(const ast::Import &node);
  void defineImport(const ast::ImportFrom &node);
  void defineFunction(const ast::FunctionDef &node);
  void defineUnusable(llvm::StringRef name, const llvm::Twine &why,
                      llvm::SMLoc loc);
  std::optional<pl::FunctionKind> kindOf(const ast::FunctionDef &node);
  Object evaluate(llvm::StringRef name, Definition &definition);

  const SourceText &source;
  mlir::MLIRContext *context;
  Reporter &reporter;
  llvm::StringMap<Definition> definitions;
  std::vector<std::unique_ptr<KernelFunction>> functions;
  /// How many constants are being evaluated, each for the one before.
  unsigned depth = 0;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_MODULECONSTANTS_H
