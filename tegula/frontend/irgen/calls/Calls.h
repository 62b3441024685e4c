// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls: what is called, and who generates it.

#ifndef TEGULA_FRONTEND_IRGEN_CALLS_CALLS_H
#define TEGULA_FRONTEND_IRGEN_CALLS_CALLS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Assertions;
class ControlCalls;
class Expressions;
class FunctionCalls;
class PreludeCalls;

/// Evaluates calls.
class Calls : FunctionPart {
public:
  Calls(FunctionState &state, Expressions &expressions, Assertions &assertions,
        ControlCalls &controlCalls, FunctionCalls &functionCalls,
        PreludeCalls &preludeCalls)
      : FunctionPart(state), expressions(expressions), assertions(assertions),
        controlCalls(controlCalls), functionCalls(functionCalls),
        preludeCalls(preludeCalls) {}

  Object evaluate(const ast::Expr &expr, const ast::Call &node);

private:
  bool isMethodCall(const ast::Attribute &method) const;
  Object callMethod(const ast::Expr &expr, const ast::Attribute &method);
  Object callLanguage(llvm::StringRef path, mlir::Location loc,
                      std::optional<CallArguments> &arguments);

  Expressions &expressions;
  Assertions &assertions;
  ControlCalls &controlCalls;
  FunctionCalls &functionCalls;
  PreludeCalls &preludeCalls;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_CALLS_CALLS_H
