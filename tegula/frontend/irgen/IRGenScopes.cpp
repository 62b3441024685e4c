// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `with`: where a region runs, and what is said of it as a task. Program order
// is the meaning, so only a predicate changes what happens.
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/IRGenFunction.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

static bool isTask(const Object &object) {
  return object.is<TaskObject>() || object.is<NoneObject>();
}

/// The parameters of a scope; each may be left out.
static std::vector<StringRef> parametersOf(StringRef name) {
  std::vector<StringRef> names;
  if (name == "at")
    names = {"level", "optimizations", "windowize", "role"};
  else if (name == "spmd" || name == "spmd_submit")
    names = {"core_num", "sync_start", "optimizations"};
  else if (name == "scope")
    names = {"mode"};
  for (StringRef common : {"deps", "no_dep_args", "dumps",
                           "allow_early_resolve", "name_hint", "predicate"})
    names.push_back(common);
  return names;
}

/// `pl.Level.CORE_GROUP` and the like; nothing if it is something else.
static std::optional<pl::Level> levelOf(const Object &object) {
  const std::string *path = object.asLanguage();
  StringRef name = path ? StringRef(*path) : "";
  if (!name.consume_front("Level.") || name != name.upper())
    return std::nullopt;
  return pl::symbolizeLevel(name.lower());
}

bool FunctionGenerator::checkTaskOption(StringRef name,
                                        const CallArgument &argument) {
  const Object &object = argument.object;
  std::vector<Object> entries =
      object.asTuple() ? *object.asTuple() : std::vector<Object>{};
  auto refuse = [&](const llvm::Twine &wanted, const Object &got) {
    fail(argument.loc,
         "'" + name + "' takes " + wanted + ", got " + describe(got));
    return false;
  };
  bool isList = name == "deps" || name == "no_dep_args" || name == "dumps" ||
                name == "optimizations";
  if (isList && !object.asTuple())
    return refuse("a list", object);
  for (const Object &entry : entries) {
    const std::string *path = entry.asLanguage();
    if (name == "deps" && !isTask(entry))
      return refuse("tasks, arrays of tasks and None", entry);
    if ((name == "no_dep_args" || name == "dumps") && !entry.asTensor() &&
        !entry.asTile())
      return refuse("tensors", entry);
    if (name == "optimizations" &&
        !(path && StringRef(*path).starts_with("option.")))
      return refuse("pl.split(...) and pl.cross_core_slot(...)", entry);
  }
  bool isFlag = name == "allow_early_resolve" || name == "windowize" ||
                name == "sync_start";
  if (isFlag && !object.is<BoolObject>())
    return refuse("True or False", object);
  if (name == "name_hint" && !object.is<StringObject>())
    return refuse("a string", object);
  if (name == "level" || name == "mode" || name == "role") {
    StringRef kind = name == "level"  ? "Level."
                     : name == "mode" ? "ScopeMode."
                                      : "Role.";
    const std::string *path = object.asLanguage();
    bool isRight = name == "level" ? levelOf(object).has_value()
                                   : path && StringRef(*path).starts_with(kind);
    if (!isRight && name == "level")
      fail(argument.loc, "the level of pl.at must be one of pl.Level, such as "
                         "pl.Level.CORE_GROUP");
    return isRight || name == "level"
               ? isRight
               : refuse("one of pl." + kind.drop_back(), object);
  }
  return true;
}

bool FunctionGenerator::readTaskOptions(StringRef name,
                                        const CallArguments &arguments,
                                        TaskOptions &options) {
  std::vector<StringRef> names = parametersOf(name);
  llvm::SmallVector<bool> isRequired(names.size(), false);
  if (!bindArguments(name, names, isRequired, arguments, emitter.reporter,
                     options.bound))
    return false;
  bool isRight = true;
  for (auto [parameter, argument] : llvm::zip(names, options.bound)) {
    if (!argument)
      continue;
    isRight &= checkTaskOption(parameter, *argument);
    if (parameter == "predicate" && !argument->object.is<NoneObject>()) {
      options.predicate = argument->object;
      options.predicateLoc = argument->loc;
    }
  }
  return isRight;
}

