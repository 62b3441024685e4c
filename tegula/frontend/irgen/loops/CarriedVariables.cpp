// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/CarriedVariables.h"
#include "tegula/frontend/irgen/loops/LastValues.h"
#include "tegula/ir/ValueNames.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

/// What grows more often than this grows in every iteration.
static constexpr unsigned maxWidened = 4;

std::vector<CarriedVariables::Carried>
CarriedVariables::findCarried(const LoopBody &body, LoopTypes &types,
                              const LoopShape &shape, Location loc) {
  std::vector<Carried> carried;
  auto add = [&](const Slot &slot, const Variable &initial, StringRef shown,
                 bool isCarried) {
    Join join = Join::of(emitter.getContext(), initial.object);
    auto [found, isNew] =
        types.variables.insert({slot, LoopVariable{join, isCarried}});
    LoopVariable &known = found->second;
    // What was learnt before, for an object that may be another one now.
    if (!isNew) {
      join.widen(known.join);
      known.join = join;
    }
    carried.push_back({slot, initial, shown, known});
  };
  auto addHidden = [&](const Slot &slot, StringRef shown) {
    auto found = scope.find(slot);
    // A tensor mostly stays the tensor it is: `out = pl.store(t, at, out)`.
    if (found != scope.end())
      add(slot, found->second, shown, !found->second.object.asTensor());
  };
  for (auto [slot, name] : llvm::zip(body.carries.slots, body.carries.names))
    addHidden(slot, name);
  if (jumpsOf(body.stmts).hasReturn)
    addHidden(Slot::Kind::Returned, "return");
  for (const auto &[name, assigned] : assignedNames(body.stmts)) {
    auto found = scope.find(name);
    if (found == scope.end() || name == body.variable)
      continue;
    const Object &object = found->second.object;
    bool isTensor = object.asTensor() != nullptr;
    if ((isTensor && !assigned.isRebound) || object.isPoison() ||
        object.is<UnusableObject>())
      continue;
    add(name, found->second, name, !isTensor);
  }
  bool needsIteration = false;
  for (auto &[slot, known] : types.variables)
    if (known.isLast) {
      Variable initial{known.join.placeholder(emitter, loc), loc};
      carried.push_back({slot, initial, slot.getName(), known});
      needsIteration = true;
    }
  if (needsIteration)
    shape.requireIteration();
  return carried;
}

/// Takes what the body left in a variable into account; false if nothing
/// changed by that.
bool CarriedVariables::widen(const Carried &variable, const Variable &end) {
  LoopVariable &known = variable.known;
  // What comes of a mistake says nothing.
  if (known.blocked || end.object.isPoison())
    return false;
  bool isInvariant = isSame(variable.initial.object, end.object);
  if (!known.isCarried && isInvariant)
    return false;
  if (end.object.is<UnusableObject>()) {
    known.blocked = end.object;
    return true;
  }
  if (known.isCarried && isInvariant && !known.mustBeCarried &&
      !variable.initial.object.asValue()) {
    known.isCarried = false;
    return true;
  }
  Join before = known.join;
  bool hasChanged = !known.isCarried;
  known.mustBeCarried |= hasChanged;
  known.isCarried = true;
  if (!known.join.widen(end.object)) {
    known.blocked = Object(UnusableObject{
        ("'" + variable.shown + "' is " + describe(variable.initial.object) +
         " before the loop and " + describe(end.object) +
         " at the end of its body; what goes around a loop keeps its kind, "
         "dtype and rank")
            .str(),
        {{variable.initial.loc, "assigned here"}, {end.loc, "and here"}}});
    return true;
  }
  if (known.join == before)
    return hasChanged;
  if (++known.numWidened > maxWidened)
    known.join.forgetBounds();
  return true;
}

bool CarriedVariables::widenCarried(llvm::ArrayRef<Carried> carried) {
  bool hasChanged = false;
  for (const Carried &variable : carried)
    // After a mistake a name may not have got that far.
    if (auto end = scope.find(variable.slot); end != scope.end())
      hasChanged |= widen(variable, end->second);
  return hasChanged;
}

/// The extents of values that go around: the same in every iteration, unless
/// they were found to change.
std::vector<CrossingExtent>
CarriedVariables::assumeExtents(const CarriedValues &initial, Location loc) {
  std::vector<CrossingExtent> extents = emitter.crossing.find(initial.values);
  for (CrossingExtent &extent : extents) {
    auto [variable, number] = initial.owners[extent.position];
    Value value = initial.values[extent.position];
    if (!variable->isLast && !variable->changing.count({number, extent.axis}))
      extent.known = extent.mustBeSaid
                         ? emitter.extents.settled(loc, value, extent.axis)
                         : emitter.crossing.simple(loc, value, extent.axis);
  }
  CrossingExtents::dropUnknown(extents);
  return extents;
}

