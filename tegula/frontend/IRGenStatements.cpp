// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks and simple statements.
#include "tegula/frontend/ConstantFolding.h"
#include "tegula/frontend/IRGenFunction.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

/// Statements moved into both branches of an `if` are generated twice; a
/// function made only of such ifs would otherwise grow without end.
static constexpr unsigned maxStatements = 100000;

FunctionGenerator::Flow FunctionGenerator::emitBlock(Stmts stmts,
                                                     const Rest *rest) {
  for (size_t i = 0; i < stmts.size(); ++i) {
    const ast::Stmt &stmt = *stmts[i];
    if (++numStatements > maxStatements) {
      if (numStatements == maxStatements + 1)
        fail(locate(stmt.loc), "the function is too large; use fewer early "
                               "exits or smaller unrolled loops");
      return Flow::Jumps;
    }
    if (const auto *node = std::get_if<ast::If>(&stmt.node)) {
      if (jumpsOf(stmt).any()) {
        Rest after{stmts.drop_front(i + 1), rest};
        return emitIf(*node, 0, &after, stmt);
      }
      emitIf(*node, 0, nullptr, stmt);
      continue;
    }
    if (emitStatement(stmt) == Flow::Jumps)
      return Flow::Jumps;
  }
  return rest ? emitBlock(rest->stmts, rest->next) : Flow::Reaches;
}

FunctionGenerator::Flow
FunctionGenerator::emitStatement(const ast::Stmt &stmt) {
  Location loc = locate(stmt.loc);
  if (const auto *node = std::get_if<ast::Assign>(&stmt.node)) {
    Object value = evaluate(*node->value);
    for (const ast::ExprPtr &target : node->targets)
      assign(*target, value);
  } else if (const auto *node = std::get_if<ast::AnnAssign>(&stmt.node)) {
    if (node->value)
      assign(*node->target, evaluate(*node->value));
  } else if (const auto *node = std::get_if<ast::AugAssign>(&stmt.node)) {
    emitAugmented(*node);
  } else if (const auto *node = std::get_if<ast::ExprStmt>(&stmt.node)) {
    emitExpression(*node);
  } else if (const auto *node = std::get_if<ast::For>(&stmt.node)) {
    emitFor(*node, stmt);
  } else if (const auto *node = std::get_if<ast::While>(&stmt.node)) {
    emitWhile(*node, loc);
  } else if (const auto *node = std::get_if<ast::With>(&stmt.node)) {
    return emitWith(*node, stmt);
  } else if (const auto *node = std::get_if<ast::Return>(&stmt.node)) {
    return emitReturn(*node, loc);
  } else if (std::holds_alternative<ast::Break>(stmt.node) ||
             std::holds_alternative<ast::Continue>(stmt.node)) {
    return emitBreak(stmt);
  } else if (const auto *node = std::get_if<ast::Assert>(&stmt.node)) {
    emitAssert(*node);
  } else if (const auto *node = std::get_if<ast::Unsupported>(&stmt.node)) {
    fail(loc, node->message());
  } else if (!std::holds_alternative<ast::Pass>(stmt.node)) {
    fail(loc, "functions, classes and imports belong outside the kernel");
  }
  return Flow::Reaches;
}

void FunctionGenerator::emitExpression(const ast::ExprStmt &node) {
  if (std::holds_alternative<ast::String>(node.value->node) ||
      std::holds_alternative<ast::Ellipsis>(node.value->node))
    return;
  lastCallHadEffect = false;
  Object value = evaluate(*node.value);
  bool isCall = std::holds_alternative<ast::Call>(node.value->node);
  if (value.isPoison() || (isCall && lastCallHadEffect))
    return;
  fail(locate(*node.value), "the result is not used; assign it to a name or "
                            "write it to a tensor");
}

