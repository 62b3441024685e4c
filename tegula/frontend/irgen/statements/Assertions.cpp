// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/Assertions.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/diagnostics/StaticPrint.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/signature/SymbolExtents.h"
#include "tegula/frontend/irgen/statements/MessageTexts.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

/// The text of an expression on one line.
static std::string sourceOf(const ast::Expr &expr) {
  std::string text;
  for (const char *c = expr.loc.getPointer(); c != expr.end.getPointer(); ++c) {
    bool isSpace = *c == ' ' || *c == '\n' || *c == '\t' || *c == '\r';
    if (isSpace && (text.empty() || text.back() == ' '))
      continue;
    text += isSpace ? ' ' : *c;
  }
  return text;
}

/// The names in an expression that stand for a size of the run.
static void collectNames(const ast::Expr &expr,
                         llvm::function_ref<Object(llvm::StringRef)> lookup,
                         std::vector<NamedSize> &sizes) {
  NameCounts names;
  countNames(expr, names);
  for (const auto &[name, count] : names) {
    Value scalar = lookup(name).asScalar();
    if (scalar && scalar.getType().isIndex())
      sizes.push_back({name.str(), scalar});
  }
}

/// A run-time scalar or a constant, but not a text or a tuple that is written
/// there: these always hold.
static bool isCondition(const Object &object, const ast::Expr &expr) {
  return object.asScalar() ||
         (isConstant(object) &&
          !std::holds_alternative<ast::String>(expr.node) &&
          !std::holds_alternative<ast::Tuple>(expr.node));
}

/// What to write instead, as the end of a message.
static std::string whatToAssert(const Object &object) {
  if (object.asTile() || object.asTensor())
    return "; write pl.assert_(condition, \"text\"), which looks at every "
           "element while the kernel runs";
  if (object.is<StringObject>() || object.asTuple())
    return ", which always holds; write the condition first, then the text";
  return "";
}

void Assertions::emitAssumption(const ast::Expr &condition,
                                const ast::Expr *message) {
  const auto *both = std::get_if<ast::BoolOp>(&condition.node);
  if (both && both->op == ast::BoolOpKind::And) {
    for (const ast::ExprPtr &operand : both->operands)
      emitAssumption(*operand, message);
    return;
  }
  Location loc = locate(condition);
  Object object = expressions.evaluateCondition(condition);
  if (object.isPoison())
    return;
  std::optional<std::string> words =
      message ? messageTexts.textOf(*message) : std::nullopt;
  if (!isCondition(object, condition)) {
    fail(loc, "an assertion takes a scalar condition, got " + describe(object) +
                  whatToAssert(object));
    return;
  }
  if (isConstant(object)) {
    if (!isTrue(object))
      fail(loc, "assertion failed" + (words ? ": " + *words : ""));
    return;
  }
  Value truth = emitter.scalars.toCondition(loc, object);
  if (!truth)
    return;
  Requirement requirement{truth, sourceOf(condition), pl::assumedOrigin};
  if (words)
    requirement.text += " (" + *words + ")";
  collectNames(
      condition,
      [&](llvm::StringRef name) -> Object {
        auto found = scope.find(name);
        std::optional<Object> object =
            found != scope.end() ? found->second.object
                                 : state.function.getEnvironment().lookup(name);
        const auto *symbol = object ? object->as<SymbolObject>() : nullptr;
        if (symbol)
          return symbolExtents.valueOf(*symbol, loc);
        return object.value_or(Object::none());
      },
      requirement.sizes);
  require(emitter, loc, std::move(requirement));
}

void Assertions::emitAssert(const ast::Assert &node) {
  emitAssumption(*node.condition, node.message.get());
}

Object Assertions::callAssume(const ast::Call &node, Location loc) {
  if (node.args.size() != 1 || !node.keywords.empty())
    return fail(loc, "pl.assume takes one condition, such as M % 16 == 0");
  emitAssumption(*node.args.front(), nullptr);
  state.lastCallHadEffect = true;
  return Object::none();
}

Object Assertions::callStaticPrint(const ast::Expr &expr,
                                   const ast::Call &node) {
  std::string line;
  bool isRight = true;
  for (const ast::ExprPtr &argument : node.args) {
    std::optional<std::string> text = messageTexts.textOf(*argument);
    isRight &= text.has_value();
    if (text)
      line += (line.empty() ? "" : " ") + *text;
  }
  state.lastCallHadEffect = true;
  if (!node.keywords.empty())
    return fail(locate(expr), "static_print() takes no keyword arguments");
  if (isRight)
    emitter.reporter.remark(
        mlir::NameLoc::get(emitter.builder.getStringAttr(staticPrintName),
                           locate(expr)),
        line);
  return isRight ? Object::none() : Object::poison();
}

Object Assertions::callStaticAssert(const ast::Call &node) {
  state.lastCallHadEffect = true;
  Location loc = locate(*node.callee);
  if (node.args.empty() || node.args.size() > 2 || !node.keywords.empty())
    return fail(loc, "static_assert() takes a condition and a message");
  Object condition = expressions.evaluateCondition(*node.args.front());
  state.lastCallHadEffect = true;
  if (condition.isPoison())
    return condition;
  if (!isCondition(condition, *node.args.front()))
    return fail(loc, "an assertion takes a scalar condition, got " +
                         describe(condition) + whatToAssert(condition));
  if (!isConstant(condition))
    return fail(loc, "an assertion is checked at compile time and this one "
                     "depends on the run");
  if (isTrue(condition))
    return Object::none();
  std::optional<std::string> message =
      node.args.size() == 2 ? messageTexts.textOf(*node.args[1]) : std::nullopt;
  if (state.preludeCall && message)
    return fail(loc, *message);
  return fail(loc, "assertion failed" + (message ? ": " + *message : ""));
}
