// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `for` over ranges.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/irgen/IRGenFunction.h"
#include "tegula/ir/PlRequireOps.h"
#include "tegula/ir/ValueNames.h"
#include "llvm/Support/MathExtras.h"

using namespace tegula;
using namespace mlir;
namespace arith = mlir::arith;

/// More copies than this of a loop's body are a mistake.
static constexpr int64_t maxUnrolled = 4096;

/// The iterator of a `for` without the `pl.`; empty if it is none.
static StringRef iteratorName(const Object &callee) {
  if (const auto *python = callee.as<PythonObject>())
    return python->name == "range" ? "range" : "";
  const std::string *path = callee.asLanguage();
  static constexpr StringRef names[] = {
      "range", "parallel", "unroll", "spmd", "split_aiv", "pipeline", "while_"};
  const auto *found = path ? llvm::find(names, *path) : std::end(names);
  return found == std::end(names) ? StringRef() : *found;
}

/// Takes a keyword argument out of a call.
static std::optional<CallArgument> takeKeyword(CallArguments &arguments,
                                               StringRef name) {
  for (auto it = arguments.keywords.begin(); it != arguments.keywords.end();
       ++it)
    if (it->first == name) {
      CallArgument argument = it->second;
      arguments.keywords.erase(it);
      return argument;
    }
  return std::nullopt;
}

void FunctionGenerator::emitFor(const ast::For &node, const ast::Stmt &stmt) {
  Location loc = locate(stmt.loc);
  if (!node.orelse.empty())
    fail(loc, "'else' of a loop is not supported; use a flag set by the loop");
  const auto *call = std::get_if<ast::Call>(&node.iter->node);
  Object callee = call ? evaluate(*call->callee) : evaluate(*node.iter);
  if (callee.isPoison())
    return;
  const std::string *path = callee.asLanguage();
  StringRef name = iteratorName(callee);
  if (!call || name.empty()) {
    std::string why = path && call ? unknownName(*path) : "";
    fail(locate(*node.iter),
         !why.empty() ? why
                      : "a 'for' runs over range, pl.range, pl.parallel "
                        "or pl.unroll, got " +
                            describe(callee));
    return;
  }
  std::optional<CallArguments> arguments = evaluateArguments(*node.iter, *call);
  if (!arguments)
    return;
  if (name == "spmd")
    return emitGridFor(node, *arguments, stmt);
  std::optional<CallArgument> initial = takeKeyword(*arguments, "init_values");
  if (initial && name == "unroll") {
    fail(initial->loc, "unroll() takes no init_values: its copies know the "
                       "variables before them; rebind variables in the body");
    return;
  }
  LoopBody body{node.body, ""};
  if (!readHead(node, name, initial, body))
    return;
  if (jumpsOf(node.body).hasReturn)
    scope.insert_or_assign(Slot::Kind::Returned,
                           Variable{Object::boolean(false), loc});
  if (name == "while_")
    emitWhileForm(body, loc);
  else if (name == "split_aiv")
    emitLanes(body, *arguments, stmt);
  else
    emitRanged(name, body, *arguments, stmt);
  if (body.carries.yield)
    bindCarries(body, loc);
}

void FunctionGenerator::emitRanged(StringRef name, const LoopBody &body,
                                   const CallArguments &arguments,
                                   const ast::Stmt &stmt) {
  Range range;
  if (!readRange(arguments, name, range))
    return;
  Location loc = locate(stmt.loc);
  Jumps jumps = jumpsOf(body.stmts);
  if (name == "unroll")
    emitUnrolled(body, range, loc);
  else if (name == "parallel" && body.carries.yield)
    emitRange(body, range, loc, Loop::Kind::Parallel);
  else if (name == "parallel")
    emitParallel(body, range, stmt);
  else if (jumps.hasBreak || jumps.hasReturn)
    emitBreakable(body, range, loc);
  else
    emitRange(body, range, loc);
}

/// `stage=` of a pipeline: how many iterations overlap, where they can. 0 if it
/// is wrong.
static int64_t readStage(Emitter &emitter, const CallArgument &argument) {
  std::optional<int64_t> stage = argument.object.asInteger();
  if (argument.object.is<IntObject>() && *stage > 0)
    return *stage;
  emitter.fail(argument.loc, "the stage of pipeline() must be a positive "
                             "integer known at compile time, got " +
                                 describe(argument.object));
  return 0;
}

