// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A function with a kernel decorator, together with everything needed to give
/// it a meaning: its syntax, its text, and the names it sees.

#ifndef TEGULA_FRONTEND_CONSTANTS_MODULE_KERNELFUNCTION_H
#define TEGULA_FRONTEND_CONSTANTS_MODULE_KERNELFUNCTION_H

#include "tegula/frontend/diagnostics/SourceText.h"
#include "tegula/frontend/syntax/Ast.h"
#include "tegula/ir/ops/PlDialect.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <utility>

namespace tegula {

class Environment;

/// What a function is besides its kind.
struct FunctionTraits {
  /// True if the first parameter is `self`, which no caller gives.
  bool takesSelf = false;
  /// True under `@pl.function`: whether a tensor without a direction is written
  /// follows from the body.
  bool derivesDirections = false;
  /// The level of the machine that it is made for, if its decorator says.
  std::optional<pl::Level> level = std::nullopt;
  /// The part it has among those of its level; empty if its decorator does not
  /// say.
  std::string role = {};
};

/// One decorated function. Everything it refers to outlives it.
class KernelFunction {
public:
  KernelFunction(const ast::FunctionDef &definition, pl::FunctionKind kind,
                 const SourceText &source, Environment &environment,
                 FunctionTraits traits = {})
      : definition(definition), kind(kind), source(source),
        environment(environment), traits(std::move(traits)) {}

  const ast::FunctionDef &getDefinition() const { return definition; }
  pl::FunctionKind getKind() const { return kind; }
  /// True if a program may start here.
  bool isEntry() const {
    return kind == pl::FunctionKind::Entry || kind == pl::FunctionKind::Host;
  }
  const SourceText &getSource() const { return source; }
  Environment &getEnvironment() const { return environment; }
  llvm::StringRef getName() const { return definition.name; }
  const FunctionTraits &getTraits() const { return traits; }
  /// The parameters without the `self` of a method.
  llvm::ArrayRef<ast::Param> getParams() const {
    return llvm::ArrayRef(definition.params).drop_front(traits.takesSelf);
  }
  /// Where the name stands in its definition.
  mlir::Location getLoc() const { return source.locate(definition.nameLoc); }

private:
  const ast::FunctionDef &definition;
  pl::FunctionKind kind;
  const SourceText &source;
  Environment &environment;
  FunctionTraits traits;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_MODULE_KERNELFUNCTION_H
