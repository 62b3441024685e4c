// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/CarriedVariables.h"
#include "tegula/ir/ValueNames.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

/// What grows more often than this grows in every iteration.
static constexpr unsigned maxWidened = 4;

std::vector<CarriedVariables::Carried>
CarriedVariables::findCarried(const LoopBody &body, LoopTypes &types) {
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
    if (found != scope.end())
      add(slot, found->second, shown, /*isCarried=*/true);
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
    // A tensor mostly stays the tensor it is: `out = pl.store(t, at, out)`.
    add(name, found->second, name, !isTensor);
  }
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
    hasChanged |= widen(variable, scope.find(variable.slot)->second);
  return hasChanged;
}

/// The extents of values that go around: the same in every iteration, unless
/// they were found to change.
std::vector<CrossingExtent>
CarriedVariables::assumeExtents(const CarriedValues &initial, Location loc) {
  std::vector<CrossingExtent> extents = emitter.crossingExtents(initial.values);
  for (CrossingExtent &extent : extents) {
    auto [variable, number] = initial.owners[extent.position];
    Value value = initial.values[extent.position];
    if (!variable->changing.count({number, extent.axis}))
      extent.known = extent.mustBeSaid
                         ? emitter.settledExtent(loc, value, extent.axis)
                         : emitter.simpleExtent(loc, value, extent.axis);
  }
  Emitter::dropUnknown(extents);
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
                      ? emitter.settledExtent(loc, value, extent.axis)
                      : emitter.simpleExtent(loc, value, extent.axis);
    auto [variable, number] = next.owners[extent.position];
    if (!emitter.isSameAcross(extent, found, extent.known))
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

/// Binds the variables to what a turn of the loop begins with.
void CarriedVariables::enterCarried(llvm::ArrayRef<Carried> carried,
                                    llvm::ArrayRef<Value> inside) {
  for (const Carried &variable : carried) {
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
      after.find(variable.slot)->second.object = *variable.known.blocked;
    } else if (variable.known.isCarried) {
      Object result = variable.known.join.rebuild(results);
      nameObject(result, variable.slot);
      after.insert_or_assign(
          variable.slot,
          Variable{result, scope.find(variable.slot)->second.loc});
    }
  }
  leaveLoop(scope, std::move(after), "", loc);
}

/// Generates the loop; false, and there is none, if there was a mistake or it
/// has to be generated again.
bool CarriedVariables::emitLoop(llvm::ArrayRef<Carried> carried,
                                const Scope &before, Location loc,
                                const LoopShape &shape) {
  unsigned numErrors = emitter.reporter.getNumErrors();
  auto hasFailed = [&] { return emitter.reporter.getNumErrors() != numErrors; };
  CarriedValues initial = flattenCarried(carried, /*isInitial=*/true, loc);
  if (hasFailed() || !initial.isWhole)
    return false;
  std::vector<CrossingExtent> extents = assumeExtents(initial, loc);
  size_t numValues = initial.values.size();
  emitter.addFurtherExtents(loc, extents, initial.values);
  size_t firstRead = emitter.uses.beginLoop();
  llvm::SmallVector<Value> inside;
  mlir::Operation *op = shape.open(initial.values, inside);
  llvm::SmallVector<Value> further(inside.begin() + numValues, inside.end());
  inside.truncate(numValues);
  emitter.stateExtents(loc, extents, inside, further);
  enterCarried(carried, inside);
  shape.emitBody();
  emitter.uses.endLoop(firstRead);
  bool hasChanged = widenCarried(carried);
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
  emitter.addFurtherExtents(loc, extents, next.values);
  shape.close(next.values);
  emitter.builder.setInsertionPointAfter(op);
  llvm::SmallVector<Value> results(
      op->getResults().drop_front(shape.numOwnResults));
  further.assign(results.begin() + numValues, results.end());
  results.truncate(numValues);
  emitter.stateExtents(loc, extents, results, further);
  bindCarried(carried, results, before, loc);
  return true;
}

void CarriedVariables::emit(const LoopBody &body, Location loc,
                            const LoopShape &shape) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *outer = builder.getInsertionBlock();
  std::vector<Carried> carried =
      findCarried(body, state.loopTypes.at(body.stmts));
  const Scope before = scope;
  unsigned numErrors = emitter.reporter.getNumErrors();
  if (emitLoop(carried, before, loc, shape)) {
    if (!body.variable.empty())
      leaveLoop(scope, scope, body.variable, loc);
    return;
  }
  builder.setInsertionPointToEnd(outer);
  if (emitter.reporter.getNumErrors() == numErrors) {
    // Something of these types will come out; what is generated here is not
    // used, but the loops around see it.
    llvm::SmallVector<mlir::Type> types;
    for (const Carried &variable : carried)
      if (variable.goesAround())
        variable.known.join.addTypes(types);
    auto unknown = mlir::UnrealizedConversionCastOp::create(builder, loc, types,
                                                            mlir::ValueRange());
    bindCarried(carried, llvm::SmallVector<Value>(unknown.getResults()), before,
                loc);
    if (!body.variable.empty())
      leaveLoop(scope, scope, body.variable, loc);
    return;
  }
  Scope after = before;
  for (const Carried &variable : carried)
    after.find(variable.slot)->second.object = Object::poison();
  for (const auto &[slot, variable] : scope)
    after.insert({slot, Variable{Object::poison(), variable.loc}});
  scope = std::move(after);
}