FunctionGenerator::Flow FunctionGenerator::emitReturn(const ast::Return &node,
                                                      Location loc) {
  if (!loops.empty()) {
    fail(loc,
         "'return' inside a loop is not supported; use break, and return "
         "after the loop",
         {{loops.back().loc, "the loop"}});
    return Flow::Jumps;
  }
  Object value = node.value ? evaluate(*node.value) : Object::none();
  bool isEntry = function.getKind() == pl::FunctionKind::Entry ||
                 function.getKind() == pl::FunctionKind::Host;
  if (isEntry && !value.isPoison() && !value.is<NoneObject>()) {
    std::vector<Object> values =
        value.asTuple() ? *value.asTuple() : std::vector<Object>{value};
    for (const Object &part : values) {
      Value tensor = part.asTensor();
      const DeclaredParameter *parameter =
          tensor ? emitter.uses.declarationOf(tensor) : nullptr;
      if (!parameter || !parameter->isWritten())
        fail(locate(*node.value),
             "a kernel returns its pl.Out and pl.InOut parameters only, got " +
                 describe(part) + "; write it to one of them");
    }
    value = Object::none();
  }
  scope.insert_or_assign(returnName, Variable{value, loc});
  return Flow::Jumps;
}

FunctionGenerator::Flow FunctionGenerator::emitBreak(const ast::Stmt &stmt) {
  bool isBreak = std::holds_alternative<ast::Break>(stmt.node);
  Location loc = locate(stmt.loc);
  llvm::StringRef word = isBreak ? "break" : "continue";
  if (loops.empty()) {
    fail(loc, "'" + word + "' outside a loop");
    return Flow::Jumps;
  }
  if (isBreak && loops.back().kind == Loop::Kind::Parallel)
    fail(loc,
         "'break' cannot stop the other iterations of pl.parallel; use "
         "pl.range",
         {{loops.back().loc, "the loop"}});
  if (isBreak)
    scope.insert_or_assign(breakName, Variable{Object::boolean(true), loc});
  return Flow::Jumps;
}

void FunctionGenerator::emitAssert(const ast::Assert &node) {
  Location loc = locate(*node.condition);
  Object condition = evaluate(*node.condition);
  if (condition.isPoison())
    return;
  if (!isConstant(condition)) {
    fail(loc, "an assertion is checked at compile time and this one depends on "
              "the run; compare values known at compile time, or check it "
              "before the call");
    return;
  }
  if (isTrue(condition))
    return;
  const auto *message =
      node.message ? std::get_if<ast::String>(&node.message->node) : nullptr;
  fail(loc, "assertion failed" + (message ? ": " + message->value : ""));
}

/// The level in `pl.at(level=pl.Level.CORE_GROUP)`; everything else a placement
/// says is about machines with tasks.
static std::optional<std::string> levelOf(const CallArguments &arguments) {
  std::string level = "CORE_GROUP";
  auto take = [&](const Object &object) {
    const std::string *path = object.asLanguage();
    if (!path || !llvm::StringRef(*path).starts_with("Level."))
      return false;
    level = path->substr(6);
    return true;
  };
  for (const CallArgument &argument : arguments.positional)
    if (!take(argument.object))
      return std::nullopt;
  for (const auto &[name, argument] : arguments.keywords)
    if (name == "level" && !take(argument.object))
      return std::nullopt;
  return level;
}

FunctionGenerator::Flow FunctionGenerator::emitWith(const ast::With &node,
                                                    const ast::Stmt &stmt) {
  const auto *call = std::get_if<ast::Call>(&node.items.front().context->node);
  Location loc = locate(*node.items.front().context);
  Object callee = call ? evaluate(*call->callee) : Object::none();
  if (callee.isPoison())
    return Flow::Reaches;
  const std::string *path = callee.asLanguage();
  if (!path || *path != "at" || node.items.size() != 1) {
    fail(loc, "a 'with' in a kernel takes one pl.at(level=...)");
    return Flow::Reaches;
  }
  if (node.items.front().target)
    fail(locate(*node.items.front().target),
         "pl.at gives no task handle: program order is the meaning; leave out "
         "'as'");
  std::optional<CallArguments> arguments =
      evaluateArguments(*node.items.front().context, *call);
  if (!arguments)
    return Flow::Reaches;
  std::optional<std::string> level = levelOf(*arguments);
  if (!level) {
    fail(loc, "the level of pl.at must be one of pl.Level, such as "
              "pl.Level.CORE_GROUP");
    return Flow::Reaches;
  }
  return emitRegion(*level, node, stmt);
}
