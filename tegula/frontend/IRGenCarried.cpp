// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that go around loops. What type they need is known only after the
// body has been generated: it is generated again until nothing changes.
#include "tegula/frontend/IRGenFunction.h"
#include "tegula/frontend/ValueNames.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

/// A type is widened a few times at most unless it grows in every iteration.
static constexpr unsigned maxAttempts = 8;

std::vector<FunctionGenerator::Carried>
FunctionGenerator::findCarried(const LoopBody &body) {
  std::vector<Carried> carried;
  auto addHidden = [&](StringRef name, StringRef shown) {
    auto found = scope.find(name);
    if (found != scope.end())
      carried.push_back({name, found->second, shown,
                         Join::of(emitter.getContext(), found->second.object),
                         true});
  };
  for (auto [hidden, name] : llvm::zip(body.carries.hidden, body.carries.names))
    addHidden(hidden, name);
  if (jumpsOf(body.stmts).hasReturn)
    addHidden(returnedName, "return");
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
    carried.push_back({name, found->second, name,
                       Join::of(emitter.getContext(), object), !isTensor});
  }
  return carried;
}

/// Takes what the body left in each variable into account; false if nothing
/// changed by that.
bool FunctionGenerator::widenCarried(std::vector<Carried> &carried,
                                     Location loc) {
  bool hasChanged = false;
  for (Carried &variable : carried) {
    if (variable.blocked)
      continue;
    auto found = scope.find(variable.name);
    const Object &end = found->second.object;
    bool isInvariant = isSame(variable.initial.object, end);
    if (!variable.isCarried && isInvariant)
      continue;
    if (end.is<UnusableObject>() || end.isPoison()) {
      variable.blocked = end;
      hasChanged = true;
      continue;
    }
    if (variable.isCarried && isInvariant &&
        !variable.initial.object.asValue()) {
      variable.isCarried = false;
      hasChanged = true;
      continue;
    }
    Join before = variable.join;
    hasChanged |= !variable.isCarried;
    variable.isCarried = true;
    if (!variable.join.widen(end))
      variable.blocked = Object(UnusableObject{
          ("'" + variable.shown + "' is " + describe(variable.initial.object) +
           " before the loop and " + describe(end) +
           " at the end of its body; what goes around a loop keeps its kind, "
           "dtype and rank")
              .str(),
          {{variable.initial.loc, "assigned here"},
           {found->second.loc, "and here"}}});
    hasChanged |= variable.blocked || !(variable.join == before);
  }
  return hasChanged;
}

void FunctionGenerator::leaveLoop(Scope before, StringRef loopVariable,
                                  Location loc) {
  for (const auto &[name, variable] : scope)
    if (!before.count(name) && variable.object.is<TaskObject>()) {
      before.insert({name, variable});
    } else if (!before.count(name) && !name.starts_with("<")) {
      Object undefined(UnusableObject{
          ("'" + name +
           "' may be undefined: it is assigned only inside the loop")
              .str(),
          {{variable.loc, "assigned here"}}});
      before.insert({name, Variable{undefined, variable.loc}});
    }
  if (!loopVariable.empty())
    before.insert_or_assign(
        loopVariable,
        Variable{Object(UnusableObject{("the loop variable '" + loopVariable +
                                        "' has no value after its loop")
                                           .str(),
                                       {{loc, "the loop"}}}),
                 loc});
  scope = std::move(before);
}

/// The extents of values that go around, assumed to be the same in every
/// iteration.
std::vector<FunctionGenerator::StableExtent>
FunctionGenerator::assumeExtents(mlir::ValueRange initial, Location loc,
                                 const UnstableExtents &unstable) {
  std::vector<StableExtent> extents;
  for (auto [position, value] : llvm::enumerate(initial)) {
    if (!llvm::isa<pl::TileType, pl::TensorViewType>(value.getType()))
      continue;
    for (auto [axis, dim] : llvm::enumerate(pl::getDims(value.getType()))) {
      std::pair<unsigned, unsigned> key(position, axis);
      if (dim.isAny() && !unstable.count(key))
        extents.push_back(
            {key.first, key.second, emitter.settledExtent(loc, value, axis)});
    }
  }
  return extents;
}

/// Adds the assumptions that do not hold for what the body ends with; false if
/// there are none.
bool FunctionGenerator::findUnstable(const std::vector<StableExtent> &extents,
                                     llvm::ArrayRef<Value> values, Location loc,
                                     UnstableExtents &unstable) {
  bool hasFound = false;
  for (const StableExtent &known : extents) {
    Value extent =
        emitter.settledExtent(loc, values[known.position], known.axis);
    if (!emitter.isEqual(extent, known.extent))
      hasFound |= unstable.insert({known.position, known.axis}).second;
  }
  return hasFound;
}

