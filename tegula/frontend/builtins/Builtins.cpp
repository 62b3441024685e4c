// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a call finds its builtin and its arguments.
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/VendorFunctions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::ArrayRef;
using llvm::StringRef;
using mlir::Value;

bool tegula::bindArguments(StringRef function, ArrayRef<StringRef> parameters,
                           ArrayRef<bool> isRequired,
                           const CallArguments &arguments, Reporter &reporter,
                           std::vector<std::optional<CallArgument>> &bound) {
  bound.assign(parameters.size(), std::nullopt);
  size_t given = arguments.positional.size();
  if (given > parameters.size()) {
    reporter.error(arguments.loc,
                   function + "() takes " + llvm::Twine(parameters.size()) +
                       (parameters.size() == 1 ? " positional argument but "
                                               : " positional arguments but ") +
                       llvm::Twine(given) + " were given");
    return false;
  }
  for (size_t i = 0; i < given; ++i)
    bound[i] = arguments.positional[i];
  bool isRight = true;
  for (const auto &[name, argument] : arguments.keywords) {
    auto found = llvm::find(parameters, name);
    size_t position = found - parameters.begin();
    if (found == parameters.end()) {
      reporter.error(argument.loc,
                     function + "() got an unexpected keyword argument '" +
                         name + "'");
      isRight = false;
    } else if (bound[position]) {
      reporter.error(argument.loc, function +
                                       "() got multiple values for argument '" +
                                       name + "'");
      isRight = false;
    } else {
      bound[position] = argument;
    }
  }
  for (auto [position, required] : llvm::enumerate(isRequired))
    if (isRight && required && !bound[position]) {
      reporter.error(arguments.loc, function +
                                        "() missing required argument '" +
                                        parameters[position] + "'");
      return false;
    }
  return isRight;
}

Value BuiltinCall::shaped(unsigned position) const {
  const Object &object = (*this)[position];
  if (Value tensor = object.asTensor())
    return tensor;
  if (Value tile = object.asTile())
    return tile;
  emitter.fail(locOf(position), "'" + name +
                                    "' takes a tensor or a tile, got " +
                                    describe(object));
  return {};
}

Value BuiltinCall::tile(unsigned position) const {
  Value value = shaped(position);
  return value ? emitter.toTile(loc, Object(value)) : Value();
}

bool BuiltinCall::sizes(unsigned position,
                        llvm::SmallVectorImpl<Value> &values) const {
  const Object &object = (*this)[position];
  std::vector<Object> entries =
      object.asTuple() ? *object.asTuple() : std::vector<Object>{object};
  for (const Object &entry : entries) {
    if (entry.asInteger().value_or(0) < 0) {
      emitter.fail(locOf(position), "an extent must not be negative, got " +
                                        llvm::Twine(*entry.asInteger()));
      return false;
    }
    values.push_back(emitter.toIndex(locOf(position), entry, "an extent"));
    if (!values.back())
      return false;
  }
  return true;
}

bool BuiltinCall::indices(unsigned position, unsigned rank,
                          llvm::SmallVectorImpl<Value> &values) const {
  const Object &object = (*this)[position];
  std::vector<Object> entries =
      object.asTuple() ? *object.asTuple() : std::vector<Object>{object};
  if (entries.size() != rank) {
    emitter.fail(locOf(position), "'" + name + "' needs " + llvm::Twine(rank) +
                                      " entries here, one for each axis, got " +
                                      llvm::Twine(entries.size()));
    return false;
  }
  for (const Object &entry : entries) {
    values.push_back(emitter.toIndex(locOf(position), entry, "an entry"));
    if (!values.back())
      return false;
  }
  return true;
}

mlir::Type BuiltinCall::dtype(unsigned position) const {
  if (const auto *dtype = (*this)[position].as<DtypeObject>())
    return dtype->type;
  emitter.fail(locOf(position), "expected a dtype such as pl.FP32, got " +
                                    describe((*this)[position]));
  return {};
}

