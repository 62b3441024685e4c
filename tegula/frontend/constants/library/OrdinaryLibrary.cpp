// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of Python's library: functools, itertools, dataclasses, os.
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/evaluator/Iterators.h"
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"

using namespace tegula;
using llvm::StringRef;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

static Object callReduce(Evaluator &evaluator,
                         const OrdinaryArguments &arguments) {
  Object problem;
  size_t size = arguments.positional.size();
  if (size < 2 || size > 3)
    return stuck("functools.reduce takes a function and what to combine");
  auto elements = evaluator.collect(arguments.positional[1], problem);
  if (!elements)
    return problem;
  if (size == 3)
    elements->insert(elements->begin(), arguments.positional[2]);
  if (elements->empty())
    return stuck("functools.reduce of nothing");
  Object result = elements->front();
  for (const Object &element : llvm::drop_begin(*elements)) {
    result = evaluator.call(arguments.positional[0], {{result, element}, {}});
    if (result.isStuck())
      return result;
  }
  return result;
}

static Object callPartial(Evaluator &evaluator, OrdinaryArguments arguments) {
  if (arguments.positional.empty())
    return stuck("functools.partial takes a function");
  auto partial = std::make_shared<PartialThing>();
  partial->callee = arguments.positional.front();
  arguments.positional.erase(arguments.positional.begin());
  // One of another is one of the same function.
  if (const auto *inner = asOrdinary<PartialThing>(partial->callee)) {
    partial->args = inner->args;
    partial->keywords = inner->keywords;
    partial->callee = Object(inner->callee);
  }
  for (const Object &argument : arguments.positional)
    partial->args.push_back(evaluator.lifetimes.retain(argument));
  for (const auto &[name, value] : arguments.keywords) {
    llvm::erase_if(partial->keywords, [&, &name = name](const auto &entry) {
      return entry.first == name;
    });
    partial->keywords.push_back({name, evaluator.lifetimes.retain(value)});
  }
  return Object(OrdinaryObject{std::move(partial)});
}

static Object callField(OrdinaryArguments arguments) {
  auto field = std::make_shared<FieldThing>();
  field->value = arguments.take("default");
  field->factory = arguments.take("default_factory");
  if (std::optional<Object> init = arguments.take("init"))
    field->isInit = isTrue(*init);
  if (std::optional<Object> keyword = arguments.take("kw_only"))
    field->isKeywordOnly = isTrue(*keyword);
  return Object(OrdinaryObject{std::move(field)});
}

static Object callReplace(Evaluator &evaluator, OrdinaryArguments arguments) {
  const auto *instance =
      arguments.positional.size() == 1
          ? asOrdinary<InstanceThing>(arguments.positional[0])
          : nullptr;
  if (!instance)
    return stuck("dataclasses.replace takes an object of a dataclass");
  OrdinaryArguments fields;
  for (const auto &[name, given] : instance->type->fields) {
    const auto *field = given ? asOrdinary<FieldThing>(*given) : nullptr;
    if (field && !field->isInit)
      continue;
    std::optional<Object> changed = arguments.take(name);
    auto old = instance->fields.find(name);
    if (changed)
      fields.keywords.push_back({name, *changed});
    else if (old != instance->fields.end())
      fields.keywords.push_back({name, old->second});
  }
  if (!arguments.keywords.empty())
    return stuck(instance->type->describe() + " has no '" +
                 arguments.keywords.front().first + "'");
  return evaluator.instantiate(instance->type, std::move(fields));
}

/// `asdict` and `astuple`, for objects that hold no others.
static Object callFields(Evaluator &evaluator, StringRef name,
                         const OrdinaryArguments &arguments) {
  const auto *instance =
      arguments.positional.size() == 1
          ? asOrdinary<InstanceThing>(arguments.positional[0])
          : nullptr;
  if (!instance)
    return stuck(name + " takes an object of a dataclass");
  Object dict = Object::dict({});
  std::vector<Object> values;
  for (const auto &[field, given] : instance->type->fields) {
    auto value = instance->fields.find(field);
    if (value == instance->fields.end() || value->second.is<OrdinaryObject>() ||
        value->second.is<DictObject>() || value->second.is<TupleObject>())
      return stuck(name + " of objects that hold others is not understood "
                          "here");
    values.push_back(value->second);
    if (!evaluator.assignItem(dict, Object::string(field), value->second))
      return evaluator.getFailure();
  }
  return name == "dataclasses.asdict" ? dict : Object::tuple(std::move(values));
}

