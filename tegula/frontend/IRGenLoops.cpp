// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `for` over ranges, and `while`.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/ConstantFolding.h"
#include "tegula/frontend/IRGenFunction.h"

using namespace tegula;
using namespace mlir;
namespace arith = mlir::arith;

/// More copies than this of a loop's body are a mistake.
static constexpr int64_t maxUnrolled = 4096;

void FunctionGenerator::emitFor(const ast::For &node, const ast::Stmt &stmt) {
  Location loc = locate(stmt.loc);
  if (!node.orelse.empty())
    fail(loc, "'else' of a loop is not supported; use a flag set by the loop");
  const auto *call = std::get_if<ast::Call>(&node.iter->node);
  Object callee = call ? evaluate(*call->callee) : evaluate(*node.iter);
  if (callee.isPoison())
    return;
  const auto *python = callee.as<PythonObject>();
  const std::string *path = callee.asLanguage();
  std::string name = python ? python->name : path ? *path : "";
  bool isRange =
      name == "range" ||
      (path && (name == "parallel" || name == "unroll" || name == "pipeline"));
  if (!call || !isRange) {
    std::string why = path && call ? unknownName(emitter, *path) : "";
    fail(locate(*node.iter),
         !why.empty() ? why
                      : "a 'for' runs over range, pl.range, pl.parallel "
                        "or pl.unroll, got " +
                            describe(callee));
    return;
  }
  const auto *variable = std::get_if<ast::Name>(&node.target->node);
  if (!variable) {
    fail(locate(*node.target),
         "the target of a 'for' must be one name; rebind variables in the body "
         "instead of carrying them with init_values");
    return;
  }
  std::optional<CallArguments> arguments = evaluateArguments(*node.iter, *call);
  Range range;
  if (!arguments || !readRange(*arguments, name, range))
    return;
  if (name == "unroll")
    emitUnrolled(node, variable->id, range, loc);
  else if (name == "parallel")
    emitParallel(node, variable->id, range, loc);
  else if (jumpsOf(node.body).hasBreak)
    emitBreakable(node, variable->id, range, loc);
  else
    emitRange(node, variable->id, range, loc);
}

bool FunctionGenerator::readRange(const CallArguments &arguments,
                                  StringRef name, Range &range) {
  for (const auto &[keyword, argument] : arguments.keywords) {
    if (name == "pipeline" && keyword == "stage")
      continue;
    fail(argument.loc,
         keyword == "init_values"
             ? llvm::Twine("'init_values' is not supported; rebind variables "
                           "in the body, they go around by themselves")
             : name + "() got an unexpected keyword argument '" + keyword +
                   "'");
    return false;
  }
  size_t count = arguments.positional.size();
  if (count < 1 || count > 3) {
    fail(arguments.loc,
         name + "() takes 1 to 3 arguments, got " + llvm::Twine(count));
    return false;
  }
  auto read = [&](const CallArgument &argument) -> Object {
    Value scalar = argument.object.asScalar();
    bool isInteger = argument.object.is<IntObject>() ||
                     (scalar && !pl::isFloat(scalar.getType()) &&
                      !pl::isBool(scalar.getType()));
    if (argument.object.isPoison() || isInteger)
      return argument.object;
    return fail(argument.loc,
                name + "() takes integers, got " + describe(argument.object));
  };
  range.start = count == 1 ? Object::integer(0) : read(arguments.positional[0]);
  range.stop = read(arguments.positional[count == 1 ? 0 : 1]);
  range.step = count == 3 ? read(arguments.positional[2]) : Object::integer(1);
  if (range.start.isPoison() || range.stop.isPoison() || range.step.isPoison())
    return false;
  std::optional<int64_t> step = range.step.asInteger();
  if (!step) {
    fail(arguments.positional[2].loc,
         "the step of " + name + "() must be known at compile time");
    return false;
  }
  if (*step == 0) {
    fail(arguments.positional[2].loc,
         "the step of " + name + "() must not be zero");
    return false;
  }
  range.constantStep = *step;
  return true;
}

