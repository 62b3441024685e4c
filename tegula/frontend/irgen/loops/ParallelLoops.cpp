// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/ParallelLoops.h"
#include "tegula/frontend/irgen/loops/LastValues.h"
#include "tegula/frontend/irgen/loops/LoopBodies.h"
#include "tegula/frontend/irgen/loops/LoopRange.h"
#include "tegula/frontend/irgen/loops/RangeLoops.h"
#include "tegula/frontend/syntax/NameFlow.h"

using namespace tegula;
using mlir::Location;

/// Tensors mostly stay the tensors they are, and tasks are nothing to carry.
static bool needsNoCarry(const Object &object) {
  return object.asTensor() || object.is<TaskObject>() ||
         object.is<NoneObject>() || object.is<UnusableObject>() ||
         object.isPoison();
}

/// The first variable whose value an iteration leaves to the next one or to
/// what comes after the loop; empty if there is none.
std::string ParallelLoops::findCarried(const LoopBody &body,
                                       const ast::Stmt &stmt) {
  for (auto [slot, name] : llvm::zip(body.carries.slots, body.carries.names))
    if (!scope.find(slot)->second.object.asTensor())
      return name.str();
  for (const auto &[name, assigned] : assignedNames(body.stmts)) {
    auto found = scope.find(name);
    if (found == scope.end() || name == body.variable ||
        needsNoCarry(found->second.object))
      continue;
    if (firstUse(body.stmts, name) == FirstUse::Read ||
        mayBeReadAfter(state.function.getDefinition().body, stmt, name))
      return name.str();
  }
  return "";
}

/// Variables that every iteration sets for itself have no value at its start,
/// nor after the loop.
void ParallelLoops::hideCarried(const LoopBody &body, Scope &before,
                                Location loc) {
  for (const auto &[name, assigned] : assignedNames(body.stmts)) {
    auto found = scope.find(name);
    if (found == scope.end() || found->second.object.is<UnusableObject>())
      continue;
    Object &object = found->second.object;
    if (object.is<NoneObject>() || object.is<TaskObject>()) {
      // A task made in an iteration, or none.
      if (object.is<NoneObject>())
        object = Object(TaskObject{});
      before.find(name)->second.object = object;
      continue;
    }
    if (needsNoCarry(object))
      continue;
    object = Object(UnusableObject{
        ("'" + name + "' would be carried from one iteration of " + body.shown +
         " to the next; use pl.range, or write to a tensor")
            .str(),
        {{loc, "the loop"}, {locate(assigned.loc), "assigned here"}}});
    before.find(name)->second.object = Object(UnusableObject{
        ("'" + name + "' has no value after the loop: iterations of " +
         body.shown + " may run in any order")
            .str(),
        {{locate(assigned.loc), "assigned here"}}});
  }
}

/// The name, if there is one, whose value in the last iteration is read after
/// the loop.
std::string ParallelLoops::findLast(const LoopBody &body,
                                    const LoopRange &range, const Scope &before,
                                    pl::ParallelOp op, LoopTypes &types) {
  LoopBounds bounds = {op.getLower(), op.getUpper(), op.getStep()};
  if (body.kind != pl::LoopKind::AnyOrder || range.isIndependent ||
      !body.loop || bounds.isEmpty() ||
      !findLastValues(state, body, before, op, types))
    return "";
  auto isLast = [](const auto &entry) { return entry.second.isLast; };
  return llvm::find_if(types.variables, isLast)->first.getName().str();
}

/// Builds the loop. Gives the name, if there is one, that stands for another
/// tensor at the end of an iteration, or whose last value is read after the
/// loop: then nothing is built.
std::string ParallelLoops::emitAtOnce(const LoopBody &body,
                                      const LoopRange &range,
                                      const LoopBounds &bounds, Location loc,
                                      LoopTypes &types) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  unsigned numErrors = emitter.reporter.getNumErrors();
  auto op = pl::ParallelOp::create(builder, loc, bounds.lower, bounds.upper,
                                   bounds.step, body.kind);
  op.setIndependent(range.isIndependent);
  if (body.task)
    op.setTaskAttr(body.task);
  mlir::Block &block = op.getBody().front();
  block.back().erase();
  builder.setInsertionPointToEnd(&block);
  Scope before = scope;
  hideCarried(body, before, loc);
  Object variable =
      loopVariable(emitter, body.variable, range, op.getInductionVar(), loc);
  if (!body.variable.empty())
    scope.insert_or_assign(body.variable, Variable{variable, loc});
  GridPosition outer = state.grid;
  if (body.kind == pl::LoopKind::Grid)
    state.grid = {variable, range.stop, Object::integer(0)};
  size_t firstRead = emitter.uses.beginLoop();
  bodies.emit(body, EnclosingLoop::Kind::Parallel, loc);
  emitter.uses.endLoop(firstRead);
  state.grid = outer;
  std::string changed;
  for (const auto &[slot, start] : before) {
    auto end = scope.find(slot);
    bool isOther = start.object.asTensor() && end != scope.end() &&
                   !(slot == body.variable) &&
                   !isSame(start.object, end->second.object);
    if (isOther && emitter.reporter.getNumErrors() == numErrors)
      changed = slot.getName().str();
  }
  if (changed.empty() && emitter.reporter.getNumErrors() == numErrors)
    changed = findLast(body, range, before, op, types);
  before.merge(lastingVariables(scope, before, op));
  if (changed.empty()) {
    pl::YieldOp::create(builder, loc, mlir::ValueRange());
  } else {
    builder.setInsertionPoint(op);
    emitter.eraseTrial(op);
  }
  leaveLoop(scope, std::move(before), body.variable, loc);
  return changed;
}

void ParallelLoops::emit(const LoopBody &body, const LoopRange &range,
                         const ast::Stmt &stmt) {
  Location loc = locate(stmt.loc);
  bool isGrid = body.kind == pl::LoopKind::Grid;
  LoopTypes &types = state.loopTypes.at(body.stmts);
  std::string changed = types.runsInOrder;
  if (!isGrid && changed.empty())
    changed = findCarried(body, stmt);
  if (changed.empty()) {
    LoopBounds bounds = boundsOf(emitter, range, loc);
    if (!bounds)
      return;
    types.runsInOrder = emitAtOnce(body, range, bounds, loc, types);
    if (types.runsInOrder.empty())
      return;
    if (!isGrid) {
      state.loopTypes.setChanged();
      return;
    }
    changed = types.runsInOrder;
  }
  if (isGrid) {
    fail(loc, "'" + changed +
                  "' stands for another tensor after a block of pl.spmd; write "
                  "to one tensor instead");
    return;
  }
  if (range.isIndependent) {
    fail(loc, "'" + changed +
                  "' goes from one iteration to the next, so they are not "
                  "independent; write to a tensor instead");
    return;
  }
  auto known = types.variables.find(llvm::StringRef(changed));
  bool isLast = known != types.variables.end() && known->second.isLast;
  // Nobody expects the lanes of a core to overlap, nor what hands values on.
  if (body.kind == pl::LoopKind::AnyOrder && !body.carries.yield)
    emitter.reporter.remark(
        loc, "runs in order: '" + changed + "' " +
                 (isLast ? "of the last iteration is read after the loop"
                         : "goes from one iteration to the next"));
  rangeLoops.emit(body, range, loc, EnclosingLoop::Kind::Parallel);
}
