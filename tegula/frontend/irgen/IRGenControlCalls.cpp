// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that depend on where they stand, and what is said while compiling.
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/irgen/IRGenFunction.h"
#include "tegula/frontend/syntax/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;

/// The name below `pl` that a callee is, without the `pl.`; empty if it is
/// none.
std::string FunctionGenerator::languagePath(const ast::Expr &callee) const {
  std::string dotted = ast::dottedName(callee);
  auto [first, rest] = StringRef(dotted).split('.');
  if (dotted.empty() || isLocal(first))
    return "";
  if (std::optional<Object> object = function.getEnvironment().lookup(dotted))
    return object->asLanguage() ? *object->asLanguage() : "";
  std::optional<Object> module = function.getEnvironment().lookup(first);
  const std::string *path = module ? module->asLanguage() : nullptr;
  if (!path)
    return "";
  return path->empty() ? rest.str() : *path + "." + rest.str();
}

std::optional<Object> FunctionGenerator::callControl(StringRef path,
                                                     const ast::Expr &expr,
                                                     const ast::Call &node) {
  StringRef name = path;
  if (!name.consume_front("tensor."))
    name.consume_front("tile.");
  enum class Kind { Other, Yield, Print, Assert, Grid };
  Kind kind = llvm::StringSwitch<Kind>(name)
                  .Case("yield_", Kind::Yield)
                  .Case("static_print", Kind::Print)
                  .Case("static_assert", Kind::Assert)
                  .Cases({"get_block_idx", "get_block_num", "get_subblock_idx",
                          "aiv_shard", "aic_gather", "submit", "spmd_submit",
                          "system.syncall", "system.sync_wait"},
                         Kind::Grid)
                  .Default(Kind::Other);
  switch (kind) {
  case Kind::Other:
    return std::nullopt;
  case Kind::Yield:
    return callYield(expr, node);
  case Kind::Print:
    return callStaticPrint(expr, node);
  case Kind::Assert:
    return callStaticAssert(expr, node);
  case Kind::Grid:
    break;
  }
  std::optional<CallArguments> arguments = evaluateArguments(expr, node);
  lastCallHadEffect = false;
  return arguments ? callGrid(name, *arguments) : Object::poison();
}

Object FunctionGenerator::callYield(const ast::Expr &expr,
                                    const ast::Call &node) {
  std::optional<CallArguments> arguments = evaluateArguments(expr, node);
  lastCallHadEffect = true;
  if (!arguments)
    return Object::poison();
  auto found = yields.find(&node);
  bool isBare = node.args.empty() && node.keywords.empty();
  if (isBare && (found == yields.end() || found->second.empty()))
    return Object::none();
  if (found == yields.end() || !node.keywords.empty())
    return fail(locate(expr), "pl.yield_ with values belongs at the end of a "
                              "loop with init_values, or of every branch of "
                              "an 'if'");
  std::vector<Object> values;
  for (const CallArgument &argument : arguments->positional)
    values.push_back(argument.object);
  for (auto [slot, argument] : llvm::zip(found->second, arguments->positional))
    scope.insert_or_assign(slot, Variable{argument.object, argument.loc});
  return values.size() == 1 ? values.front() : Object::tuple(std::move(values));
}

/// An object in a message: numbers as they are written, values by their type.
static std::string shown(const Object &object) {
  if (const auto *string = object.as<StringObject>())
    return string->value;
  if (const auto *dtype = object.as<DtypeObject>())
    return dtypeName(dtype->type);
  if (const auto *tuple = object.asTuple())
    return "(" +
           llvm::join(llvm::map_range(
                          *tuple,
                          [](const Object &element) { return shown(element); }),
                      ", ") +
           ")";
  std::string described = describe(object);
  StringRef text = described;
  if (!text.consume_front("the integer "))
    text.consume_front("the float ");
  return text.str();
}

namespace {

/// What is wrong with a text inside a string is said in one way.
struct NoDiagnostics : SourceDiagnostics {
  void error(llvm::SMLoc, const llvm::Twine &) override {}
};

} // namespace

