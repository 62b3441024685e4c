// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a call finds its function and its arguments.
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/builtins/BuiltinCall.h"
#include "tegula/frontend/builtins/Elementwise.h"
#include "tegula/frontend/builtins/TargetMemory.h"
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/frontend/constants/library/VendorFunctions.h"
#include "tegula/frontend/diagnostics/NearestNames.h"
#include "tegula/ir/ValueNames.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

namespace tegula {
#include "tegula/frontend/builtins/Builtins.cpp.inc"
} // namespace tegula

llvm::ArrayRef<Builtin> tegula::listBuiltins() { return builtins; }

static const Builtin *lookup(StringRef name);

/// A function by its path: each goes by `pl.name`, `pl.tensor.name` and
/// `pl.tile.name`, and makes what the path says. Those of ranks are sorted in
/// the same way, below `pl.distributed`.
static StringRef plainName(StringRef path) {
  if (path == "tensor.create")
    return "create_tensor";
  if (path.starts_with("distributed.")) {
    auto [space, name] = path.rsplit('.');
    const Builtin *builtin = lookup(("distributed." + name).str());
    bool isSpace = llvm::StringSwitch<bool>(space)
                       .Cases({"distributed", "distributed.tensor"}, true)
                       .Cases({"distributed.tile", "distributed.system"}, true)
                       .Default(false);
    return builtin && isSpace ? StringRef(builtin->name) : path;
  }
  if (!path.consume_front("tensor."))
    path.consume_front("tile.");
  return path;
}

/// True for what only functions written in the language may call.
static bool isPrivate(StringRef name) { return name.starts_with("_"); }

static const Builtin *lookup(StringRef name) {
  static const llvm::StringMap<const Builtin *> byName = [] {
    llvm::StringMap<const Builtin *> map;
    for (const Builtin &builtin : builtins)
      map.insert({builtin.name, &builtin});
    return map;
  }();
  return byName.lookup(name);
}

/// The function a name means. An elementwise op of two operands goes by a
/// second name for a scalar operand: `adds`, and `ands` for `and_`.
static const Builtin *findBuiltin(StringRef name) {
  if (const Builtin *builtin = lookup(name))
    return builtin;
  if (!name.consume_back("s"))
    return nullptr;
  for (const char *suffix : {"", "_"}) {
    const Builtin *builtin = lookup((name + suffix).str());
    if (builtin && builtin->isElementwise &&
        llvm::count_if(builtin->parameters, [](const BuiltinParameter &each) {
          return !each.isIgnored();
        }) == 2)
      return builtin;
  }
  return nullptr;
}

/// What to do instead of calling a function that other systems have.
static StringRef whyNotCallable(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"range", "parallel", "unroll", "pipeline"}, "belongs in a 'for'")
      .Cases({"while_", "split_aiv"}, "belongs in a 'for'")
      .Case("spmd", "belongs in a 'for' or a 'with'")
      .Case("cond", "belongs at the beginning of the body of pl.while_")
      .Cases({"at", "cluster", "scope", "manual_scope", "auto_scope"},
             "belongs in a 'with'")
      .Cases({"incore", "auto_incore"}, "belongs in a 'with'")
      .Case("auto_chunk", "belongs in the optimizations= of pl.at")
      .Cases({"Tensor", "Tile", "Scalar", "Array", "Out", "InOut"},
             "belongs in an annotation")
      .Case("jit", "belongs above a function as a decorator")
      .Default("");
}

bool tegula::isFunction(StringRef name) {
  return !isPrivate(name) && findBuiltin(name);
}

std::string tegula::suggestFunction(StringRef name) {
  if (StringRef here = writtenHere(name); !here.empty())
    return ("; write " + here).str();
  if (isOnlyElsewhere(name))
    return "; other systems have it, and there is nothing like it here";
  llvm::SmallVector<StringRef> names = {"range", "parallel", "unroll",
                                        "pipeline", "spmd"};
  for (const Builtin &builtin : builtins)
    if (!isPrivate(builtin.name))
      names.push_back(builtin.name);
  return didYouMean(name, names, "pl.");
}

std::string tegula::unknownName(StringRef path) {
  StringRef name = plainName(path);
  if (findBuiltin(name))
    return "";
  if (StringRef why = whyNotCallable(name); !why.empty())
    return ("pl." + path + " " + why).str();
  if (std::optional<StringRef> why = vendorReason(name))
    return why->empty() ? "" : ("pl." + path + " " + *why).str();
  std::string suggested = suggestFunction(name);
  return ("'pl." + path + "' does not exist").str() +
         (suggested.empty() ? suggestDtype(name) : suggested);
}