/// Finds the extents that are not for the next iteration what they were assumed
/// to be; false if there are none. All are assumed together: what one extent
/// becomes may depend on what another one is.
bool CarriedVariables::findChanging(llvm::ArrayRef<CrossingExtent> extents,
                                    const CarriedValues &next, Location loc) {
  bool hasFound = false;
  for (const CrossingExtent &extent : extents) {
    if (!extent.known)
      continue;
    Value value = next.values[extent.position];
    Value found = extent.mustBeSaid
                      ? emitter.extents.settled(loc, value, extent.axis)
                      : emitter.crossing.simple(loc, value, extent.axis);
    auto [variable, number] = next.owners[extent.position];
    if (!emitter.crossing.isSameAcross(extent, found, extent.known))
      hasFound |= variable->changing.insert({number, extent.axis}).second;
  }
  return hasFound;
}

CarriedVariables::CarriedValues
CarriedVariables::flattenCarried(llvm::ArrayRef<Carried> carried,
                                 bool isInitial, Location loc) {
  CarriedValues result;
  for (const Carried &variable : carried) {
    if (!variable.goesAround())
      continue;
    size_t first = result.values.size();
    const Object &object = isInitial ? variable.initial.object
                                     : scope.find(variable.slot)->second.object;
    result.isWhole &= variable.known.join.flatten(
        emitter, isInitial ? variable.initial.loc : loc, object, result.values);
    for (size_t next = first; next < result.values.size(); ++next)
      result.owners.push_back(
          {&variable.known, static_cast<unsigned>(next - first)});
  }
  return result;
}

/// Calls a value what the author does.
static void nameObject(const Object &object, const Slot &slot) {
  Value value = object.asValue();
  if (value && !slot.getName().empty())
    nameValue(value, slot.getName());
}

/// Binds the variables to what an iteration of the loop begins with.
void CarriedVariables::enterCarried(llvm::ArrayRef<Carried> carried,
                                    llvm::ArrayRef<Value> inside) {
  for (const Carried &variable : carried) {
    if (variable.known.isLast)
      continue;
    Object &object = scope.find(variable.slot)->second.object;
    if (variable.known.blocked)
      object = *variable.known.blocked;
    else if (variable.known.isCarried)
      object = variable.known.join.rebuild(inside);
    nameObject(object, variable.slot);
  }
}

/// Binds the variables to what comes out of the loop.
void CarriedVariables::bindCarried(llvm::ArrayRef<Carried> carried,
                                   llvm::ArrayRef<Value> results,
                                   const Scope &before, Location loc) {
  Scope after = before;
  for (const Carried &variable : carried) {
    if (variable.known.blocked) {
      after.insert_or_assign(variable.slot, Variable{*variable.known.blocked,
                                                     variable.initial.loc});
    } else if (variable.known.isCarried) {
      Object result = variable.known.join.rebuild(results);
      nameObject(result, variable.slot);
      auto end = scope.find(variable.slot);
      after.insert_or_assign(variable.slot, Variable{result, end->second.loc});
    }
  }
  leaveLoop(scope, std::move(after), "", loc);
}

/// The extents of what the last iteration leaves, at the end of the body; null
/// for those of other variables.
llvm::SmallVector<Value>
CarriedVariables::lastExtents(llvm::ArrayRef<CrossingExtent> extents,
                              const CarriedValues &next, Location loc) {
  llvm::SmallVector<Value> found;
  for (const CrossingExtent &extent : extents)
    found.push_back(next.owners[extent.position].first->isLast
                        ? emitter.extents.settled(
                              loc, next.values[extent.position], extent.axis)
                        : Value());
  return found;
}

/// Such an extent is known after the loop if it can be seen there. Nothing said
/// so in front of it, so it went around, too: it is taken out of `further`.
void CarriedVariables::settleLast(std::vector<CrossingExtent> &extents,
                                  llvm::ArrayRef<Value> last,
                                  llvm::SmallVectorImpl<Value> &further) {
  llvm::SmallVector<Value> unknown;
  size_t position = 0;
  for (auto [extent, end] : llvm::zip(extents, last)) {
    if (extent.known)
      continue;
    Value around = further[position++];
    if (end && emitter.extents.isVisible(end))
      extent.known = end;
    else
      unknown.push_back(around);
  }
  further.assign(unknown);
}

