// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks and simple statements.
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/IRGenFunction.h"
#include "tegula/launch/StopRequest.h"
#include "tegula/support/Recovery.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

FunctionGenerator::Flow FunctionGenerator::emitBlock(Stmts stmts,
                                                     const Rest *rest) {
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (leftPlacement)
      i += emitPlaced(stmts.drop_front(i));
    if (i == stmts.size())
      break;
    const ast::Stmt &stmt = *stmts[i];
    if (isStopWanted())
      stopStep();
    if (++numStatements > maxStatements) {
      if (numStatements == maxStatements + 1)
        fail(locate(stmt.loc), "the function is too large; use fewer early "
                               "exits or smaller unrolled loops");
      return Flow::Jumps;
    }
    if (const auto *node = std::get_if<ast::If>(&stmt.node)) {
      if (jumpsOf(stmt).any()) {
        Rest after{stmts.drop_front(i + 1), rest, leftPlacement};
        return emitIf(*node, 0, &after, stmt);
      }
      emitIf(*node, 0, nullptr, stmt);
      continue;
    }
    if (const auto *node = std::get_if<ast::With>(&stmt.node)) {
      Rest after{stmts.drop_front(i + 1), rest, leftPlacement};
      if (jumpsOf(stmt).any())
        return emitWith(*node, stmt, &after);
      emitWith(*node, stmt, nullptr);
      continue;
    }
    if (emitStatement(stmt) == Flow::Jumps)
      return Flow::Jumps;
    bool isLoop = std::holds_alternative<ast::For>(stmt.node) ||
                  std::holds_alternative<ast::While>(stmt.node);
    if (isLoop && jumpsOf(stmt).hasReturn)
      return emitAfterLoop(stmt,
                           {stmts.drop_front(i + 1), rest, leftPlacement});
  }
  return rest ? emitRest(*rest) : Flow::Reaches;
}

FunctionGenerator::Flow FunctionGenerator::emitRest(const Rest &rest) {
  const Placement *around = std::exchange(leftPlacement, rest.placement);
  Flow flow = emitBlock(rest.stmts, rest.next);
  leftPlacement = around;
  return flow;
}

/// Generates the statements up to the first that may jump, in a region of the
/// placement that such a statement leaves. Gives how many there are.
size_t FunctionGenerator::emitPlaced(Stmts stmts) {
  size_t count = 0;
  while (count < stmts.size() && !jumpsOf(*stmts[count]).any())
    ++count;
  if (count == 0)
    return 0;
  Stmts placed = stmts.take_front(count);
  NameCounts inside;
  countNames(placed, inside);
  emitRegion(*leftPlacement, placed, inside, locate(placed.front()->loc));
  return count;
}

FunctionGenerator::Flow
FunctionGenerator::emitStatement(const ast::Stmt &stmt) {
  Location loc = locate(stmt.loc);
  if (const auto *node = std::get_if<ast::Assign>(&stmt.node)) {
    Object value = evaluate(*node->value);
    for (const ast::ExprPtr &target : node->targets)
      assign(*target, value);
  } else if (const auto *node = std::get_if<ast::AnnAssign>(&stmt.node)) {
    if (node->value) {
      Object value = evaluate(*node->value);
      checkAnnotation(*node, value);
      assign(*node->target, value);
    }
  } else if (const auto *node = std::get_if<ast::AugAssign>(&stmt.node)) {
    emitAugmented(*node);
  } else if (const auto *node = std::get_if<ast::ExprStmt>(&stmt.node)) {
    emitExpression(*node);
  } else if (const auto *node = std::get_if<ast::For>(&stmt.node)) {
    emitFor(*node, stmt);
  } else if (const auto *node = std::get_if<ast::While>(&stmt.node)) {
    if (!node->orelse.empty())
      fail(loc, "'else' of a loop is not supported; use a flag set by the "
                "loop");
    if (jumpsOf(node->body).hasReturn)
      scope.insert_or_assign(Slot::Kind::Returned,
                             Variable{Object::boolean(false), loc});
    emitWhile(*node->condition, LoopBody{node->body, ""}, loc);
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
      std::holds_alternative<ast::Ellipsis>(node.value->node) ||
      readFunctionAttributes(*node.value))
    return;
  const auto *call = std::get_if<ast::Call>(&node.value->node);
  // What it says is for machines with tasks; its dict is not an expression.
  if (call && languagePath(*call->callee) == "func_attr")
    return;
  lastCallHadEffect = false;
  Object value = evaluate(*node.value);
  bool isCall = std::holds_alternative<ast::Call>(node.value->node);
  if (value.isPoison() || (isCall && lastCallHadEffect))
    return;
  fail(locate(*node.value), "the result is not used; assign it to a name or "
                            "write it to a tensor");
}