std::optional<unsigned> BuiltinCall::axis(unsigned position,
                                          unsigned rank) const {
  const Object &object = (*this)[position];
  std::optional<int64_t> axis = object.asInteger();
  if (!axis) {
    emitter.fail(locOf(position),
                 "the axis must be known at compile time, got " +
                     describe(object));
    return std::nullopt;
  }
  if (*axis < -int64_t(rank) || *axis >= int64_t(rank)) {
    emitter.fail(locOf(position), "axis " + llvm::Twine(*axis) +
                                      " is out of range for rank " +
                                      llvm::Twine(rank));
    return std::nullopt;
  }
  return *axis < 0 ? *axis + rank : *axis;
}

std::optional<bool> BuiltinCall::flag(unsigned position, bool otherwise) const {
  if (!has(position) || (*this)[position].is<NoneObject>())
    return otherwise;
  if (const auto *boolean = (*this)[position].as<BoolObject>())
    return boolean->value;
  emitter.fail(locOf(position),
               "expected True or False, got " + describe((*this)[position]));
  return std::nullopt;
}

std::vector<BuiltinTable> tegula::builtinTables() {
  return {{"creation", creationBuiltins()}, {"creation", randomBuiltins()},
          {"memory", memoryBuiltins()},     {"shapes", shapeBuiltins()},
          {"shapes", moveBuiltins()},       {"shapes", padBuiltins()},
          {"elementwise", mathBuiltins()},  {"elementwise", combineBuiltins()},
          {"products", productBuiltins()},  {"reductions", reductionBuiltins()},
          {"gather", gatherBuiltins()},     {"scatter", scatterBuiltins()},
          {"order", sortBuiltins()},

          {"tasks", taskBuiltins()}};
}

/// A function by its path: each goes by `pl.name`, `pl.tensor.name` and
/// `pl.tile.name`, and makes what the path says.
static StringRef plainName(StringRef path) {
  if (path == "tensor.create")
    return "create_tensor";
  if (!path.consume_front("tensor."))
    path.consume_front("tile.");
  return path;
}

static const Builtin *findBuiltin(StringRef name) {
  for (const BuiltinTable &table : builtinTables())
    for (const Builtin &builtin : table.functions)
      if (builtin.name == name)
        return &builtin;
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
      .Cases({"Tensor", "Tile", "Scalar", "Array", "Out", "InOut"},
             "belongs in an annotation")
      .Case("jit", "belongs above a function as a decorator")
      .Default("");
}

/// The elementwise op a name means: `add`, and `adds` for a scalar operand.
static StringRef elementwiseName(Emitter &emitter, StringRef name,
                                 std::string &storage) {
  if (emitter.elementwiseArity(name))
    return name;
  if (!name.consume_back("s"))
    return "";
  for (const char *suffix : {"", "_"}) {
    storage = name.str() + suffix;
    if (emitter.elementwiseArity(storage) == 2)
      return storage;
  }
  return "";
}

std::string tegula::unknownName(Emitter &emitter, StringRef path) {
  StringRef name = plainName(path);
  std::string storage;
  if (findBuiltin(name) || !elementwiseName(emitter, name, storage).empty())
    return "";
  if (StringRef why = whyNotCallable(name); !why.empty())
    return ("pl." + path + " " + why).str();
  if (std::optional<StringRef> why = vendorReason(name))
    return why->empty() ? "" : ("pl." + path + " " + *why).str();
  std::string best;
  unsigned distance = 3;
  auto consider = [&](StringRef candidate) {
    unsigned edits = name.edit_distance(candidate, true, distance);
    if (edits < distance && edits < std::max<size_t>(2, name.size() / 2)) {
      best = candidate.str();
      distance = edits;
    }
  };
  for (const BuiltinTable &table : builtinTables())
    for (const Builtin &builtin : table.functions)
      consider(builtin.name);
  for (mlir::RegisteredOperationName op :
       emitter.getContext()->getRegisteredOperations())
    if (op.getDialectNamespace() == "pl" &&
        emitter.elementwiseArity(op.stripDialect()))
      consider(op.stripDialect());
  std::string message = ("'pl." + path + "' does not exist").str();
  if (!best.empty())
    message += "; did you mean 'pl." + best + "'?";
  return message;
}

