// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/FunctionCaller.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/library/ArrayModules.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/library/OrdinaryCompare.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using ast::ParamKind;
using llvm::StringRef;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

std::optional<Object> OrdinaryArguments::take(StringRef name) {
  auto found = llvm::find_if(
      keywords, [&](const auto &keyword) { return keyword.first == name; });
  if (found == keywords.end())
    return std::nullopt;
  Object value = found->second;
  keywords.erase(found);
  return value;
}

std::optional<OrdinaryArguments>
FunctionCaller::evaluateArguments(const ast::Call &node, Frame &frame,
                                  Object &problem) {
  OrdinaryArguments arguments;
  auto addKeyword = [&](StringRef name, const Object &value) {
    for (const auto &keyword : arguments.keywords)
      if (keyword.first == name)
        problem = stuck("'" + name + "' is given twice");
    arguments.keywords.push_back({name.str(), value});
    return !problem.is<UnusableObject>();
  };
  for (const ast::ExprPtr &argument : node.args) {
    const auto *starred = std::get_if<ast::Starred>(&argument->node);
    const auto *unpacked = std::get_if<ast::DoubleStarred>(&argument->node);
    Object value = evaluator.evaluate(starred    ? *starred->value
                                      : unpacked ? *unpacked->value
                                                 : *argument,
                                      frame);
    problem = value;
    if (value.isStuck())
      return std::nullopt;
    if (starred) {
      std::optional<std::vector<Object>> inner =
          evaluator.collect(value, problem);
      if (!inner)
        return std::nullopt;
      llvm::append_range(arguments.positional, *inner);
    } else if (!unpacked) {
      arguments.positional.push_back(value);
    } else if (const auto *dict = value.as<DictObject>()) {
      for (const auto &[key, entry] : *dict->entries)
        if (!key.is<StringObject>() ||
            !addKeyword(key.as<StringObject>()->value, entry))
          return std::nullopt;
    } else {
      problem = stuck("'**' unpacks dicts, got " + describe(value));
      return std::nullopt;
    }
  }
  for (const ast::Keyword &keyword : node.keywords) {
    Object value = evaluator.evaluate(*keyword.value, frame);
    problem = value;
    if (value.isStuck() || !addKeyword(keyword.name, value))
      return std::nullopt;
  }
  return arguments;
}

Object FunctionCaller::evaluate(const ast::Call &node, const ast::Expr &expr,
                                Frame &frame) {
  Object callee = evaluator.evaluate(*node.callee, frame);
  if (callee.isStuck())
    return callee;
  Object problem;
  std::optional<OrdinaryArguments> arguments =
      evaluateArguments(node, frame, problem);
  if (!arguments)
    return problem;
  const std::string *path = callee.asLanguage();
  if (path && *path == "dynamic" && arguments->positional.size() == 1 &&
      arguments->keywords.empty())
    return makeSymbol(arguments->positional[0], frame.source.locate(expr.loc));
  // Whoever it is assigned to gives it a name.
  if (path && *path == "dynamic" && node.args.empty() && node.keywords.empty())
    return Object(SymbolObject{
        std::make_shared<Symbol>(Symbol{"", frame.source.locate(expr.loc)})});
  const auto *builtin = callee.as<PythonObject>();
  if (arguments->keywords.empty() && (builtin || path))
    if (auto result =
            callOnExtents(builtin ? StringRef(builtin->name) : StringRef(*path),
                          arguments->positional))
      return *result;
  return call(callee, std::move(*arguments));
}

Object FunctionCaller::call(const Object &callee, OrdinaryArguments arguments) {
  Object problem;
  if (!evaluator.budget.spend(1, problem))
    return problem;
  if (evaluator.budget.numCalls == EvaluationBudget::maxCalls)
    return stuck("calls are nested more than " +
                 llvm::Twine(EvaluationBudget::maxCalls) + " deep");
  llvm::SaveAndRestore deeper(evaluator.budget.numCalls,
                              evaluator.budget.numCalls + 1);
  if (const auto *builtin = callee.as<PythonObject>())
    return callOrdinaryBuiltin(evaluator, builtin->name, std::move(arguments));
  if (const auto *function = asOrdinary<FunctionThing>(callee))
    return callFunction(*function, std::move(arguments));
  if (const auto *bound = asOrdinary<BoundThing>(callee)) {
    if (const auto *method = bound->function.as<PythonObject>())
      return callOrdinaryMethod(evaluator, bound->self, method->name,
                                std::move(arguments));
    arguments.positional.insert(arguments.positional.begin(), bound->self);
    return call(bound->function, std::move(arguments));
  }
  if (const auto *partial = asOrdinary<PartialThing>(callee)) {
    arguments.positional.insert(arguments.positional.begin(),
                                partial->args.begin(), partial->args.end());
    for (const auto &[name, value] : partial->keywords)
      if (llvm::none_of(arguments.keywords,
                        [&, &name = name](const auto &entry) {
                          return entry.first == name;
                        }))
        arguments.keywords.push_back({name, value});
    return call(partial->callee, std::move(arguments));
  }
  if (asOrdinary<ClassThing>(callee))
    return evaluator.instantiate(
        std::static_pointer_cast<ClassThing>(
            std::shared_ptr<ClassThing>(callee.as<OrdinaryObject>()->thing,
                                        asOrdinary<ClassThing>(callee))),
        std::move(arguments));
  if (const auto *instance = asOrdinary<InstanceThing>(callee))
    if (instance->type->find("__call__"))
      return call(evaluator.attribute(callee, "__call__"),
                  std::move(arguments));
  if (const auto *dtype = callee.as<DtypeObject>())
    if (arguments.positional.size() == 1 && arguments.keywords.empty())
      if (auto number =
              foldDtypeCall(dtype->type, plainValue(arguments.positional[0])))
        return *number;
  if (callee.is<DtypeObject>())
    return stuck("what is made by a call of " + describe(callee) +
                 " does not compute as a number of Python; write the number");
  return stuck("a call of " + describe(callee) + " is not a constant");
}

