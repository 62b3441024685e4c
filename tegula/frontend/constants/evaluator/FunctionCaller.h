// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of ordinary Python: arguments, parameters, and functions without a
/// kernel decorator.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_FUNCTIONCALLER_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_FUNCTIONCALLER_H

#include "tegula/frontend/constants/evaluator/Frame.h"
#include "tegula/frontend/constants/library/Ordinary.h"
#include "tegula/frontend/syntax/Ast.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

class Evaluator;

/// Makes functions and calls them.
class FunctionCaller {
public:
  explicit FunctionCaller(Evaluator &evaluator) : evaluator(evaluator) {}

  /// The value of a call as it is written.
  Object evaluate(const ast::Call &node, const ast::Expr &expr, Frame &frame);
  Object call(const Object &callee, OrdinaryArguments arguments);
  Object makeFunction(const std::vector<ast::Param> &params,
                      llvm::StringRef name, llvm::SMLoc loc, Frame &frame,
                      llvm::function_ref<void(FunctionThing &)> fill);

private:
  std::optional<OrdinaryArguments>
  evaluateArguments(const ast::Call &node, Frame &frame, Object &problem);
  Object callFunction(const FunctionThing &function,
                      OrdinaryArguments arguments);
  Object bindParameters(const FunctionThing &function,
                        OrdinaryArguments &arguments, Scope &scope);

  Evaluator &evaluator;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_FUNCTIONCALLER_H
