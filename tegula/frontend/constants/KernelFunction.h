// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A function with a kernel decorator, together with everything needed to give
/// it a meaning: its syntax, its text, and the names it sees.

#ifndef TEGULA_FRONTEND_CONSTANTS_KERNELFUNCTION_H
#define TEGULA_FRONTEND_CONSTANTS_KERNELFUNCTION_H

#include "tegula/frontend/diagnostics/SourceText.h"
#include "tegula/frontend/syntax/Ast.h"
#include "tegula/ir/PlDialect.h"
#include "llvm/ADT/ArrayRef.h"

namespace tegula {

class Environment;

/// One decorated function. Everything it refers to outlives it.
class KernelFunction {
public:
  KernelFunction(const ast::FunctionDef &definition, pl::FunctionKind kind,
                 const SourceText &source, Environment &environment,
                 bool isMethod = false)
      : definition(definition), kind(kind), source(source),
        environment(environment), isMethod(isMethod) {}

  const ast::FunctionDef &getDefinition() const { return definition; }
  pl::FunctionKind getKind() const { return kind; }
  const SourceText &getSource() const { return source; }
  Environment &getEnvironment() const { return environment; }
  llvm::StringRef getName() const { return definition.name; }
  /// The parameters without the `self` of a method.
  llvm::ArrayRef<ast::Param> getParams() const {
    return llvm::ArrayRef(definition.params).drop_front(isMethod);
  }
  /// Where the name stands in its definition.
  mlir::Location getLoc() const { return source.locate(definition.nameLoc); }

private:
  const ast::FunctionDef &definition;
  pl::FunctionKind kind;
  const SourceText &source;
  Environment &environment;
  bool isMethod;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_KERNELFUNCTION_H