/// What is left to do after a loop that may have left the function.
FunctionGenerator::Flow FunctionGenerator::emitAfterLoop(const ast::Stmt &stmt,
                                                         const Rest &after) {
  Location loc = locate(stmt.loc);
  auto found = scope.find(Slot::Kind::Returned);
  Object returned =
      found == scope.end() ? Object::boolean(false) : found->second.object;
  auto goOn = [&] { return emitRest(after); };
  if (returned.isPoison() || (isConstant(returned) && !isTrue(returned)))
    return goOn();
  auto leave = [&] { return leaveFunction(Object::none(), loc); };
  if (isConstant(returned))
    return leave();
  return emitRuntimeIf(emitter.toCondition(loc, returned), leave, goOn, loc,
                       {});
}

/// Sets what is returned and leaves the loops around.
FunctionGenerator::Flow FunctionGenerator::leaveFunction(const Object &value,
                                                         Location loc) {
  scope.insert_or_assign(Slot::Kind::Return, Variable{value, loc});
  if (!loops.empty()) {
    scope.insert_or_assign(Slot::Kind::Break,
                           Variable{Object::boolean(true), loc});
    scope.insert_or_assign(Slot::Kind::Returned,
                           Variable{Object::boolean(true), loc});
  }
  return Flow::Jumps;
}

FunctionGenerator::Flow FunctionGenerator::emitReturn(const ast::Return &node,
                                                      Location loc) {
  for (const Loop &loop : loops)
    if (loop.kind == Loop::Kind::Parallel) {
      fail(loc,
           "'return' cannot stop the other iterations of " + loop.shown +
               "; use pl.range",
           {{loop.loc, "the loop"}});
      return Flow::Jumps;
    }
  Object value = node.value ? evaluate(*node.value) : Object::none();
  if (preludeCall)
    return leaveFunction(value, loc);
  checkReturned(value, node.value ? locate(*node.value) : loc);
  bool isEntry = function.getKind() == pl::FunctionKind::Entry ||
                 function.getKind() == pl::FunctionKind::Host;
  if (isEntry && !value.isPoison() && !value.is<NoneObject>()) {
    std::vector<Object> values =
        value.asTuple() ? *value.asTuple() : std::vector<Object>{value};
    std::vector<int64_t> returned;
    for (const Object &part : values) {
      Value tensor = part.asTensor();
      const DeclaredParameter *parameter =
          tensor ? emitter.uses.declarationOf(tensor) : nullptr;
      if (!parameter || !parameter->isWritten())
        fail(locate(*node.value),
             "a kernel returns its pl.Out and pl.InOut parameters only, got " +
                 describe(part) + "; write it to one of them");
      else
        returned.push_back(parameter - parameters.data());
    }
    module.addReturned(returned);
    value = Object::none();
  }
  if (!loops.empty() && !value.is<NoneObject>() && !value.isPoison()) {
    fail(loc,
         "'return' of a value inside a loop is not supported; assign it to a "
         "name, use break, and return it after the loop",
         {{loops.back().loc, "the loop"}});
    return Flow::Jumps;
  }
  return leaveFunction(value, loc);
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
         "'break' cannot stop the other iterations of " + loops.back().shown +
             "; use pl.range",
         {{loops.back().loc, "the loop"}});
  if (isBreak)
    scope.insert_or_assign(Slot::Kind::Break,
                           Variable{Object::boolean(true), loc});
  return Flow::Jumps;
}
