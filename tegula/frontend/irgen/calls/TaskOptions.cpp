// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks go by the names they are given: `with pl.at(deps=[first]) as second`.
#include "tegula/frontend/irgen/calls/TaskOptions.h"
#include "tegula/frontend/constants/Levels.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Attribute;
using mlir::Value;

namespace {

/// What an option takes.
enum class Kind {
  Count,
  Flag,
  Text,
  Tasks,
  Tensors,
  Optimization,
  Optimizations,
  Level,
  Split,
  Mode,
  Role,
  Core,
  Predicate
};

struct Option {
  llvm::StringLiteral name;
  Kind kind;
};

} // namespace

static constexpr Option placementOptions[] = {
    {"level", Kind::Level},
    {"optimizations", Kind::Optimizations},
    {"windowize", Kind::Flag},
    {"role", Kind::Role},
    {"optimization", Kind::Optimization},
    {"split", Kind::Split},
    {"name", Kind::Text}};
static constexpr Option gridOptions[] = {{"core_num", Kind::Count},
                                         {"sync_start", Kind::Flag},
                                         {"optimizations", Kind::Optimizations},
                                         {"windowize", Kind::Flag},
                                         {"name", Kind::Text}};
static constexpr Option scopeOptions[] = {{"mode", Kind::Mode}};
static constexpr Option taskOptions[] = {
    {"deps", Kind::Tasks},     {"no_dep_args", Kind::Tensors},
    {"dumps", Kind::Tensors},  {"allow_early_resolve", Kind::Flag},
    {"name_hint", Kind::Text}, {"predicate", Kind::Predicate},
    {"core_type", Kind::Core}};

/// The parameters of a scope in order; each may be left out.
static std::vector<Option> optionsOf(Construct construct) {
  std::vector<Option> options;
  if (construct == Construct::At)
    llvm::append_range(options, placementOptions);
  else if (construct == Construct::Grid)
    llvm::append_range(options, gridOptions);
  else if (construct == Construct::Scope)
    llvm::append_range(options, scopeOptions);
  llvm::append_range(options, taskOptions);
  return options;
}

/// What an option takes, if it is one of any scope.
static std::optional<Kind> kindOf(StringRef name) {
  for (llvm::ArrayRef<Option> options :
       {llvm::ArrayRef<Option>(placementOptions),
        llvm::ArrayRef<Option>(gridOptions),
        llvm::ArrayRef<Option>(scopeOptions),
        llvm::ArrayRef<Option>(taskOptions)})
    for (const Option &option : options)
      if (option.name == name)
        return option.kind;
  return std::nullopt;
}

bool tegula::isSubmitOption(StringRef name) {
  return llvm::any_of(optionsOf(Construct::Grid), [&](const Option &option) {
    return option.name == name;
  });
}

/// `pl.split(...)`, `pl.auto_chunk` and the like, which change no result.
static bool isOptimization(const Object &object) {
  const std::string *path = object.asLanguage();
  return path && (StringRef(*path).starts_with("option.") ||
                  *path == "auto_chunk" || *path == "chunked_loop_optimizer");
}

static bool isTask(const Object &object) {
  return object.is<TaskObject>() || object.is<NoneObject>();
}

namespace {

/// Checks what is given for one option.
struct OptionCheck {
  Emitter &emitter;
  const Option &option;
  const CallArgument &argument;

  bool refuse(const llvm::Twine &wanted, const Object &got) {
    emitter.fail(argument.loc, "'" + option.name + "' takes " + wanted +
                                   ", got " + describe(got));
    return false;
  }

  /// Every entry of a list must pass.
  bool checkList(llvm::function_ref<bool(const Object &)> fits,
                 StringRef wanted) {
    const std::vector<Object> *entries = argument.object.asTuple();
    if (!entries)
      return refuse("a list", argument.object);
    for (const Object &entry : *entries)
      if (!fits(entry))
        return refuse(wanted, entry);
    return true;
  }

  /// A name of the language such as `pl.Role.SubWorker`.
  bool checkMember(StringRef of) {
    const std::string *path = argument.object.asLanguage();
    return (path && StringRef(*path).starts_with((of + ".").str())) ||
           refuse("one of pl." + of, argument.object);
  }

  bool check() {
    const Object &object = argument.object;
    switch (option.kind) {
    case Kind::Count:
    case Kind::Predicate:
      return true;
    case Kind::Flag:
      return object.is<BoolObject>() || refuse("True or False", object);
    case Kind::Text:
    case Kind::Core:
      return object.is<StringObject>() || refuse("a string", object);
    case Kind::Tasks:
      return checkList(isTask, "tasks, arrays of tasks and None");
    case Kind::Tensors:
      return checkList(
          [](const Object &entry) {
            return entry.asTensor() || entry.asTile();
          },
          "tensors");
    case Kind::Optimization:
      return isOptimization(object) ||
             refuse("pl.chunked_loop_optimizer", object);
    case Kind::Optimizations:
      return checkList(isOptimization, "pl.split(...), pl.auto_chunk and "
                                       "pl.cross_core_slot(...)");
    case Kind::Split:
      return checkMember("SplitMode");
    case Kind::Level:
      if (!levelOf(object))
        emitter.fail(argument.loc, "the level of pl.at must be one of "
                                   "pl.Level, such as pl.Level.CORE_GROUP");
      return levelOf(object).has_value();
    case Kind::Mode:
      return checkMember("ScopeMode");
    case Kind::Role:
      return checkMember("Role");
    }
    llvm_unreachable("every kind is checked");
  }
};

} // namespace

