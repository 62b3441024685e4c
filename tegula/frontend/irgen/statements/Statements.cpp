// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/Statements.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/loops/ForLoops.h"
#include "tegula/frontend/irgen/loops/HeadValues.h"
#include "tegula/frontend/irgen/loops/WhileLoops.h"
#include "tegula/frontend/irgen/statements/Assertions.h"
#include "tegula/frontend/irgen/statements/Assignments.h"
#include "tegula/frontend/irgen/statements/Branches.h"
#include "tegula/frontend/irgen/statements/Exits.h"
#include "tegula/frontend/irgen/statements/FunctionAttributes.h"
#include "tegula/frontend/irgen/statements/LocalAnnotations.h"
#include "tegula/frontend/irgen/statements/WithStatements.h"
#include "tegula/launch/threads/StopRequest.h"
#include "tegula/support/Recovery.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

/// False, and an error, once there are too many.
bool Statements::countStatement(const ast::Stmt &stmt) {
  if (++numStatements <= maxStatements)
    return true;
  if (numStatements == maxStatements + 1)
    fail(locate(stmt.loc), "the function is too large; use fewer early "
                           "exits or smaller unrolled loops");
  return false;
}

Flow Statements::emitBlock(Stmts stmts, const Rest *rest) {
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (leftPlacement)
      i += emitPlaced(stmts.drop_front(i));
    if (i == stmts.size())
      break;
    const ast::Stmt &stmt = *stmts[i];
    if (isStopWanted())
      stopStep();
    if (!countStatement(stmt))
      return Flow::Jumps;
    Rest after{stmts.drop_front(i + 1), rest, leftPlacement};
    if (const auto *node = std::get_if<ast::If>(&stmt.node)) {
      if (jumpsOf(stmt).any())
        return emitIf(*node, 0, &after, stmt);
      emitIf(*node, 0, nullptr, stmt);
      continue;
    }
    if (const auto *node = std::get_if<ast::With>(&stmt.node)) {
      if (jumpsOf(stmt).any())
        return withStatements.emit(*node, stmt, &after);
      withStatements.emit(*node, stmt, nullptr);
      continue;
    }
    if (emitStatement(stmt) == Flow::Jumps)
      return Flow::Jumps;
    bool isLoop = std::holds_alternative<ast::For>(stmt.node) ||
                  std::holds_alternative<ast::While>(stmt.node);
    if (isLoop && jumpsOf(stmt).hasReturn)
      return exits.emitAfterLoop(locate(stmt.loc),
                                 [&] { return emitRest(after); });
  }
  return rest ? emitRest(*rest) : Flow::Reaches;
}

Flow Statements::emitRest(const Rest &rest) {
  const RegionPlacement *around = std::exchange(leftPlacement, rest.placement);
  Flow flow = emitBlock(rest.stmts, rest.next);
  leftPlacement = around;
  return flow;
}

Flow Statements::emitRegion(const RegionPlacement &placement, Stmts stmts,
                            const NameCounts &inside, Location loc) {
  auto emit = [&] {
    const RegionPlacement *around = std::exchange(leftPlacement, nullptr);
    Flow flow = emitBlock(stmts, nullptr);
    leftPlacement = around;
    return flow;
  };
  return branches.emitRegion(placement, emit, inside, loc);
}

Flow Statements::emitLeft(const RegionPlacement &placement, Stmts stmts,
                          const Rest *rest) {
  const RegionPlacement *around = std::exchange(leftPlacement, &placement);
  Flow flow = emitBlock(stmts, rest);
  leftPlacement = around;
  return flow;
}

/// Generates the statements up to the first that may jump, in a region of the
/// placement that such a statement leaves. Gives how many there are.
size_t Statements::emitPlaced(Stmts stmts) {
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

Flow Statements::emitStatement(const ast::Stmt &stmt) {
  Location loc = locate(stmt.loc);
  if (const auto *node = std::get_if<ast::Assign>(&stmt.node)) {
    Object value = expressions.evaluate(*node->value);
    for (const ast::ExprPtr &target : node->targets)
      assignments.assign(*target, value);
  } else if (const auto *node = std::get_if<ast::AnnAssign>(&stmt.node)) {
    if (node->value) {
      Object value = expressions.evaluate(*node->value);
      annotations.check(*node, value);
      assignments.assign(*node->target, value);
    }
  } else if (const auto *node = std::get_if<ast::AugAssign>(&stmt.node)) {
    assignments.emitAugmented(*node);
  } else if (const auto *node = std::get_if<ast::ExprStmt>(&stmt.node)) {
    emitExpression(*node);
  } else if (const auto *node = std::get_if<ast::For>(&stmt.node)) {
    forLoops.emit(*node, stmt);
  } else if (const auto *node = std::get_if<ast::While>(&stmt.node)) {
    whileLoops.emit(*node, stmt);
  } else if (const auto *node = std::get_if<ast::Return>(&stmt.node)) {
    return exits.emitReturn(*node, loc);
  } else if (std::holds_alternative<ast::Break>(stmt.node) ||
             std::holds_alternative<ast::Continue>(stmt.node)) {
    return exits.emitBreak(stmt);
  } else if (const auto *node = std::get_if<ast::Assert>(&stmt.node)) {
    assertions.emitAssert(*node);
  } else if (std::optional<ast::Unsupported> unsupported = ast::leftOut(stmt)) {
    fail(loc, unsupported->message());
  } else if (!std::holds_alternative<ast::Pass>(stmt.node)) {
    fail(loc, "functions, classes and imports belong outside the kernel");
  }
  return Flow::Reaches;
}

void Statements::emitExpression(const ast::ExprStmt &node) {
  if (std::holds_alternative<ast::String>(node.value->node) ||
      std::holds_alternative<ast::Ellipsis>(node.value->node) ||
      attributes.check(*node.value))
    return;
  state.lastCallHadEffect = false;
  Object value = expressions.evaluate(*node.value);
  bool isCall = std::holds_alternative<ast::Call>(node.value->node);
  if (value.isPoison() || (isCall && state.lastCallHadEffect))
    return;
  fail(locate(*node.value), "the result is not used; assign it to a name or "
                            "write it to a tensor");
}

Flow Statements::emitIf(const ast::If &node, size_t branch, const Rest *rest,
                        const ast::Stmt &stmt) {
  if (branch == 0 && !headValues.checkYields(node)) {
    for (const ast::IfBranch &each : node.branches)
      for (const auto &[name, assigned] : assignedNames(each.body))
        scope.insert_or_assign(
            name, Variable{Object::poison(), locate(assigned.loc)});
    return Flow::Reaches;
  }
  if (branch == node.branches.size())
    return emitBlock(node.orelse, rest);
  const ast::IfBranch &current = node.branches[branch];
  Object condition = expressions.evaluateCondition(*current.condition);
  if (isConstant(condition)) {
    if (isTrue(condition))
      return emitBlock(current.body, rest);
    return emitIf(node, branch + 1, rest, stmt);
  }
  Value value =
      emitter.scalars.toCondition(locate(*current.condition), condition);
  if (!value)
    value = emitter.scalars.constant(locate(*current.condition),
                                     Object::boolean(true),
                                     emitter.builder.getI1Type());
  NameCounts inside;
  countNames(stmt, inside);
  return branches.emitIf(
      value, [&] { return emitBlock(current.body, rest); },
      [&] { return emitIf(node, branch + 1, rest, stmt); }, locate(current.loc),
      inside);
}