void FunctionGenerator::closeCarried(std::vector<Carried> &carried,
                                     mlir::Operation *op,
                                     const LoopShape &shape,
                                     llvm::ArrayRef<Value> values,
                                     const std::vector<StableExtent> &extents,
                                     Location loc, Scope before) {
  shape.close(values);
  llvm::SmallVector<Value> results(
      op->getResults().drop_front(shape.numOwnResults));
  for (const StableExtent &known : extents)
    emitter.setExtent(results[known.position], known.axis, known.extent);
  llvm::ArrayRef<Value> remaining = results;
  for (Carried &variable : carried) {
    if (variable.blocked) {
      before.find(variable.name)->second.object = *variable.blocked;
    } else if (variable.isCarried) {
      Object result = variable.join.rebuild(remaining);
      if (Value outer = result.asValue())
        nameValue(outer, variable.name);
      before.insert_or_assign(
          variable.name,
          Variable{result, scope.find(variable.name)->second.loc});
    }
  }
  leaveLoop(std::move(before), "", loc);
}

llvm::SmallVector<Value>
FunctionGenerator::flattenCarried(const std::vector<Carried> &carried,
                                  bool isInitial, Location loc) {
  llvm::SmallVector<Value> values;
  for (const Carried &variable : carried)
    if (variable.isCarried && !variable.blocked)
      variable.join.flatten(emitter, isInitial ? variable.initial.loc : loc,
                            isInitial
                                ? variable.initial.object
                                : scope.find(variable.name)->second.object,
                            values);
  return values;
}

/// Generates the loop once; true if the types fit.
bool FunctionGenerator::tryLoop(std::vector<Carried> &carried,
                                UnstableExtents &unstable, const Scope &before,
                                Location loc, const LoopShape &shape) {
  unsigned numErrors = emitter.reporter.getNumErrors();
  scope = before;
  llvm::SmallVector<Value> initial = flattenCarried(carried, true, loc), inside;
  if (emitter.reporter.getNumErrors() != numErrors)
    return false;
  std::vector<StableExtent> extents = assumeExtents(initial, loc, unstable);
  size_t firstRead = emitter.uses.beginLoop();
  mlir::Operation *op = shape.open(initial, inside);
  for (const StableExtent &known : extents)
    emitter.setExtent(inside[known.position], known.axis, known.extent);
  llvm::ArrayRef<Value> remaining = inside;
  for (const Carried &variable : carried) {
    Object &object = scope.find(variable.name)->second.object;
    if (variable.blocked)
      object = *variable.blocked;
    else if (variable.isCarried)
      object = variable.join.rebuild(remaining);
    if (Value inner = object.asValue())
      nameValue(inner, variable.name);
  }
  shape.emitBody();
  emitter.uses.endLoop(firstRead);
  bool isRight = emitter.reporter.getNumErrors() == numErrors &&
                 !widenCarried(carried, loc);
  if (isRight) {
    llvm::SmallVector<Value> values = flattenCarried(carried, false, loc);
    isRight = emitter.reporter.getNumErrors() == numErrors &&
              !findUnstable(extents, values, loc, unstable);
    if (isRight)
      closeCarried(carried, op, shape, values, extents, loc, before);
  }
  if (!isRight)
    emitter.eraseTrial(op);
  return isRight;
}

void FunctionGenerator::emitCarried(const LoopBody &body, Location loc,
                                    const LoopShape &shape) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *outer = builder.getInsertionBlock();
  std::vector<Carried> carried = findCarried(body);
  UnstableExtents unstable;
  const Scope before = scope;
  unsigned numErrors = emitter.reporter.getNumErrors();
  for (unsigned attempt = 0; attempt < maxAttempts; ++attempt) {
    builder.setInsertionPointToEnd(outer);
    if (tryLoop(carried, unstable, before, loc, shape)) {
      if (!body.variable.empty())
        leaveLoop(scope, body.variable, loc);
      return;
    }
    if (emitter.reporter.getNumErrors() != numErrors)
      break;
  }
  if (emitter.reporter.getNumErrors() == numErrors)
    fail(loc,
         "the shape of a variable changes in every iteration of this loop");
  Scope after = before;
  for (const Carried &variable : carried)
    after.find(variable.name)->second.object = Object::poison();
  for (const auto &[name, variable] : scope)
    after.insert({name, Variable{Object::poison(), variable.loc}});
  scope = std::move(after);
}
