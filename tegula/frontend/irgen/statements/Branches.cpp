// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/Branches.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/calls/TaskOptions.h"
#include "tegula/frontend/irgen/loops/LastValues.h"
#include "tegula/ir/ValueNames.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

bool Branches::isUsedOutside(const Slot &slot, const NameCounts &inside) {
  if (!slot.isNamed())
    return true;
  if (!allNames)
    countNames(state.function.getDefinition().body, allNames.emplace());
  return allNames->lookup(slot.getName()) > inside.lookup(slot.getName());
}

Flow Branches::emitIf(Value condition, llvm::function_ref<Flow()> emitThen,
                      llvm::function_ref<Flow()> emitElse, Location loc,
                      const NameCounts &inside) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  auto trial = mlir::scf::IfOp::create(builder, loc, mlir::TypeRange(),
                                       condition, /*addThenBlock=*/true,
                                       /*addElseBlock=*/true);
  Scope before = scope;
  builder.setInsertionPointToEnd(trial.thenBlock());
  Flow thenFlow = emitThen();
  Scope thenScope = std::move(scope);
  scope = before;
  builder.setInsertionPointToEnd(trial.elseBlock());
  Flow elseFlow = emitElse();
  Scope elseScope = std::move(scope);
  std::vector<Merged> merged = mergeScopes(thenScope, elseScope, inside);
  closeIf(trial, merged, thenScope, elseScope);
  return thenFlow == Flow::Jumps && elseFlow == Flow::Jumps ? Flow::Jumps
                                                            : Flow::Reaches;
}

/// True for what lanes gather: it has one tensor, and a branch may have none.
static bool isGathered(const Object &object) {
  const auto *unusable = object.as<UnusableObject>();
  return unusable && unusable->gathered;
}

static Object conflict(StringRef name, const Variable &first,
                       const Variable &second) {
  return Object(UnusableObject{
      ("'" + name + "' is " + describe(first.object) + " in one branch and " +
       describe(second.object) + " in the other")
          .str(),
      {{first.loc, "assigned here"}, {second.loc, "and here"}}});
}

/// What a variable is after branches of which only one has it.
static Object inOneBranch(const Slot &slot, const Variable &variable) {
  bool isReturn = slot == Slot::Kind::Return;
  if (variable.object.is<TaskObject>() ||
      (isReturn && variable.object.is<NoneObject>()))
    return variable.object;
  if (isReturn)
    return Object(UnusableObject{
        "a value is returned on one path and not on the other", {}});
  return Object(
      UnusableObject{("'" + slot.getName() +
                      "' may be undefined: it is assigned in one branch only")
                         .str(),
                     {{variable.loc, "assigned here"}}});
}

/// Sets `scope` to what both branches agree on, and says what has to be joined.
std::vector<Branches::Merged> Branches::mergeScopes(const Scope &thenScope,
                                                    const Scope &elseScope,
                                                    const NameCounts &inside) {
  std::vector<Merged> merged;
  scope.clear();
  auto add = [&](const Slot &slot, const Object &object, Location loc) {
    scope.emplace_hint(scope.end(), slot, Variable{object, loc});
  };
  // Both are in order: they are read side by side.
  auto first = thenScope.begin(), second = elseScope.begin();
  while (first != thenScope.end() || second != elseScope.end()) {
    bool isSecondNext =
        first == thenScope.end() ||
        (second != elseScope.end() && second->first < first->first);
    const auto &[slot, variable] = isSecondNext ? *second : *first;
    bool isInBoth =
        !isSecondNext && second != elseScope.end() && second->first == slot;
    const Object &left = variable.object;
    const Variable &other = isInBoth ? second->second : variable;
    const Object &right = other.object;
    if (!isInBoth) {
      add(slot, inOneBranch(slot, variable), variable.loc);
    } else if (isSame(left, right)) {
      add(slot, left, variable.loc);
    } else if (left.isPoison() || right.isPoison()) {
      add(slot, Object::poison(), variable.loc);
    } else if (isGathered(left) || isGathered(right)) {
      add(slot,
          Object(UnusableObject{("'" + slot.getName() +
                                 "' is gathered in a branch; gather once, "
                                 "after the branches")
                                    .str(),
                                {{variable.loc, "assigned here"}}}),
          variable.loc);
    } else if (left.is<UnusableObject>() || right.is<UnusableObject>()) {
      const Variable &from = left.is<UnusableObject>() ? variable : other;
      add(slot, from.object, from.loc);
    } else if (isUsedOutside(slot, inside)) {
      std::optional<Join> join = Join::of(emitter.getContext(), left, right);
      if (join)
        merged.push_back({slot, *join, variable.loc});
      else
        add(slot, conflict(slot.getName(), variable, other), variable.loc);
    }
    if (isInBoth || isSecondNext)
      ++second;
    if (!isSecondNext)
      ++first;
  }
  return merged;
}