/// Runs what `emit` generates only if the predicate holds. `emit` generates
/// `rest` too, if there is one.
FunctionGenerator::Flow
FunctionGenerator::emitGuarded(const TaskOptions &options,
                               llvm::function_ref<Flow()> emit,
                               const ast::Stmt &stmt, const Rest *rest) {
  auto skip = [&] { return rest ? emitRest(*rest) : Flow::Reaches; };
  if (isConstant(options.predicate))
    return isTrue(options.predicate) ? emit() : skip();
  Value condition =
      emitter.toCondition(options.predicateLoc, options.predicate);
  if (!condition)
    return skip();
  NameCounts inside;
  countNames(stmt, inside);
  return emitRuntimeIf(condition, emit, skip, locate(stmt.loc), inside);
}

FunctionGenerator::Flow FunctionGenerator::emitScope(StringRef name,
                                                     const TaskOptions &options,
                                                     const ast::With &node,
                                                     const ast::Stmt &stmt,
                                                     const Rest *rest) {
  auto emit = [&]() -> Flow {
    if (name != "at")
      return emitBlock(node.body, rest);
    std::optional<pl::Level> level;
    if (options.bound.front())
      level = levelOf(options.bound.front()->object);
    Placement placement{level.value_or(pl::Level::CoreGroup), options.task};
    if (rest) {
      // Control leaves it in its middle: what does not jump is placed.
      const Placement *around = std::exchange(leftPlacement, &placement);
      Flow flow = emitBlock(node.body, rest);
      leftPlacement = around;
      return flow;
    }
    NameCounts inside;
    countNames(stmt, inside);
    return emitRegion(placement, node.body, inside, locate(stmt.loc));
  };
  return emitGuarded(options, emit, stmt, rest);
}

FunctionGenerator::Flow FunctionGenerator::emitWith(const ast::With &node,
                                                    const ast::Stmt &stmt,
                                                    const Rest *rest) {
  const ast::WithItem &item = node.items.front();
  const auto *call = std::get_if<ast::Call>(&item.context->node);
  Location loc = locate(*item.context);
  Object callee = call ? evaluate(*call->callee) : Object::none();
  if (callee.isPoison())
    return Flow::Reaches;
  const std::string *path = callee.asLanguage();
  static constexpr StringRef scopes[] = {
      "at", "spmd", "scope", "auto_scope", "cluster", "manual_scope"};
  if (!path || !llvm::is_contained(scopes, *path) || node.items.size() != 1) {
    fail(loc, "a 'with' in a kernel takes one of pl.at, pl.spmd, pl.cluster, "
              "pl.scope and pl.manual_scope");
    return Flow::Reaches;
  }
  std::optional<CallArguments> arguments =
      evaluateArguments(*item.context, *call);
  if (!arguments)
    return Flow::Reaches;
  TaskOptions options{{}, Object::boolean(true), loc};
  std::optional<Object> blocks;
  bool isRight = true;
  if (*path == "spmd")
    isRight = (blocks = readBlocks(*arguments, options)).has_value();
  else
    isRight = readTaskOptions(*path, *arguments, options);
  if (!isRight)
    return Flow::Reaches;
  options.task = describeTask(*call, *arguments, item.target.get());
  if (item.target)
    assign(*item.target, Object(TaskObject{}));
  if (!blocks)
    return emitScope(*path, options, node, stmt, rest);
  if (rest) {
    fail(loc, "control cannot leave the blocks of pl.spmd; end the loop or the "
              "function outside of it");
    return Flow::Reaches;
  }
  auto emit = [&] {
    emitGrid(
        LoopBody{
            node.body, "", {}, "pl.spmd", pl::LoopKind::Grid, options.task},
        *blocks, stmt);
    return Flow::Reaches;
  };
  return emitGuarded(options, emit, stmt, nullptr);
}
