// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/WhileLoops.h"
#include "mlir/IR/IRMapping.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/loops/CarriedVariables.h"
#include "tegula/frontend/irgen/loops/HeadValues.h"
#include "tegula/frontend/irgen/loops/LoopBodies.h"
#include "tegula/frontend/irgen/statements/Branches.h"

using namespace tegula;
using namespace mlir;

/// True if control may leave a `while` from inside its body.
static bool isLeftEarly(Stmts body) {
  Jumps jumps = jumpsOf(body);
  return jumps.hasBreak || jumps.hasReturn;
}

/// `object` with some values replaced by others.
static Object replaced(const Object &object, const IRMapping &values) {
  if (const auto *tuple = object.asTuple()) {
    std::vector<Object> elements;
    for (const Object &element : *tuple)
      elements.push_back(replaced(element, values));
    return Object::tuple(std::move(elements));
  }
  Value value = object.asValue();
  Value other = value ? values.lookupOrNull(value) : Value();
  if (!other)
    return object;
  return Object(ValueObject{other, object.as<ValueObject>()->isWeak});
}

void WhileLoops::emit(const ast::While &node, const ast::Stmt &stmt) {
  Location loc = locate(stmt.loc);
  if (!node.orelse.empty())
    fail(loc, "'else' of a loop is not supported; use a flag set by the loop");
  if (jumpsOf(node.body).hasReturn)
    scope.insert_or_assign(Slot::Kind::Returned,
                           Variable{Object::boolean(false), loc});
  LoopBody body{node.body, ""};
  body.loop = &stmt;
  emitLoop(*node.condition, body, loc);
}

void WhileLoops::emitWhileIterator(LoopBody body, Location loc) {
  const auto *first =
      body.stmts.empty()
          ? nullptr
          : std::get_if<ast::ExprStmt>(&body.stmts.front()->node);
  const auto *call =
      first ? std::get_if<ast::Call>(&first->value->node) : nullptr;
  if (!call || state.calleeConstruct(*call->callee) != Construct::Condition) {
    fail(loc, "the body of pl.while_ begins with pl.cond(...), the condition "
              "under which it runs again");
    return;
  }
  if (call->args.size() != 1 || !call->keywords.empty()) {
    fail(locate(*first->value), "cond() takes one condition");
    return;
  }
  body.stmts = body.stmts.drop_front();
  emitLoop(*call->args.front(), body, loc);
}

void WhileLoops::emitLoop(const ast::Expr &condition, const LoopBody &body,
                          Location loc) {
  OpBuilder &builder = emitter.builder;
  // Whether to go on goes around in front of the variables.
  unsigned numFlags = isLeftEarly(body.stmts) ? 1 : 0;
  scf::WhileOp op;
  auto open = [&](ValueRange initial, SmallVectorImpl<Value> &inside) {
    SmallVector<Value> values;
    if (numFlags)
      values.push_back(emitter.scalars.constant(loc, Object::boolean(true),
                                                builder.getI1Type()));
    llvm::append_range(values, initial);
    SmallVector<Type> types(ValueRange(values).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    op = scf::WhileOp::create(builder, loc, types, values);
    Block *before = builder.createBlock(&op.getBefore(), {}, types, locs);
    llvm::append_range(inside, before->getArguments().drop_front(numFlags));
    return op.getOperation();
  };
  auto emitIteration = [&] { emitBody(condition, body, op, loc); };
  auto close = [&](ValueRange next) {
    SmallVector<Value> values;
    if (numFlags) {
      Object stops = scope.find(Slot::Kind::Break)->second.object;
      Object goesOn = emitter.operators.unary(loc, ast::UnaryOp::Not, stops);
      values.push_back(emitter.scalars.toCondition(loc, goesOn));
    }
    llvm::append_range(values, next);
    scf::YieldOp::create(builder, loc, values);
  };
  auto requireIt = [&] { requireIteration(condition, loc); };
  LoopShape shape{open, emitIteration, close, numFlags};
  // What the head names is known inside only.
  if (!body.carries.yield)
    shape.requireIteration = requireIt;
  carried.emit(body, loc, shape);
}

void WhileLoops::requireIteration(const ast::Expr &condition, Location loc) {
  Object object = expressions.evaluateCondition(condition);
  Value runs = emitter.scalars.toCondition(locate(condition), object);
  if (runs)
    require(emitter, loc,
            {runs, "the loop to run, whose last values are read",
             pl::derivedOrigin});
}

/// The condition of a `while` as i1, or null after a mistake. With `flag` it is
/// evaluated only if that is true.
Value WhileLoops::emitCondition(const ast::Expr &expr, Value flag,
                                Location loc) {
  auto check = [&] {
    return emitter.scalars.toCondition(locate(expr),
                                       expressions.evaluateCondition(expr));
  };
  if (!flag)
    return check();
  Object condition = branches.choose(
      flag,
      [&] {
        Value value = check();
        return Variable{value ? Object(value) : Object::poison(), loc};
      },
      [&] { return Variable{Object::boolean(false), loc}; }, loc);
  return emitter.scalars.toCondition(loc, condition);
}

/// After the condition the body sees the same variables under the names of its
/// own block.
void WhileLoops::emitBody(const ast::Expr &condition, const LoopBody &body,
                          scf::WhileOp op, Location loc) {
  OpBuilder &builder = emitter.builder;
  Block *before = &op.getBefore().front();
  Value flag = isLeftEarly(body.stmts) ? before->getArgument(0) : Value();
  headValues.enterIteration(body);
  Value goesOn = emitCondition(condition, flag, loc);
  if (!goesOn)
    goesOn = emitter.scalars.constant(loc, Object::boolean(true),
                                      builder.getI1Type());
  scf::ConditionOp::create(builder, loc, goesOn, before->getArguments());
  SmallVector<Type> types(before->getArgumentTypes());
  SmallVector<Location> locs(types.size(), loc);
  Block *after = builder.createBlock(&op.getAfter(), {}, types, locs);
  IRMapping values;
  values.map(before->getArguments(), after->getArguments());
  for (auto stated : before->getOps<pl::WithExtentsOp>()) {
    if (!values.contains(stated.getSource()))
      continue;
    // The bound of an extent is shown by a minimum.
    for (Value extent : stated.getExtents())
      if (Operation *op = extent.getDefiningOp();
          op && op->getBlock() == before && !values.contains(extent))
        builder.clone(*op, values);
    builder.clone(*stated, values);
  }
  for (auto &[slot, variable] : scope)
    variable.object = replaced(variable.object, values);
  scope.insert_or_assign(Slot::Kind::Break,
                         Variable{Object::boolean(false), loc});
  bodies.emit(body, EnclosingLoop::Kind::Sequential, loc);
}