bool tegula::readTaskOptions(Emitter &emitter, Construct construct,
                             StringRef name, const CallArguments &arguments,
                             TaskOptions &options) {
  std::vector<Option> declared = optionsOf(construct);
  std::vector<StringRef> names;
  for (const Option &option : declared)
    names.push_back(option.name);
  llvm::SmallVector<bool> isRequired(names.size(), false);
  std::vector<std::optional<CallArgument>> bound;
  if (!bindArguments(name, names, isRequired, arguments, emitter.reporter,
                     bound))
    return false;
  bool isRight = true;
  for (auto [option, argument] : llvm::zip(declared, bound)) {
    if (!argument)
      continue;
    isRight &= OptionCheck{emitter, option, *argument}.check();
    if (option.kind == Kind::Count)
      options.numBlocks = argument;
    if (option.kind == Kind::Level)
      options.level = levelOf(argument->object);
    if (option.kind == Kind::Predicate && !argument->object.is<NoneObject>()) {
      options.predicate = argument->object;
      options.predicateLoc = argument->loc;
    }
  }
  return isRight;
}

std::optional<Object> tegula::readBlocks(Emitter &emitter,
                                         const CallArguments &arguments,
                                         TaskOptions &options) {
  CallArguments rest = arguments;
  std::optional<CallArgument> blocks;
  if (rest.positional.size() == 1) {
    blocks = rest.positional.front();
    rest.positional.clear();
  }
  if (!readTaskOptions(emitter, Construct::Grid, "spmd", rest, options))
    return std::nullopt;
  if (!blocks)
    blocks = options.numBlocks;
  if (!blocks) {
    emitter.fail(arguments.loc, "spmd() missing required argument 'core_num'");
    return std::nullopt;
  }
  std::optional<int64_t> constant = blocks->object.asInteger();
  if (blocks->object.is<IntObject>() && *constant < 0) {
    emitter.fail(blocks->loc,
                 "the number of blocks must not be negative, got " +
                     llvm::Twine(*constant));
    return std::nullopt;
  }
  if (constant && blocks->object.is<IntObject>())
    return blocks->object;
  Value count = emitter.scalars.toIndex(blocks->loc, blocks->object,
                                        "the number of blocks");
  return count ? std::optional(Object(count)) : std::nullopt;
}

bool tegula::takeDependencies(Emitter &emitter, CallArguments &arguments) {
  static constexpr Option deps{"deps", Kind::Tasks};
  auto found = llvm::find_if(arguments.keywords, [](const auto &keyword) {
    return keyword.first == deps.name;
  });
  if (found == arguments.keywords.end())
    return true;
  bool isRight = OptionCheck{emitter, deps, found->second}.check();
  arguments.keywords.erase(found);
  return isRight;
}

/// A name as it is written, without what is subscripted or called.
static std::string nameOf(const ast::Expr &expr) {
  if (const auto *part = std::get_if<ast::Subscript>(&expr.node))
    return nameOf(*part->value);
  if (const auto *call = std::get_if<ast::Call>(&expr.node))
    return nameOf(*call->callee);
  return ast::dottedName(expr);
}

/// What an option is worth: a number, a text, names.
static Attribute attributeOf(mlir::Builder &builder, const Object &object,
                             const ast::Expr &expr) {
  if (const auto *flag = object.as<BoolObject>())
    return builder.getBoolAttr(flag->value);
  if (object.is<IntObject>())
    return builder.getI64IntegerAttr(*object.asInteger());
  if (const auto *text = object.as<StringObject>())
    return builder.getStringAttr(text->value);
  if (const std::string *path = object.asLanguage())
    return builder.getStringAttr(StringRef(*path).rsplit('.').second);
  const std::vector<ast::ExprPtr> *entries = nullptr;
  if (const auto *list = std::get_if<ast::List>(&expr.node))
    entries = &list->elements;
  if (const auto *tuple = std::get_if<ast::Tuple>(&expr.node))
    entries = &tuple->elements;
  if (!entries)
    return builder.getStringAttr(nameOf(expr));
  llvm::SmallVector<Attribute> names;
  for (const ast::ExprPtr &entry : *entries)
    names.push_back(builder.getStringAttr(nameOf(*entry)));
  return builder.getArrayAttr(names);
}

/// True for what a region is and whether it runs, which is no attribute, and
/// for hints that no target uses.
static bool isOwnMatter(StringRef name) {
  std::optional<Kind> kind = kindOf(name);
  return kind == Kind::Level || kind == Kind::Count ||
         kind == Kind::Predicate || kind == Kind::Optimization ||
         kind == Kind::Split || kind == Kind::Core;
}

mlir::DictionaryAttr tegula::describeTask(Emitter &emitter,
                                          const ast::Call &call,
                                          const CallArguments &arguments,
                                          const ast::Expr *target) {
  mlir::Builder &builder = emitter.builder;
  mlir::NamedAttrList task;
  if (target)
    task.set("name", builder.getStringAttr(nameOf(*target)));
  for (const auto &[written, bound] :
       llvm::zip(call.keywords, arguments.keywords)) {
    StringRef name = bound.first;
    if (!isOwnMatter(name))
      task.set(name == "name" ? "name_hint" : name,
               attributeOf(builder, bound.second.object, *written.value));
  }
  return task.empty() ? mlir::DictionaryAttr()
                      : task.getDictionary(emitter.getContext());
}