/// ceil((stop - start) / step), at least 0, for a negative step.
Value FunctionGenerator::countIterations(const Range &range, Location loc) {
  Object distance =
      emitter.binary(loc, ast::BinaryOp::Sub, range.start, range.stop);
  int64_t step = -range.constantStep;
  Object rounded = emitter.binary(loc, ast::BinaryOp::Add, distance,
                                  Object::integer(step - 1));
  Object count = emitter.binary(loc, ast::BinaryOp::FloorDiv, rounded,
                                Object::integer(step));
  return emitter.toIndex(loc,
                         emitter.extreme(loc, true, count, Object::integer(0)),
                         "the number of iterations");
}

/// The variable of a loop that counts up: the counter itself, or the start less
/// so many steps.
Object FunctionGenerator::loopVariable(const Range &range, Value counter,
                                       Location loc) {
  if (range.constantStep > 0)
    return Object(counter);
  Object offset = emitter.binary(loc, ast::BinaryOp::Mul, Object(counter),
                                 Object::integer(range.constantStep));
  return emitter.binary(loc, ast::BinaryOp::Add, range.start, offset);
}

void FunctionGenerator::emitIteration(Stmts body, Loop::Kind kind,
                                      Location loc) {
  loops.push_back({kind, loc});
  emitBlock(body, nullptr);
  loops.pop_back();
}

void FunctionGenerator::emitRange(const ast::For &node, StringRef variable,
                                  const Range &range, Location loc) {
  OpBuilder &builder = emitter.builder;
  bool isUp = range.constantStep > 0;
  Value lower =
      isUp ? emitter.toIndex(loc, range.start, "the start") : emitter.index(0);
  Value upper = isUp ? emitter.toIndex(loc, range.stop, "the end")
                     : countIterations(range, loc);
  Value step = emitter.index(isUp ? range.constantStep : 1);
  if (!lower || !upper)
    return;
  auto open = [&](ValueRange initial, SmallVectorImpl<Value> &inside) {
    auto op = scf::ForOp::create(builder, loc, lower, upper, step, initial);
    Block *body = op.getBody();
    if (!body->empty())
      body->back().erase();
    builder.setInsertionPointToEnd(body);
    llvm::append_range(inside, op.getRegionIterArgs());
    scope.insert_or_assign(
        variable,
        Variable{loopVariable(range, op.getInductionVar(), loc), loc});
    return op.getOperation();
  };
  auto emitBody = [&] {
    emitIteration(node.body, Loop::Kind::Sequential, loc);
  };
  auto close = [&](ValueRange values) {
    scf::YieldOp::create(builder, loc, values);
  };
  emitCarried(node.body, variable, loc, {open, emitBody, close});
}

/// A loop with `break`: counts and stops by itself.
void FunctionGenerator::emitBreakable(const ast::For &node, StringRef variable,
                                      const Range &range, Location loc) {
  OpBuilder &builder = emitter.builder;
  bool isUp = range.constantStep > 0;
  Value lower =
      isUp ? emitter.toIndex(loc, range.start, "the start") : emitter.index(0);
  Value upper = isUp ? emitter.toIndex(loc, range.stop, "the end")
                     : countIterations(range, loc);
  if (!lower || !upper)
    return;
  Value counter;
  auto open = [&](ValueRange initial, SmallVectorImpl<Value> &inside) {
    SmallVector<Value> values = {
        lower,
        emitter.constant(loc, Object::boolean(true), builder.getI1Type())};
    llvm::append_range(values, initial);
    SmallVector<Type> types(ValueRange(values).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    auto op = scf::WhileOp::create(builder, loc, types, values);
    Block *before = builder.createBlock(&op.getBefore(), {}, types, locs);
    Value isBelow = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, before->getArgument(0), upper);
    Value goesOn =
        arith::AndIOp::create(builder, loc, before->getArgument(1), isBelow);
    scf::ConditionOp::create(builder, loc, goesOn, before->getArguments());
    Block *after = builder.createBlock(&op.getAfter(), {}, types, locs);
    counter = after->getArgument(0);
    llvm::append_range(inside, after->getArguments().drop_front(2));
    scope.insert_or_assign(variable,
                           Variable{loopVariable(range, counter, loc), loc});
    scope.insert_or_assign(breakName, Variable{Object::boolean(false), loc});
    return op.getOperation();
  };
  auto emitBody = [&] {
    emitIteration(node.body, Loop::Kind::Sequential, loc);
  };
  auto close = [&](ValueRange carried) {
    Object stops = scope.find(breakName)->second.object;
    Object goesOn = emitter.unary(loc, ast::UnaryOp::Not, stops);
    Value next =
        emitter.indexBinary(loc, ast::BinaryOp::Add, counter,
                            emitter.index(isUp ? range.constantStep : 1));
    SmallVector<Value> values = {next, emitter.toCondition(loc, goesOn)};
    llvm::append_range(values, carried);
    scf::YieldOp::create(builder, loc, values);
  };
  emitCarried(node.body, variable, loc, {open, emitBody, close, 2});
}