/// An extent that is the same after both branches, and can be seen after them,
/// is known.
void Branches::findEqualExtents(mlir::Block *outer, mlir::scf::IfOp op,
                                llvm::ArrayRef<Value> first,
                                llvm::ArrayRef<Value> second,
                                std::vector<CrossingExtent> &extents) {
  mlir::OpBuilder &builder = emitter.builder;
  Location loc = op.getLoc();
  for (CrossingExtent &extent : extents) {
    builder.setInsertionPointToEnd(outer);
    Value common =
        emitter.crossing.simple(loc, first[extent.position], extent.axis);
    if (common && common == emitter.crossing.simple(
                                loc, second[extent.position], extent.axis))
      extent.known = common;
    if (extent.known || !extent.mustBeSaid)
      continue;
    builder.setInsertionPointToEnd(op.thenBlock());
    Value left =
        emitter.extents.settled(loc, first[extent.position], extent.axis);
    builder.setInsertionPointToEnd(op.elseBlock());
    Value right =
        emitter.extents.settled(loc, second[extent.position], extent.axis);
    builder.setInsertionPointToEnd(outer);
    bool isLeftVisible = emitter.extents.isVisible(left);
    if ((isLeftVisible || emitter.extents.isVisible(right)) &&
        emitter.extents.isEqual(left, right))
      extent.known = isLeftVisible ? left : right;
  }
  CrossingExtents::dropUnknown(extents);
}

/// Binds the merged variables to what a branch or a region gives for them.
void Branches::rebindMerged(llvm::ArrayRef<Merged> merged,
                            llvm::ArrayRef<Value> values) {
  for (const Merged &variable : merged) {
    Object object = variable.join.rebuild(values);
    if (Value value = object.asValue(); value && variable.slot.isNamed())
      nameValue(value, variable.slot.getName());
    scope.insert_or_assign(variable.slot, Variable{object, variable.loc});
  }
}

/// The values that a branch left in the merged variables; false after a
/// mistake, when something is missing.
bool Branches::endBranch(mlir::Block *block, llvm::ArrayRef<Merged> merged,
                         const Scope &from,
                         llvm::SmallVectorImpl<Value> &values) {
  if (!block->empty() && llvm::isa<mlir::scf::YieldOp>(block->back()))
    block->back().erase();
  emitter.builder.setInsertionPointToEnd(block);
  bool isRight = true;
  for (const Merged &variable : merged)
    isRight &= variable.join.flatten(
        emitter, variable.loc, from.find(variable.slot)->second.object, values);
  return isRight;
}

/// Ends both branches with what they left in the merged variables.
void Branches::closeIf(mlir::scf::IfOp old, llvm::ArrayRef<Merged> merged,
                       const Scope &thenScope, const Scope &elseScope) {
  Location loc = old.getLoc();
  mlir::OpBuilder &builder = emitter.builder;
  llvm::SmallVector<mlir::Type> types;
  for (const Merged &variable : merged)
    variable.join.addTypes(types);
  llvm::SmallVector<Value> first, second;
  bool isRight = endBranch(old.thenBlock(), merged, thenScope, first);
  isRight &= endBranch(old.elseBlock(), merged, elseScope, second);
  std::vector<CrossingExtent> extents;
  // After a mistake something may be missing; the module is dropped then.
  if (isRight) {
    extents = emitter.crossing.find(first);
    findEqualExtents(old->getBlock(), old, first, second, extents);
    for (auto [block, values] : {std::pair(old.thenBlock(), &first),
                                 std::pair(old.elseBlock(), &second)}) {
      builder.setInsertionPointToEnd(block);
      emitter.crossing.addFurther(loc, extents, *values);
      mlir::scf::YieldOp::create(builder, loc, *values);
    }
    types.append(first.size() - types.size(), builder.getIndexType());
  }
  builder.setInsertionPointToEnd(old->getBlock());
  bool hasElse = !types.empty() || old.elseBlock()->getOperations().size() > 1;
  auto result = mlir::scf::IfOp::create(builder, loc, types, old.getCondition(),
                                        /*addThenBlock=*/false,
                                        /*addElseBlock=*/false);
  result.getThenRegion().takeBody(old.getThenRegion());
  if (hasElse)
    result.getElseRegion().takeBody(old.getElseRegion());
  emitter.eraseTrial(old);
  size_t numFurther = llvm::count_if(
      extents, [](const CrossingExtent &extent) { return !extent.known; });
  llvm::SmallVector<Value> results(result.getResults().drop_back(numFurther));
  emitter.crossing.state(loc, extents, results,
                         result.getResults().take_back(numFurther));
  rebindMerged(merged, results);
}