bool FunctionGenerator::readRange(const CallArguments &arguments,
                                  StringRef name, Range &range) {
  for (const auto &[keyword, argument] : arguments.keywords) {
    if (name == "pipeline" && keyword == "stage") {
      if (!(range.stages = readStage(emitter, argument)))
        return false;
      continue;
    }
    fail(argument.loc,
         name + "() got an unexpected keyword argument '" + keyword + "'");
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
  range.constantStep = range.step.asInteger();
  if (range.constantStep == 0) {
    fail(arguments.positional[2].loc,
         "the step of " + name + "() must not be zero");
    return false;
  }
  return true;
}

/// ceil((stop - start) / step), at least 0, for a negative step.
Value FunctionGenerator::countIterations(const Range &range, Location loc) {
  Object distance =
      emitter.binary(loc, ast::BinaryOp::Sub, range.start, range.stop);
  int64_t step = -*range.constantStep;
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
Object FunctionGenerator::loopVariable(StringRef name, const Range &range,
                                       Value counter, Location loc) {
  nameValue(counter, name);
  if (range.isUp())
    return Object(counter);
  Object offset = emitter.binary(loc, ast::BinaryOp::Mul, Object(counter),
                                 Object::integer(*range.constantStep));
  return emitter.binary(loc, ast::BinaryOp::Add, range.start, offset);
}

/// A loop that counts down, or whose step is negative, counts iterations. A
/// step that is known at run time only must be positive: the loop does not run
/// otherwise, and the call reports it.
FunctionGenerator::LoopBounds FunctionGenerator::boundsOf(const Range &range,
                                                          Location loc) {
  if (!range.isUp())
    return {emitter.index(0), countIterations(range, loc), emitter.index(1)};
  LoopBounds bounds{emitter.toIndex(loc, range.start, "the start"),
                    emitter.toIndex(loc, range.stop, "the end"),
                    emitter.toIndex(loc, range.step, "the step")};
  if (range.constantStep || !bounds.lower || !bounds.upper || !bounds.step)
    return bounds;
  bounds.upper = pl::CheckStepOp::create(emitter.builder, loc, bounds.step,
                                         bounds.lower, bounds.upper);
  bounds.step =
      emitter.indexExtreme(loc, /*isMax=*/true, bounds.step, emitter.index(1));
  return bounds;
}

void FunctionGenerator::emitIteration(const LoopBody &body, Loop::Kind kind,
                                      Location loc) {
  loops.push_back({kind, loc, body.shown});
  nameCarries(body);
  Object lane = grid.lane;
  if (body.kind == pl::LoopKind::Lanes)
    grid.lane = scope.find(body.variable)->second.object;
  emitBlock(body.stmts, nullptr);
  grid.lane = lane;
  loops.pop_back();
}

void FunctionGenerator::emitRange(const LoopBody &body, const Range &range,
                                  Location loc, Loop::Kind kind) {
  OpBuilder &builder = emitter.builder;
  auto [lower, upper, step] = boundsOf(range, loc);
  if (!lower || !upper || !step)
    return;
  auto open = [&, lower = lower, upper = upper, step = step](
                  ValueRange initial, SmallVectorImpl<Value> &inside) {
    auto op = scf::ForOp::create(builder, loc, lower, upper, step, initial);
    if (range.stages != 0)
      op->setAttr(pl::stagesAttrName, builder.getI64IntegerAttr(range.stages));
    Block *block = op.getBody();
    if (!block->empty())
      block->back().erase();
    builder.setInsertionPointToEnd(block);
    llvm::append_range(inside, op.getRegionIterArgs());
    scope.insert_or_assign(
        body.variable,
        Variable{loopVariable(body.variable, range, op.getInductionVar(), loc),
                 loc});
    return op.getOperation();
  };
  auto emitBody = [&] { emitIteration(body, kind, loc); };
  auto close = [&](ValueRange values) {
    scf::YieldOp::create(builder, loc, values);
  };
  emitCarried(body, loc, {open, emitBody, close});
}

/// A loop with `break`: counts and stops by itself.
void FunctionGenerator::emitBreakable(const LoopBody &body, const Range &range,
                                      Location loc) {
  OpBuilder &builder = emitter.builder;
  LoopBounds bounds = boundsOf(range, loc);
  if (!bounds.lower || !bounds.upper || !bounds.step)
    return;
  Value counter;
  auto open = [&](ValueRange initial, SmallVectorImpl<Value> &inside) {
    SmallVector<Value> values = {
        bounds.lower,
        emitter.constant(loc, Object::boolean(true), builder.getI1Type())};
    llvm::append_range(values, initial);
    SmallVector<Type> types(ValueRange(values).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    auto op = scf::WhileOp::create(builder, loc, types, values);
    Block *before = builder.createBlock(&op.getBefore(), {}, types, locs);
    Value isBelow =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                              before->getArgument(0), bounds.upper);
    Value goesOn =
        arith::AndIOp::create(builder, loc, before->getArgument(1), isBelow);
    scf::ConditionOp::create(builder, loc, goesOn, before->getArguments());
    Block *after = builder.createBlock(&op.getAfter(), {}, types, locs);
    counter = after->getArgument(0);
    llvm::append_range(inside, after->getArguments().drop_front(2));
    scope.insert_or_assign(
        body.variable,
        Variable{loopVariable(body.variable, range, counter, loc), loc});
    scope.insert_or_assign(Slot::Kind::Break,
                           Variable{Object::boolean(false), loc});
    return op.getOperation();
  };
  auto emitBody = [&] { emitIteration(body, Loop::Kind::Sequential, loc); };
  auto close = [&](ValueRange carried) {
    Object stops = scope.find(Slot::Kind::Break)->second.object;
    Object goesOn = emitter.unary(loc, ast::UnaryOp::Not, stops);
    Value next =
        emitter.indexBinary(loc, ast::BinaryOp::Add, counter, bounds.step);
    SmallVector<Value> values = {next, emitter.toCondition(loc, goesOn)};
    llvm::append_range(values, carried);
    scf::YieldOp::create(builder, loc, values);
  };
  emitCarried(body, loc, {open, emitBody, close, 2});
}

/// How many statements the statements become when their loops are unrolled, as
/// far as their bounds are plain to see. No more than needed is counted.
uint64_t FunctionGenerator::countUnrolled(Stmts stmts, unsigned depth) {
  auto lookup = [&](StringRef name) -> std::optional<Object> {
    auto found = scope.find(name);
    return found != scope.end() ? found->second.object
                                : function.getEnvironment().lookup(name);
  };
  uint64_t count = 0;
  for (const ast::StmtPtr &stmt : stmts) {
    uint64_t inside = 0, copies = 1;
    forEachBlock(*stmt, [&](Stmts block) {
      inside = llvm::SaturatingAdd(inside, countUnrolled(block, depth + 1));
    });
    const auto *loop = std::get_if<ast::For>(&stmt->node);
    const auto *call =
        loop ? std::get_if<ast::Call>(&loop->iter->node) : nullptr;
    if (call && languagePath(*call->callee) == "unroll" &&
        call->args.size() == 1) {
      Object stop =
          evaluateConstant(*call->args[0], function.getSource(), lookup);
      copies = std::max<int64_t>(1, stop.asInteger().value_or(1));
    }
    count = llvm::SaturatingAdd<uint64_t>(
        count, 1, llvm::SaturatingMultiply(inside, copies));
  }
  return count;
}

void FunctionGenerator::emitUnrolled(const LoopBody &body, const Range &range,
                                     Location loc) {
  std::optional<int64_t> start = range.start.asInteger(),
                         stop = range.stop.asInteger();
  if (!start || !stop || !range.constantStep) {
    fail(loc, "the bounds of unroll() must be known at compile time; use "
              "pl.range");
    return;
  }
  int64_t step = *range.constantStep, copies = 0;
  uint64_t size = countUnrolled(body.stmts);
  Scope before = scope;
  bool ends = false;
  for (int64_t i = *start; !ends && (step > 0 ? i < *stop : i > *stop);
       i += step) {
    if (++copies > maxUnrolled || size > maxStatements) {
      fail(loc, copies > maxUnrolled
                    ? "unroll() makes more than " + llvm::Twine(maxUnrolled) +
                          " copies of the body; use pl.range"
                    : "unroll() makes more than " + llvm::Twine(maxStatements) +
                          " statements; use pl.range");
      break;
    }
    scope.insert_or_assign(body.variable, Variable{Object::integer(i), loc});
    scope.insert_or_assign(Slot::Kind::Break,
                           Variable{Object::boolean(false), loc});
    unsigned numErrors = emitter.reporter.getNumErrors();
    emitIteration(body, Loop::Kind::Unrolled, loc);
    Object stops = scope.find(Slot::Kind::Break)->second.object;
    if (!stops.isNumber())
      fail(loc, "a 'break' in unroll() must depend on values known at compile "
                "time only; use pl.range");
    ends = !stops.isNumber() || isTrue(stops) ||
           emitter.reporter.getNumErrors() != numErrors;
  }
  scope.erase(Slot::Kind::Break);
  auto outerBreak = before.find(Slot::Kind::Break);
  if (outerBreak != before.end())
    scope.insert(*outerBreak);
  leaveLoop(scope, body.variable, loc);
}