void FunctionGenerator::emitUnrolled(const ast::For &node, StringRef variable,
                                     const Range &range, Location loc) {
  std::optional<int64_t> start = range.start.asInteger(),
                         stop = range.stop.asInteger();
  if (!start || !stop) {
    fail(loc, "the bounds of unroll() must be known at compile time; use "
              "pl.range");
    return;
  }
  int64_t step = range.constantStep, copies = 0;
  Scope before = scope;
  bool ends = false;
  for (int64_t i = *start; !ends && (step > 0 ? i < *stop : i > *stop);
       i += step) {
    if (++copies > maxUnrolled) {
      fail(loc, "unroll() makes more than " + llvm::Twine(maxUnrolled) +
                    " copies of the body; use pl.range");
      break;
    }
    scope.insert_or_assign(variable, Variable{Object::integer(i), loc});
    scope.insert_or_assign(breakName, Variable{Object::boolean(false), loc});
    unsigned numErrors = emitter.reporter.getNumErrors();
    emitIteration(node.body, Loop::Kind::Unrolled, loc);
    Object stops = scope.find(breakName)->second.object;
    if (!stops.isNumber())
      fail(loc, "a 'break' in unroll() must depend on values known at compile "
                "time only; use pl.range");
    ends = !stops.isNumber() || isTrue(stops) ||
           emitter.reporter.getNumErrors() != numErrors;
  }
  scope.erase(breakName);
  auto outerBreak = before.find(breakName);
  if (outerBreak != before.end())
    scope.insert(*outerBreak);
  leaveLoop(scope, variable, loc);
}

void FunctionGenerator::emitParallel(const ast::For &node, StringRef variable,
                                     const Range &range, Location loc) {
  OpBuilder &builder = emitter.builder;
  OpBuilder::InsertionGuard guard(builder);
  bool isUp = range.constantStep > 0;
  Value lower =
      isUp ? emitter.toIndex(loc, range.start, "the start") : emitter.index(0);
  Value upper = isUp ? emitter.toIndex(loc, range.stop, "the end")
                     : countIterations(range, loc);
  if (!lower || !upper)
    return;
  auto op = pl::ParallelOp::create(
      builder, loc, lower, upper, emitter.index(isUp ? range.constantStep : 1));
  Block &body = op.getBody().front();
  body.back().erase();
  builder.setInsertionPointToEnd(&body);
  Scope before = scope;
  for (const auto &[name, assigned] : assignedNames(node.body)) {
    auto found = scope.find(name);
    bool isPart = found != scope.end() && !assigned.isRebound &&
                  found->second.object.asTensor();
    bool isTensor = found != scope.end() && found->second.object.asTensor() &&
                    emitter.uses.declarationOf(found->second.object.asTensor());
    if (found == scope.end() || isPart || isTensor)
      continue;
    Object carried(UnusableObject{
        ("'" + name +
         "' would be carried from one iteration of pl.parallel to the next; "
         "use pl.range, or write to a tensor")
            .str(),
        {{loc, "the loop"}, {locate(assigned.loc), "assigned here"}}});
    found->second.object = carried;
    before.find(name)->second.object = Object(UnusableObject{
        ("'" + name +
         "' has no value after the loop: iterations of pl.parallel may run in "
         "any order")
            .str(),
        {{locate(assigned.loc), "assigned here"}}});
  }
  scope.insert_or_assign(
      variable, Variable{loopVariable(range, op.getInductionVar(), loc), loc});
  size_t firstRead = emitter.uses.beginLoop();
  emitIteration(node.body, Loop::Kind::Parallel, loc);
  emitter.uses.endLoop(firstRead);
  pl::YieldOp::create(builder, loc, ValueRange());
  leaveLoop(std::move(before), variable, loc);
}