static Object callNamedTuple(Evaluator &evaluator,
                             const OrdinaryArguments &arguments) {
  if (arguments.positional.size() != 2 || !arguments.keywords.empty() ||
      !arguments.positional[0].is<StringObject>())
    return stuck("collections.namedtuple takes a name and names of fields");
  auto type = std::make_shared<ClassThing>(evaluator);
  type->name = arguments.positional[0].as<StringObject>()->value;
  type->classKind = ClassThing::ClassKind::NamedTuple;
  if (const auto *text = arguments.positional[1].as<StringObject>()) {
    std::string names = text->value;
    std::replace(names.begin(), names.end(), ',', ' ');
    llvm::SmallVector<StringRef> parts;
    StringRef(names).split(parts, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      type->fields.push_back({part.str(), std::nullopt});
  } else {
    Object problem;
    auto names = evaluator.collect(arguments.positional[1], problem);
    if (!names)
      return problem;
    for (const Object &name : *names) {
      if (!name.is<StringObject>())
        return stuck("the name of a field is a string");
      type->fields.push_back({name.as<StringObject>()->value, std::nullopt});
    }
  }
  return evaluator.lifetimes.retain(Object(OrdinaryObject{std::move(type)}));
}

static Object callProduct(Evaluator &evaluator, OrdinaryArguments arguments) {
  int64_t times = 1;
  if (std::optional<Object> repeat = arguments.take("repeat"))
    times = repeat->asInteger().value_or(1);
  Object problem;
  std::vector<std::vector<Object>> parts;
  for (const Object &argument : arguments.positional) {
    auto elements = evaluator.collect(argument, problem);
    if (!elements)
      return problem;
    parts.push_back(std::move(*elements));
  }
  std::vector<std::vector<Object>> rows = {{}};
  for (int64_t iteration = 0; iteration < times; ++iteration)
    for (const std::vector<Object> &part : parts) {
      std::vector<std::vector<Object>> longer;
      if (!evaluator.budget.checkSize(
              rows.size() * part.size() *
                  (rows.empty() ? 1 : rows[0].size() + 1),
              problem))
        return problem;
      for (const std::vector<Object> &row : rows)
        for (const Object &element : part) {
          longer.push_back(row);
          longer.back().push_back(element);
        }
      rows = std::move(longer);
    }
  std::vector<Object> tuples;
  for (std::vector<Object> &row : rows)
    tuples.push_back(Object::tuple(std::move(row)));
  return Object(OrdinaryObject{iteratorOf(std::move(tuples))});
}

static Object callChain(Evaluator &evaluator,
                        const std::vector<Object> &iterables) {
  std::vector<Object> elements;
  Object problem;
  for (const Object &iterable : iterables) {
    auto more = evaluator.collect(iterable, problem);
    if (!more ||
        !evaluator.budget.checkSize(elements.size() + more->size(), problem))
      return problem;
    llvm::append_range(elements, *more);
  }
  return Object(OrdinaryObject{iteratorOf(std::move(elements))});
}

static Object callAccumulate(Evaluator &evaluator,
                             const OrdinaryArguments &arguments) {
  Object problem;
  if (arguments.positional.empty() || arguments.positional.size() > 2 ||
      !arguments.keywords.empty())
    return stuck("itertools.accumulate takes what to add up");
  auto elements = evaluator.collect(arguments.positional[0], problem);
  if (!elements)
    return problem;
  for (size_t i = 1; i < elements->size(); ++i) {
    const Object &left = (*elements)[i - 1], &right = (*elements)[i];
    Object next =
        arguments.positional.size() == 2
            ? evaluator.call(arguments.positional[1], {{left, right}, {}})
            : applyBinary(evaluator, ast::BinaryOp::Add, left, right);
    if (next.isStuck())
      return next;
    (*elements)[i] = next;
  }
  return Object(OrdinaryObject{iteratorOf(std::move(*elements))});
}

/// Variables of the environment. What was read of them is part of the program.
static Object callEnvironment(Evaluator &evaluator, StringRef name,
                              const OrdinaryArguments &arguments) {
  const auto *variable = arguments.positional.empty()
                             ? nullptr
                             : arguments.positional[0].as<StringObject>();
  if (!variable)
    return stuck("a variable of the environment goes by a string");
  std::optional<std::string> value = evaluator.findVariable(variable->value);
  if (name.ends_with("__contains__"))
    return Object::boolean(value.has_value());
  if (value)
    return Object::string(std::move(*value));
  if (name.ends_with("__getitem__"))
    return stuck("there is no variable '" + variable->value +
                 "' in the environment");
  if (arguments.positional.size() > 1)
    return arguments.positional[1];
  for (const auto &[keyword, given] : arguments.keywords)
    if (keyword == "default")
      return given;
  return Object::none();
}

/// Decorators that leave a function what it computes.
static bool leavesFunction(StringRef name) {
  return name == "functools.lru_cache" || name == "functools.cache" ||
         name == "enum.unique";
}

static Object callOperator(Evaluator &evaluator, StringRef name,
                           const OrdinaryArguments &arguments) {
  if (arguments.positional.size() != 2)
    return stuck(name + " takes two numbers");
  return applyBinary(evaluator,
                     name == "operator.mul"   ? ast::BinaryOp::Mul
                     : name == "operator.add" ? ast::BinaryOp::Add
                                              : ast::BinaryOp::Sub,
                     arguments.positional[0], arguments.positional[1]);
}

Object tegula::callLibrary(Evaluator &evaluator, StringRef name,
                           OrdinaryArguments arguments) {
  if (name == "functools.reduce")
    return callReduce(evaluator, arguments);
  if (name == "functools.partial")
    return callPartial(evaluator, std::move(arguments));
  if (leavesFunction(name)) {
    bool isFunction = arguments.positional.size() == 1 &&
                      arguments.positional[0].is<OrdinaryObject>();
    return isFunction ? arguments.positional[0]
                      : Object(PythonObject{"functools.cache"});
  }
  if (name == "functools.wraps")
    return Object(PythonObject{"functools.cache"});
  if (name == "functools.cached_property" && arguments.positional.size() == 1)
    return makeOrdinary<DescriptorThing>(
        "property", evaluator.lifetimes.retain(arguments.positional[0]));
  if (name == "dataclasses.field")
    return callField(std::move(arguments));
  if (name == "enum.auto")
    return makeOrdinary<FieldThing>();
  if (name == "dataclasses.replace")
    return callReplace(evaluator, std::move(arguments));
  if (name == "dataclasses.asdict" || name == "dataclasses.astuple")
    return callFields(evaluator, name, arguments);
  if (name == "collections.namedtuple")
    return callNamedTuple(evaluator, arguments);
  if (name == "collections.OrderedDict")
    return callOrdinaryBuiltin(evaluator, "dict", std::move(arguments));
  if (name == "itertools.product")
    return callProduct(evaluator, std::move(arguments));
  if (name == "itertools.chain")
    return callChain(evaluator, arguments.positional);
  if (name == "itertools.accumulate")
    return callAccumulate(evaluator, arguments);
  if (name == "itertools.chain.from_iterable" &&
      arguments.positional.size() == 1) {
    Object problem;
    auto iterables = evaluator.collect(arguments.positional[0], problem);
    return iterables ? callChain(evaluator, *iterables) : problem;
  }
  if (name.starts_with("operator."))
    return callOperator(evaluator, name, arguments);
  if (name.starts_with("os."))
    return callEnvironment(evaluator, name, arguments);
  return stuck("a call of '" + name + "' is not understood here");
}
