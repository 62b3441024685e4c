// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/calls/Calls.h"
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/module/KernelFunction.h"
#include "tegula/frontend/irgen/calls/ControlCalls.h"
#include "tegula/frontend/irgen/calls/FunctionCalls.h"
#include "tegula/frontend/irgen/calls/PreludeCalls.h"
#include "tegula/frontend/irgen/calls/PythonCalls.h"
#include "tegula/frontend/irgen/calls/TaskOptions.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/statements/Assertions.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;

/// True if a function is called as an attribute of something that has no
/// functions: the name of a variable, rather than a module.
bool Calls::isMethodCall(const ast::Attribute &method) const {
  if (method.name == "bind_dynamic")
    return true;
  const auto *name = std::get_if<ast::Name>(&method.value->node);
  auto found = name ? scope.find(name->id) : scope.end();
  if (found == scope.end())
    return false;
  const Object &local = found->second.object;
  return !local.is<NamespaceObject>() &&
         !(state.preludeCall && local.asLanguage());
}

static bool hasParameter(const KernelFunction &function, StringRef name) {
  return llvm::any_of(function.getParams(), [&](const ast::Param &param) {
    return param.name == name;
  });
}

Object Calls::evaluate(const ast::Expr &expr, const ast::Call &node) {
  auto made = state.symbols.made.find(&expr);
  if (made != state.symbols.made.end())
    return made->second;
  const auto *method = std::get_if<ast::Attribute>(&node.callee->node);
  if (method && isMethodCall(*method))
    return callMethod(expr, *method);
  if (method && method->name == "get_byte" && node.args.empty()) {
    Object dtype = expressions.evaluate(*method->value);
    if (const auto *known = dtype.as<DtypeObject>())
      return Object::integer(getSize(toDType(known->type)));
  }
  Object callee = expressions.evaluate(*node.callee);
  const std::string *path = callee.asLanguage();
  if (path && constructOf(*path) == Construct::Assume)
    return assertions.callAssume(node, locate(*node.callee));
  if (path)
    if (std::optional<Object> result = controlCalls.call(*path, expr, node))
      return *result;
  std::optional<CallArguments> arguments =
      expressions.evaluateArguments(expr, node);
  state.lastCallHadEffect = false;
  if (callee.isPoison())
    return callee;
  if (path)
    return callLanguage(*path, locate(*node.callee), arguments);
  if (!arguments)
    return Object::poison();
  if (const auto *builtin = callee.as<PythonObject>())
    return expressions.usable(callPython(emitter, builtin->name, *arguments),
                              arguments->loc);
  if (const auto *other = callee.as<FunctionObject>()) {
    bool isRight = hasParameter(*other->function, "deps") ||
                   takeDependencies(emitter, *arguments);
    return isRight ? functionCalls.call(*other->function, *arguments)
                   : Object::poison();
  }
  return fail(
      locate(*node.callee),
      describe(callee) + " cannot be called" +
          (callee.is<DtypeObject>() ? "; write pl.cast(x, dtype)" : ""));
}

Object Calls::callLanguage(StringRef path, Location loc,
                           std::optional<CallArguments> &arguments) {
  if (!arguments) {
    // The call itself may be wrong as well; a name that does not exist is.
    if (std::string message = unknownName(path); !message.empty())
      fail(loc, message);
    return Object::poison();
  }
  bool hasEffect = false;
  arguments->loc = loc;
  Object result = path.starts_with("_") && !state.preludeCall
                      ? fail(loc, "'pl." + path + "' does not exist")
                      : callBuiltin(emitter, path, *arguments, hasEffect,
                                    [&](const PreludeCall &call) {
                                      return preludeCalls.call(call);
                                    });
  state.lastCallHadEffect = hasEffect;
  return result;
}

Object Calls::callMethod(const ast::Expr &expr, const ast::Attribute &method) {
  Object object = expressions.evaluate(*method.value);
  if (object.isPoison())
    return object;
  if (method.name == "bind_dynamic") {
    // Read before the body, at its top level only.
    bool isTopLevel = llvm::any_of(
        state.function.getDefinition().body, [&](const ast::StmtPtr &stmt) {
          const auto *statement = std::get_if<ast::ExprStmt>(&stmt->node);
          return statement && statement->value.get() == &expr;
        });
    if (!isTopLevel)
      return fail(locate(expr), "bind_dynamic must stand at the top level of "
                                "the body");
    state.lastCallHadEffect = true;
    return Object::none();
  }
  return fail(locate(method.nameLoc),
              describe(object) + " has no method '" + method.name + "'" +
                  (isFunction(method.name) ? "; call pl." + method.name
                                           : suggestFunction(method.name)));
}