/// The value of an expression that is given as text.
Object FunctionGenerator::evaluateText(StringRef text, Location loc) {
  texts.push_back(("value = (" + text + ")\n").str());
  NoDiagnostics diagnostics;
  std::unique_ptr<ast::Module> tree = parseModule(texts.back(), diagnostics);
  const auto *assign = tree && tree->body.size() == 1
                           ? std::get_if<ast::Assign>(&tree->body.front()->node)
                           : nullptr;
  if (!assign)
    return fail(loc, "'" + text + "' in an f-string is not an expression");
  trees.push_back(std::move(tree));
  std::optional<Location> outer = std::exchange(insideText, loc);
  Object value = evaluate(*assign->value);
  insideText = outer;
  return value;
}

/// The text of an f-string, its fields replaced by what they stand for.
std::optional<std::string> FunctionGenerator::formatFields(StringRef text,
                                                           Location loc) {
  std::string result;
  while (!text.empty()) {
    size_t next = text.find_first_of("{}");
    result += text.take_front(next);
    text = text.drop_front(std::min(next, text.size()));
    if (text.consume_front("{{")) {
      result += "{";
    } else if (text.consume_front("}}")) {
      result += "}";
    } else if (text.starts_with("}")) {
      fail(loc, "a single '}' in an f-string");
      return std::nullopt;
    } else if (text.consume_front("{")) {
      size_t end = text.find('}');
      if (end == StringRef::npos) {
        fail(loc, "an f-string has a '{' without a '}'");
        return std::nullopt;
      }
      // A format after ':' or '!' is about width and digits; it is left out.
      StringRef field = text.take_front(end).rtrim();
      StringRef expression = field.take_front(field.find_first_of("!:"));
      if (expression.consume_back("="))
        result += expression.str() + "=";
      Object value = evaluateText(expression, loc);
      if (value.isPoison())
        return std::nullopt;
      result += shown(value);
      text = text.drop_front(end + 1);
    }
  }
  return result;
}

/// What an expression says in a message.
std::optional<std::string> FunctionGenerator::textOf(const ast::Expr &expr) {
  if (const auto *string = std::get_if<ast::String>(&expr.node))
    return string->isFString ? formatFields(string->value, locate(expr))
                             : std::optional(string->value);
  Object value = evaluate(expr);
  if (value.isPoison())
    return std::nullopt;
  return shown(value);
}

Object FunctionGenerator::callStaticPrint(const ast::Expr &expr,
                                          const ast::Call &node) {
  std::string line;
  bool isRight = true;
  for (const ast::ExprPtr &argument : node.args) {
    std::optional<std::string> text = textOf(*argument);
    isRight &= text.has_value();
    if (text)
      line += (line.empty() ? "" : " ") + *text;
  }
  lastCallHadEffect = true;
  if (!node.keywords.empty())
    return fail(locate(expr), "static_print() takes no keyword arguments");
  if (isRight)
    emitter.reporter.remark(locate(expr), line);
  return isRight ? Object::none() : Object::poison();
}

Object FunctionGenerator::callStaticAssert(const ast::Expr &expr,
                                           const ast::Call &node) {
  lastCallHadEffect = true;
  Location loc = locate(*node.callee);
  if (node.args.empty() || node.args.size() > 2 || !node.keywords.empty())
    return fail(loc, "static_assert() takes a condition and a message");
  Object condition = evaluate(*node.args.front());
  lastCallHadEffect = true;
  if (condition.isPoison())
    return condition;
  if (!isConstant(condition))
    return fail(loc, "an assertion is checked at compile time and this one "
                     "depends on the run");
  if (isTrue(condition))
    return Object::none();
  std::optional<std::string> message =
      node.args.size() == 2 ? textOf(*node.args[1]) : std::nullopt;
  if (preludeCall && message)
    return fail(loc, *message);
  return fail(loc, "assertion failed" + (message ? ": " + *message : ""));
}