/// The number of a parameter that can be given by name; nothing if there is
/// none.
static std::optional<size_t> parameterCalled(const FunctionThing &function,
                                             StringRef name) {
  for (auto [index, param] : llvm::enumerate(*function.params))
    if (param.name == name && (param.kind == ParamKind::Plain ||
                               param.kind == ParamKind::KeywordOnly))
      return index;
  return std::nullopt;
}

/// Binds the parameters in `scope`; stuck if the arguments do not fit.
Object FunctionCaller::bindParameters(const FunctionThing &function,
                                      OrdinaryArguments &arguments,
                                      Scope &scope) {
  const std::vector<ast::Param> &params = *function.params;
  std::vector<std::optional<Object>> values(params.size());
  std::string where = "'" + function.name + "'";
  std::vector<Object> rest;
  size_t next = 0;
  for (const Object &argument : arguments.positional) {
    bool isPositional = next < params.size() &&
                        (params[next].kind == ParamKind::Plain ||
                         params[next].kind == ParamKind::PositionalOnly);
    if (isPositional)
      values[next++] = argument;
    else
      rest.push_back(argument);
  }
  Object extra = Object::dict({});
  for (const auto &[name, value] : arguments.keywords) {
    std::optional<size_t> index = parameterCalled(function, name);
    if (index && values[*index])
      return stuck(where + " is given '" + name + "' twice");
    if (index)
      values[*index] = value;
    else if (!evaluator.assignItem(extra, Object::string(name), value))
      return evaluator.getFailure();
  }
  bool takesRest = false, takesExtra = false;
  for (auto [index, param] : llvm::enumerate(params)) {
    takesRest |= param.kind == ParamKind::Star;
    takesExtra |= param.kind == ParamKind::DoubleStar;
    if (param.kind == ParamKind::Star)
      values[index] = Object::tuple(rest);
    else if (param.kind == ParamKind::DoubleStar)
      values[index] = extra;
    else if (!values[index])
      values[index] = function.defaults[index];
    if (!values[index])
      return stuck(where + " is called without '" + param.name + "'");
    scope.bind(param.name, *values[index]);
  }
  if (!rest.empty() && !takesRest)
    return stuck(where + " is called with too many arguments");
  if (!takesExtra && !extra.as<DictObject>()->entries->empty())
    return stuck(where + " takes no '" +
                 extra.as<DictObject>()
                     ->entries->front()
                     .first.as<StringObject>()
                     ->value +
                 "='");
  return Object::none();
}

Object FunctionCaller::callFunction(const FunctionThing &function,
                                    OrdinaryArguments arguments) {
  if (!function.problem.empty())
    return stuck(function.problem);
  return evaluator.lifetimes.inScope(
      Scope::Kind::Function, function.around, [&](Scope &scope) {
        Object bound = bindParameters(function, arguments, scope);
        if (bound.isStuck())
          return bound;
        scope.locals = function.locals;
        Frame frame{scope, *function.source, function.module, function.name};
        if (function.result)
          return evaluator.evaluate(*function.result, frame);
        if (evaluator.run(*function.body, frame) != StatementEnd::Failed)
          return frame.returned;
        return evaluator.getFailure();
      });
}

Object
FunctionCaller::makeFunction(const std::vector<ast::Param> &params,
                             StringRef name, llvm::SMLoc loc, Frame &frame,
                             llvm::function_ref<void(FunctionThing &)> fill) {
  auto function = std::make_shared<FunctionThing>();
  function->name = name.str();
  function->loc = loc;
  function->params = &params;
  for (const ast::Param &param : params) {
    function->defaults.emplace_back();
    if (!param.defaultValue)
      continue;
    Object value = evaluator.evaluate(*param.defaultValue, frame);
    if (value.isStuck())
      return value;
    function->defaults.back() = evaluator.lifetimes.retain(value);
  }
  function->around = &frame.scope;
  function->source = &frame.source;
  function->module = frame.module;
  fill(*function);
  for (Scope *kept = &frame.scope; kept; kept = kept->getAround())
    kept->isCaptured = true;
  return Object(OrdinaryObject{std::move(function)});
}
