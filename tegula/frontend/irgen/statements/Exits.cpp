// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/Exits.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/signature/FunctionResults.h"
#include "tegula/frontend/irgen/statements/Branches.h"

using namespace tegula;
using mlir::Location;

Flow Exits::emitReturn(const ast::Return &node, Location loc) {
  for (const EnclosingLoop &loop : state.loops)
    if (loop.kind == EnclosingLoop::Kind::Parallel) {
      fail(loc,
           "'return' cannot stop the other iterations of " + loop.shown +
               "; use pl.range",
           {{loop.loc, "the loop"}});
      return Flow::Jumps;
    }
  Object value =
      node.value ? expressions.evaluate(*node.value) : Object::none();
  if (state.preludeCall)
    return leaveFunction(value, loc);
  value = results.take(value, node.value ? locate(*node.value) : loc);
  if (!state.loops.empty() && !value.is<NoneObject>() && !value.isPoison()) {
    fail(loc,
         "'return' of a value inside a loop is not supported; assign it to a "
         "name, use break, and return it after the loop",
         {{state.loops.back().loc, "the loop"}});
    return Flow::Jumps;
  }
  return leaveFunction(value, loc);
}

/// Sets what is returned and leaves the loops around.
Flow Exits::leaveFunction(const Object &value, Location loc) {
  scope.insert_or_assign(Slot::Kind::Return, Variable{value, loc});
  if (!state.loops.empty()) {
    scope.insert_or_assign(Slot::Kind::Break,
                           Variable{Object::boolean(true), loc});
    scope.insert_or_assign(Slot::Kind::Returned,
                           Variable{Object::boolean(true), loc});
  }
  return Flow::Jumps;
}

Flow Exits::emitAfterLoop(Location loc, llvm::function_ref<Flow()> goOn) {
  auto found = scope.find(Slot::Kind::Returned);
  Object returned =
      found == scope.end() ? Object::boolean(false) : found->second.object;
  if (returned.isPoison() || (isConstant(returned) && !isTrue(returned)))
    return goOn();
  auto leave = [&] { return leaveFunction(Object::none(), loc); };
  if (isConstant(returned))
    return leave();
  return branches.emitIf(emitter.scalars.toCondition(loc, returned), leave,
                         goOn, loc, {});
}

Flow Exits::emitBreak(const ast::Stmt &stmt) {
  bool isBreak = std::holds_alternative<ast::Break>(stmt.node);
  Location loc = locate(stmt.loc);
  llvm::StringRef word = isBreak ? "break" : "continue";
  if (state.loops.empty()) {
    fail(loc, "'" + word + "' outside a loop");
    return Flow::Jumps;
  }
  if (isBreak && state.loops.back().kind == EnclosingLoop::Kind::Parallel)
    fail(loc,
         "'break' cannot stop the other iterations of " +
             state.loops.back().shown + "; use pl.range",
         {{state.loops.back().loc, "the loop"}});
  if (isBreak)
    scope.insert_or_assign(Slot::Kind::Break,
                           Variable{Object::boolean(true), loc});
  return Flow::Jumps;
}