void FunctionGenerator::emitWhile(const ast::While &node, Location loc) {
  OpBuilder &builder = emitter.builder;
  if (!node.orelse.empty())
    fail(loc, "'else' of a loop is not supported; use a flag set by the loop");
  // Whether to go on goes around in front of the variables.
  unsigned numFlags = jumpsOf(node.body).hasBreak ? 1 : 0;
  scf::WhileOp op;
  auto open = [&](ValueRange initial, SmallVectorImpl<Value> &inside) {
    SmallVector<Value> values;
    if (numFlags)
      values.push_back(
          emitter.constant(loc, Object::boolean(true), builder.getI1Type()));
    llvm::append_range(values, initial);
    SmallVector<Type> types(ValueRange(values).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    op = scf::WhileOp::create(builder, loc, types, values);
    Block *before = builder.createBlock(&op.getBefore(), {}, types, locs);
    llvm::append_range(inside, before->getArguments().drop_front(numFlags));
    return op.getOperation();
  };
  auto emitBody = [&] { emitWhileBody(node, op, loc); };
  auto close = [&](ValueRange carried) {
    SmallVector<Value> values;
    if (numFlags) {
      Object stops = scope.find(breakName)->second.object;
      Object goesOn = emitter.unary(loc, ast::UnaryOp::Not, stops);
      values.push_back(emitter.toCondition(loc, goesOn));
    }
    llvm::append_range(values, carried);
    scf::YieldOp::create(builder, loc, values);
  };
  emitCarried(node.body, "", loc, {open, emitBody, close, numFlags});
}

/// The condition of a `while` as i1, or null after a mistake. With `flag` it is
/// evaluated only if that is true.
Value FunctionGenerator::emitWhileCondition(const ast::While &node, Value flag,
                                            Location loc) {
  auto check = [&] {
    Object condition = evaluate(*node.condition);
    return emitter.toCondition(locate(*node.condition), condition);
  };
  if (!flag)
    return check();
  Scope outside = scope;
  auto set = [&](const Object &object) {
    scope.insert_or_assign(valueName, Variable{object, loc});
    return Flow::Reaches;
  };
  emitRuntimeIf(
      flag,
      [&] {
        Value value = check();
        return set(value ? Object(value) : Object::poison());
      },
      [&] { return set(Object::boolean(false)); }, loc, {});
  Object condition = scope.find(valueName)->second.object;
  scope = std::move(outside);
  return emitter.toCondition(loc, condition);
}

/// After the condition the body sees the same variables under the names of its
/// own block.
void FunctionGenerator::emitWhileBody(const ast::While &node, scf::WhileOp op,
                                      Location loc) {
  OpBuilder &builder = emitter.builder;
  Block *before = &op.getBefore().front();
  Value flag = jumpsOf(node.body).hasBreak ? before->getArgument(0) : Value();
  Value goesOn = emitWhileCondition(node, flag, loc);
  if (!goesOn)
    goesOn = emitter.constant(loc, Object::boolean(true), builder.getI1Type());
  scf::ConditionOp::create(builder, loc, goesOn, before->getArguments());
  SmallVector<Type> types(before->getArgumentTypes());
  SmallVector<Location> locs(types.size(), loc);
  Block *after = builder.createBlock(&op.getAfter(), {}, types, locs);
  for (auto [from, to] :
       llvm::zip(before->getArguments(), after->getArguments()))
    emitter.copyExtents(from, to);
  for (auto &[name, variable] : scope)
    variable.object = replaced(variable.object, before, after);
  scope.insert_or_assign(breakName, Variable{Object::boolean(false), loc});
  emitIteration(node.body, Loop::Kind::Sequential, loc);
}

/// `object` with the arguments of one block replaced by those of another.
Object FunctionGenerator::replaced(const Object &object, Block *from,
                                   Block *to) {
  if (const auto *tuple = object.asTuple()) {
    std::vector<Object> elements;
    for (const Object &element : *tuple)
      elements.push_back(replaced(element, from, to));
    return Object::tuple(std::move(elements));
  }
  auto argument = dyn_cast_or_null<BlockArgument>(object.asValue());
  if (!argument || argument.getOwner() != from)
    return object;
  return Object(ValueObject{to->getArgument(argument.getArgNumber()),
                            object.as<ValueObject>()->isWeak});
}
