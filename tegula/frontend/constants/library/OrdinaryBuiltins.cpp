// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions and modules of Python there are.
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/library/ArrayModules.h"
#include "tegula/frontend/constants/library/OrdinaryCall.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

Object OrdinaryCall::wrong() const {
  std::string what;
  for (const Object &argument : arguments.positional)
    what += (what.empty() ? "" : ", ") + describe(argument);
  return Object(UnusableObject{name.str() + "() has no value for " +
                                   (what.empty() ? "no arguments" : what),
                               {}});
}

static OrdinaryFunction findFunction(StringRef name) {
  if (OrdinaryFunction function = findSequencesFunction(name))
    return function;
  if (OrdinaryFunction function = findNumbersFunction(name))
    return function;
  return findObjectsFunction(name);
}

/// The functions and types of modules that are known here.
static bool isLibrary(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"functools.reduce", "functools.partial", "functools.lru_cache"},
             true)
      .Cases(
          {"functools.cache", "functools.wraps", "functools.cached_property"},
          true)
      .Cases(
          {"dataclasses.dataclass", "dataclasses.field", "dataclasses.replace"},
          true)
      .Cases({"dataclasses.asdict", "dataclasses.astuple"}, true)
      .Cases({"enum.Enum", "enum.IntEnum", "enum.auto", "enum.unique"}, true)
      .Cases({"typing.NamedTuple", "typing.Generic", "typing.Protocol"}, true)
      .Cases({"collections.namedtuple", "collections.OrderedDict"}, true)
      .Cases({"itertools.product", "itertools.chain", "itertools.accumulate"},
             true)
      .Cases({"itertools.chain.from_iterable", "itertools.repeat"}, true)
      .Cases({"operator.mul", "operator.add", "operator.sub"}, true)
      .Cases({"os.environ", "os.environ.get", "os.getenv", "abc.ABC"}, true)
      .Cases({"typing.TYPE_CHECKING", "copy.copy", "copy.deepcopy"}, true)
      .Cases({"os.environ.__contains__", "os.environ.__getitem__"}, true)
      .Default(false);
}

bool tegula::isOrdinaryBuiltin(StringRef name) {
  return name == "object" || findFunction(name) || isLibrary(name);
}

namespace {

/// What `sys.name` is, if it is the same wherever the file is read: it is
/// given no words, as a file that is imported.
static std::optional<Object> systemConstant(StringRef name) {
  if (name == "argv")
    return Object::tuple({Object::string("")});
  if (name == "maxsize")
    return Object::integer(INT64_MAX);
  if (name == "platform")
    return Object::string("linux");
  if (name == "byteorder")
    return Object::string("little");
  return std::nullopt;
}

/// What `module.name` is.
class LibraryNames : public Environment {
public:
  explicit LibraryNames(StringRef module) : module(module) {}
  std::optional<Object> lookup(StringRef name) override {
    std::string dotted = (module + "." + name).str();
    if (dotted == "typing.TYPE_CHECKING")
      return Object::boolean(false);
    if (module == "sys")
      return systemConstant(name);
    if (isLibrary(dotted))
      return Object(PythonObject{dotted});
    return std::nullopt;
  }

private:
  std::string module;
};

} // namespace

std::optional<Object> tegula::ordinaryModule(StringRef name) {
  static constexpr llvm::StringLiteral known[] = {
      "functools", "dataclasses", "enum", "typing", "collections", "itertools",
      "operator",  "os",          "abc",  "copy",   "sys"};
  if (!llvm::is_contained(known, name))
    return std::nullopt;
  return Object(NamespaceObject{std::make_shared<LibraryNames>(name),
                                "the module '" + name.str() + "'"});
}

Object tegula::callOrdinaryBuiltin(Evaluator &evaluator, StringRef name,
                                   OrdinaryArguments arguments) {
  bool isArray = isArrayFunction(name);
  if (name.starts_with("math.") || isArray) {
    std::vector<Object> plain;
    for (const Object &argument : arguments.positional) {
      plain.push_back(plainValue(argument));
      if (!name.ends_with(".prod"))
        continue;
      Object problem;
      auto elements = evaluator.collect(argument, problem);
      if (!elements)
        return problem;
      plain.back() = Object::tuple(std::move(*elements));
    }
    std::optional<Object> result;
    if (arguments.keywords.empty())
      result = isArray ? foldArrayCall(name, plain) : foldCall(name, plain);
    OrdinaryCall call{evaluator, name, std::move(arguments)};
    return result ? *result : call.wrong();
  }
  if (OrdinaryFunction function = findFunction(name)) {
    OrdinaryCall call{evaluator, name, std::move(arguments)};
    return function(call);
  }
  return callLibrary(evaluator, name, std::move(arguments));
}
