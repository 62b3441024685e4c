// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/calls/PreludeCalls.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/statements/Statements.h"
#include "tegula/frontend/syntax/Parser.h"

using namespace tegula;

namespace {

/// The text is part of the compiler: a mistake in it is ours.
struct OwnText : SourceDiagnostics {
  void error(llvm::SMLoc, const llvm::Twine &) override {
    assert(false && "the prelude is well-formed");
  }
};

} // namespace

const ast::FunctionDef &
ModuleGenerator::preludeFunction(const Builtin &builtin) {
  std::unique_ptr<ast::Module> &tree = prelude[&builtin];
  if (!tree) {
    OwnText diagnostics;
    tree = parseDefinition(builtin.prelude, diagnostics);
  }
  return std::get<ast::FunctionDef>(tree->body.front()->node);
}

Object PreludeCalls::call(const PreludeCall &call) {
  const ast::FunctionDef &definition =
      state.module.preludeFunction(call.function);
  // What the author called is what messages name, however deep they arise.
  std::optional<std::string> outerCall = state.preludeCall;
  if (!state.preludeCall)
    state.preludeCall = call.name.str();
  Scope outerScope = std::exchange(scope, {});
  std::vector<EnclosingLoop> outerLoops = std::exchange(state.loops, {});
  std::optional<mlir::Location> outerText =
      std::exchange(state.insideText, call.loc);
  auto bind = [&](llvm::StringRef to, const Object &object) {
    scope.insert_or_assign(to, Variable{object, call.loc});
  };
  bind("pl", Object(LanguageObject{""}));
  bind("__name__", Object(StringObject{*state.preludeCall}));
  for (const ast::Param &parameter : definition.params)
    bind(parameter.name, parameter.defaultValue
                             ? expressions.evaluate(*parameter.defaultValue)
                             : Object::none());
  for (const auto &[parameter, object] : call.arguments)
    if (object)
      bind(parameter, *object);
  unsigned numErrors = emitter.reporter.getNumErrors();
  statements.emitBlock(definition.body, nullptr);
  auto found = scope.find(Slot::Kind::Return);
  Object result = found == scope.end() ? Object::none() : found->second.object;
  if (emitter.reporter.getNumErrors() != numErrors)
    result = Object::poison();
  scope = std::move(outerScope);
  state.loops = std::move(outerLoops);
  state.preludeCall = std::move(outerCall);
  state.insideText = outerText;
  return result;
}