/// The arguments of the parameters that are not ignored, in order. Nothing,
/// after an error, if they do not fit.
static std::optional<std::vector<std::optional<CallArgument>>>
bind(const Builtin &builtin, StringRef name, CallArguments arguments,
     Reporter &reporter) {
  llvm::SmallVector<StringRef> names;
  llvm::SmallVector<bool> isRequired;
  for (const BuiltinParameter &parameter : builtin.parameters) {
    names.push_back(parameter.name);
    isRequired.push_back(parameter.isRequired);
    for (auto &[keyword, argument] : arguments.keywords)
      if (llvm::is_contained(parameter.aliases, keyword))
        keyword = parameter.name;
  }
  std::vector<std::optional<CallArgument>> bound, given;
  if (!bindArguments(name, names, isRequired, arguments, reporter, bound))
    return std::nullopt;
  for (auto [parameter, argument] : llvm::zip(builtin.parameters, bound)) {
    if (parameter.isIgnored()) {
      // Scratch has been given a purpose, though not here.
      if (mlir::Value scratch = argument ? argument->object.asValue() : nullptr)
        forgetName(scratch);
      continue;
    }
    bool isLeftOut =
        argument && !parameter.isRequired && argument->object.is<NoneObject>();
    given.push_back(isLeftOut ? std::nullopt : argument);
  }
  return given;
}

/// True if all arguments of an elementwise function can be operands; otherwise
/// says which one cannot.
static bool checkOperands(const Builtin &builtin, StringRef name,
                          llvm::ArrayRef<std::optional<CallArgument>> given,
                          Emitter &emitter) {
  bool isInLanguage = !builtin.build && builtin.theme == "elementwise";
  if (!builtin.isElementwise && !isInLanguage)
    return true;
  const std::optional<CallArgument> *next = given.begin();
  for (const BuiltinParameter &parameter : builtin.parameters) {
    if (parameter.isIgnored())
      continue;
    const std::optional<CallArgument> &argument = *next++;
    if (!argument || argument->object.asValue() ||
        argument->object.isNumeric() || argument->object.isPoison())
      continue;
    // An option, such as `approximate="tanh"`, which the function checks.
    if (!parameter.isRequired && argument->object.is<StringObject>())
      continue;
    emitter.fail(argument->loc, "'" + parameter.name + "' of '" + name +
                                    "' is a tensor, a tile or a number, got " +
                                    describe(argument->object));
    return false;
  }
  return true;
}

/// Hands the arguments of a call to a function written in the language.
Object tegula::callPrelude(const Builtin &builtin, BuiltinCall &&call,
                           RunPrelude runPrelude) {
  PreludeCall prelude{builtin, call.name, call.loc, {}};
  unsigned position = 0;
  for (const BuiltinParameter &parameter : builtin.parameters) {
    if (parameter.isIgnored())
      continue;
    BuiltinArgument argument = call.argument(position++);
    std::optional<Object> object;
    if (argument.isGiven())
      object = argument.object();
    if (object && parameter.isTile) {
      mlir::Value tile = argument.tile();
      if (!tile)
        return Object::poison();
      object = Object(tile);
    }
    if (object && parameter.isList && !object->asTuple())
      object = Object::tuple({*object});
    prelude.arguments.push_back({parameter.name, object});
  }
  return runPrelude(prelude);
}

Object tegula::callBuiltin(Emitter &emitter, StringRef path,
                           const CallArguments &arguments, bool &hasEffect,
                           RunPrelude runPrelude) {
  StringRef name = plainName(path);
  const Builtin *builtin = findBuiltin(name);
  if (!builtin && vendorReason(name) == StringRef("")) {
    hasEffect = true;
    return arguments.positional.empty() ? Object::none()
                                        : arguments.positional.front().object;
  }
  if (!builtin)
    return emitter.fail(arguments.loc, unknownName(path));
  // Messages call it by its last name.
  name.consume_front("distributed.");
  auto given = bind(*builtin, name, arguments, emitter.reporter);
  if (!given || !checkOperands(*builtin, name, *given, emitter))
    return Object::poison();
  BuiltinCall call(emitter, name, arguments.loc, std::move(*given));
  Object result = builtin->build
                      ? builtin->build(std::move(call))
                      : callPrelude(*builtin, std::move(call), runPrelude);
  if (!result.isPoison())
    result = assignMemory(emitter, arguments, result);
  // Tiles are values: a changed tile that nobody takes is a lost change.
  hasEffect = builtin->hasEffect && !result.asTile();
  return result;
}