Object Branches::choose(Value condition,
                        llvm::function_ref<Variable()> thenValue,
                        llvm::function_ref<Variable()> elseValue,
                        Location loc) {
  Scope before = scope;
  auto take = [&](llvm::function_ref<Variable()> value) {
    scope.insert_or_assign(Slot::Kind::Value, value());
    return Flow::Reaches;
  };
  emitIf(
      condition, [&] { return take(thenValue); },
      [&] { return take(elseValue); }, loc, {});
  Object result = scope.find(Slot::Kind::Value)->second.object;
  scope = std::move(before);
  return result;
}

Flow Branches::emitGuarded(const TaskOptions &options,
                           llvm::function_ref<Flow()> emit,
                           llvm::function_ref<Flow()> skip,
                           const ast::Stmt &stmt) {
  if (isConstant(options.predicate))
    return isTrue(options.predicate) ? emit() : skip();
  Value condition =
      emitter.scalars.toCondition(options.predicateLoc, options.predicate);
  if (!condition)
    return skip();
  NameCounts inside;
  countNames(stmt, inside);
  return emitIf(condition, emit, skip, locate(stmt.loc), inside);
}

/// The variables that hold something made in a region and are used after it.
/// The others of that kind are forgotten.
std::vector<Branches::Merged>
Branches::leavingRegion(mlir::Region &region, const NameCounts &inside) {
  std::vector<Merged> leaving;
  for (auto it = scope.begin(); it != scope.end();) {
    const auto &[slot, variable] = *it;
    if (!isMadeIn(variable.object, region)) {
      ++it;
    } else if (!isUsedOutside(slot, inside)) {
      it = scope.erase(it);
    } else {
      leaving.push_back({slot, Join::of(emitter.getContext(), variable.object),
                         variable.loc});
      ++it;
    }
  }
  return leaving;
}

Flow Branches::emitRegion(const RegionPlacement &placement,
                          llvm::function_ref<Flow()> emit,
                          const NameCounts &inside, Location loc) {
  mlir::OpBuilder &builder = emitter.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  auto trial = pl::AtOp::create(builder, loc, mlir::TypeRange(),
                                placement.level, placement.task);
  builder.createBlock(&trial.getBody());
  Flow flow = emit();
  std::vector<Merged> results = leavingRegion(trial.getBody(), inside);
  llvm::SmallVector<Value> values;
  llvm::SmallVector<mlir::Type> types;
  for (const Merged &variable : results) {
    variable.join.flatten(emitter, loc,
                          scope.find(variable.slot)->second.object, values);
    variable.join.addTypes(types);
  }
  std::vector<CrossingExtent> extents;
  if (!llvm::is_contained(values, Value()))
    extents = emitter.crossing.find(values);
  for (CrossingExtent &extent : extents) {
    Value inner =
        emitter.extents.settled(loc, values[extent.position], extent.axis);
    if (!trial.getBody().isAncestor(inner.getParentRegion()))
      extent.known = inner;
  }
  CrossingExtents::dropUnknown(extents);
  size_t numFurther = llvm::count_if(
      extents, [](const CrossingExtent &extent) { return !extent.known; });
  emitter.crossing.addFurther(loc, extents, values);
  types.append(numFurther, builder.getIndexType());
  pl::YieldOp::create(builder, loc, values);
  builder.setInsertionPointAfter(trial);
  auto op =
      pl::AtOp::create(builder, loc, types, placement.level, placement.task);
  op.getBody().takeBody(trial.getBody());
  emitter.eraseTrial(trial);
  llvm::SmallVector<Value> outside(op.getResults().drop_back(numFurther));
  emitter.crossing.state(loc, extents, outside,
                         op.getResults().take_back(numFurther));
  rebindMerged(results, outside);
  return flow;
}
