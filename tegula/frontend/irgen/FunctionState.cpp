// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/FunctionState.h"
#include "tegula/frontend/constants/Environment.h"

using namespace tegula;
using llvm::StringRef;

FunctionState::FunctionState(ModuleGenerator &module,
                             const KernelFunction &function,
                             const std::vector<DeclaredParameter> &parameters,
                             const DeclaredSymbols &symbols,
                             LoopTypeTable &loopTypes, mlir::func::FuncOp func)
    : module(module), function(function), parameters(parameters),
      symbols(symbols), loopTypes(loopTypes), func(func),
      emitter(&func.getBody().front(), function.getName(), module.getParts(),
              module.getReporter()) {}

mlir::Location FunctionState::locate(llvm::SMLoc loc) const {
  return insideText ? *insideText : function.getSource().locate(loc);
}

bool FunctionState::isEntry() const {
  return !mlir::func::FuncOp(func).isPrivate();
}

std::string FunctionState::languagePath(const ast::Expr &callee) const {
  std::string dotted = ast::dottedName(callee);
  auto [first, rest] = StringRef(dotted).split('.');
  if (dotted.empty() || scope.count(first))
    return "";
  if (std::optional<Object> object = function.getEnvironment().lookup(dotted))
    return object->asLanguage() ? *object->asLanguage() : "";
  std::optional<Object> module = function.getEnvironment().lookup(first);
  const std::string *path = module ? module->asLanguage() : nullptr;
  if (!path)
    return "";
  return path->empty() ? rest.str() : *path + "." + rest.str();
}