/// Generates the loop; false, and there is none, if there was a mistake or it
/// has to be generated again.
bool CarriedVariables::emitLoop(llvm::ArrayRef<Carried> carried,
                                const LoopBody &body, Scope &before,
                                Location loc, const LoopShape &shape,
                                LoopTypes &types) {
  unsigned numErrors = emitter.reporter.getNumErrors();
  auto hasFailed = [&] { return emitter.reporter.getNumErrors() != numErrors; };
  CarriedValues initial = flattenCarried(carried, /*isInitial=*/true, loc);
  if (hasFailed() || !initial.isWhole)
    return false;
  std::vector<CrossingExtent> extents = assumeExtents(initial, loc);
  size_t numValues = initial.values.size();
  emitter.crossing.addFurther(loc, extents, initial.values);
  size_t firstRead = emitter.uses.beginLoop();
  llvm::SmallVector<Value> inside;
  mlir::Operation *op = shape.open(initial.values, inside);
  llvm::SmallVector<Value> further(inside.begin() + numValues, inside.end());
  inside.truncate(numValues);
  emitter.crossing.state(loc, extents, inside, further);
  enterCarried(carried, inside);
  shape.emitBody();
  emitter.uses.endLoop(firstRead);
  bool hasChanged = widenCarried(carried);
  if (body.loop && shape.requireIteration && !hasFailed())
    hasChanged |= findLastValues(state, body, before, op, types);
  before.merge(lastingVariables(scope, before, op));
  CarriedValues next;
  if (!hasChanged && !hasFailed()) {
    next = flattenCarried(carried, /*isInitial=*/false, loc);
    hasChanged =
        !hasFailed() && next.isWhole && findChanging(extents, next, loc);
  }
  if (hasChanged)
    state.loopTypes.setChanged();
  if (hasChanged || hasFailed() || !next.isWhole) {
    emitter.eraseTrial(op);
    return false;
  }
  llvm::SmallVector<Value> last = lastExtents(extents, next, loc);
  emitter.crossing.addFurther(loc, extents, next.values);
  shape.close(next.values);
  emitter.builder.setInsertionPointAfter(op);
  llvm::SmallVector<Value> results(
      op->getResults().drop_front(shape.numOwnResults));
  further.assign(results.begin() + numValues, results.end());
  results.truncate(numValues);
  settleLast(extents, last, further);
  emitter.crossing.state(loc, extents, results, further);
  bindCarried(carried, results, before, loc);
  return true;
}

/// Binds the variables to something of their types that will come out; what is
/// generated from it is not used, but the loops around see it.
void CarriedVariables::bindUnknown(std::vector<Carried> carried,
                                   LoopTypes &types, const Scope &before,
                                   Location loc) {
  for (auto &entry : types.variables) {
    const Slot &slot = entry.first;
    bool isListed = llvm::any_of(carried, [&](const Carried &variable) {
      return variable.slot == slot;
    });
    if (entry.second.isLast && !isListed)
      carried.push_back(
          {slot, scope.find(slot)->second, slot.getName(), entry.second});
  }
  llvm::SmallVector<mlir::Type> valueTypes;
  for (const Carried &variable : carried)
    if (variable.goesAround())
      variable.known.join.addTypes(valueTypes);
  auto unknown = mlir::UnrealizedConversionCastOp::create(
      emitter.builder, loc, valueTypes, mlir::ValueRange());
  bindCarried(carried, llvm::SmallVector<Value>(unknown.getResults()), before,
              loc);
}

void CarriedVariables::emit(const LoopBody &body, Location loc,
                            const LoopShape &shape) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *outer = builder.getInsertionBlock();
  LoopTypes &types = state.loopTypes.at(body.stmts);
  std::vector<Carried> carried = findCarried(body, types, shape, loc);
  Scope before = scope;
  unsigned numErrors = emitter.reporter.getNumErrors();
  bool isBuilt = emitLoop(carried, body, before, loc, shape, types);
  if (!isBuilt)
    builder.setInsertionPointToEnd(outer);
  if (emitter.reporter.getNumErrors() != numErrors) {
    for (const Carried &variable : carried)
      before.insert_or_assign(variable.slot,
                              Variable{Object::poison(), variable.initial.loc});
    for (const auto &[slot, variable] : scope)
      before.insert({slot, Variable{Object::poison(), variable.loc}});
    scope = std::move(before);
    return;
  }
  if (!isBuilt)
    bindUnknown(std::move(carried), types, before, loc);
  if (!body.variable.empty())
    leaveLoop(scope, scope, body.variable, loc);
}