/// An elementwise op takes its operands, and what hardware would need besides.
static Object callElementwise(Emitter &emitter, StringRef name,
                              StringRef mnemonic,
                              const CallArguments &arguments) {
  unsigned arity = emitter.elementwiseArity(mnemonic);
  static constexpr StringRef parameters[] = {"lhs", "rhs", "third"};
  llvm::SmallVector<StringRef> names(parameters, parameters + arity);
  if (arity == 1)
    names[0] = "x";
  llvm::SmallVector<bool> isRequired(arity, true);
  auto ignore = [&](StringRef parameter, ArrayRef<StringRef> mnemonics) {
    if (!llvm::is_contained(mnemonics, mnemonic))
      return;
    names.push_back(parameter);
    isRequired.push_back(false);
  };
  ignore("tmp", {"rsqrt", "rem", "xor"});
  ignore("high_precision", {"div", "recip", "log", "rsqrt"});
  std::vector<std::optional<CallArgument>> bound;
  if (!bindArguments(name, names, isRequired, arguments, emitter.reporter,
                     bound))
    return Object::poison();
  llvm::SmallVector<Object> operands;
  for (unsigned i = 0; i < arity; ++i)
    operands.push_back(bound[i]->object);
  if (arity == 2 && operands[0].isNumber() && operands[1].isNumber())
    operands[0] = emitter.materialize(arguments.loc, operands[0]);
  if (mnemonic == "maximum" || mnemonic == "minimum")
    return emitter.extreme(arguments.loc, mnemonic == "maximum", operands[0],
                           operands[1]);
  using ast::BinaryOp;
  auto op = llvm::StringSwitch<std::optional<BinaryOp>>(mnemonic)
                .Case("add", BinaryOp::Add)
                .Case("sub", BinaryOp::Sub)
                .Case("mul", BinaryOp::Mul)
                .Case("rem", BinaryOp::Mod)
                .Default(std::nullopt);
  if (op)
    return emitter.binary(arguments.loc, *op, operands[0], operands[1]);
  return emitter.elementwise(arguments.loc, mnemonic, operands);
}

Object tegula::callBuiltin(Emitter &emitter, StringRef path,
                           const CallArguments &arguments, bool &hasEffect) {
  StringRef name = plainName(path);
  std::string storage;
  const Builtin *builtin = findBuiltin(name);
  if (!builtin) {
    StringRef mnemonic = elementwiseName(emitter, name, storage);
    if (!mnemonic.empty())
      return callElementwise(emitter, name, mnemonic, arguments);
    if (vendorReason(name) == StringRef("")) {
      hasEffect = true;
      return arguments.positional.empty() ? Object::none()
                                          : arguments.positional.front().object;
    }
    return emitter.fail(arguments.loc, unknownName(emitter, path));
  }
  llvm::SmallVector<StringRef> names;
  llvm::SmallVector<bool> isRequired;
  CallArguments renamed = arguments;
  for (StringRef parameter : llvm::split(builtin->parameters, ' ')) {
    if (parameter.empty())
      continue;
    isRequired.push_back(!parameter.consume_back("?"));
    auto [first, others] = parameter.split('|');
    names.push_back(first);
    for (auto &[keyword, argument] : renamed.keywords)
      if (!others.empty() &&
          llvm::is_contained(llvm::split(others, '|'), keyword))
        keyword = first;
  }
  BuiltinCall call{emitter, name, arguments.loc, {}};
  if (!bindArguments(name, names, isRequired, renamed, emitter.reporter,
                     call.arguments))
    return Object::poison();
  Object result = builtin->build(call);
  // Tiles are values: a changed tile that nobody takes is a lost change.
  hasEffect = builtin->hasEffect && !result.asTile();
  return result;
}
