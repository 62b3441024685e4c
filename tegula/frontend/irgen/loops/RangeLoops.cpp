// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/RangeLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/frontend/irgen/loops/CarriedVariables.h"
#include "tegula/frontend/irgen/loops/LoopBodies.h"
#include "tegula/frontend/irgen/loops/LoopRange.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/extents/IterationCount.h"

using namespace tegula;
using namespace mlir;

void RangeLoops::requireIteration(const LoopBounds &bounds, Location loc) {
  Value runs = emitter.builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, bounds.lower, bounds.upper);
  std::string lower = pl::formatIndex(bounds.lower);
  std::string upper = pl::formatIndex(bounds.upper);
  std::string text = lower.empty() || upper.empty()
                         ? "the loop to run, whose last values are read"
                         : lower + " < " + upper;
  require(emitter, loc, {runs, text, pl::derivedOrigin});
}

void RangeLoops::emit(const LoopBody &body, const LoopRange &range,
                      Location loc, EnclosingLoop::Kind kind) {
  OpBuilder &builder = emitter.builder;
  LoopBounds bounds = boundsOf(emitter, range, loc);
  if (!bounds)
    return;
  auto open = [&](ValueRange initial, SmallVectorImpl<Value> &inside) {
    auto op = scf::ForOp::create(builder, loc, bounds.lower, bounds.upper,
                                 bounds.step, initial);
    if (range.stages != 0)
      op->setAttr(pl::stagesAttrName, builder.getI64IntegerAttr(range.stages));
    Block *block = op.getBody();
    if (!block->empty())
      block->back().erase();
    builder.setInsertionPointToEnd(block);
    llvm::append_range(inside, op.getRegionIterArgs());
    scope.insert_or_assign(body.variable,
                           Variable{loopVariable(emitter, body.variable, range,
                                                 op.getInductionVar(), loc),
                                    loc});
    return op.getOperation();
  };
  auto emitBody = [&] { bodies.emit(body, kind, loc); };
  auto close = [&](ValueRange values) {
    scf::YieldOp::create(builder, loc, values);
  };
  auto requireIt = [&] { requireIteration(bounds, loc); };
  LoopShape shape{open, emitBody, close};
  if (!bounds.isEmpty())
    shape.requireIteration = requireIt;
  carried.emit(body, loc, shape);
}

/// The bounds of a loop that counts the iterations of one with these.
static LoopBounds countsOf(Emitter &emitter, const LoopBounds &bounds,
                           Location loc) {
  return {emitter.scalars.index(0),
          pl::buildIterationCount(emitter.builder, loc, bounds.lower,
                                  bounds.upper, bounds.step),
          emitter.scalars.index(1)};
}

/// The variable in the iteration of this number.
static Value valueAt(Emitter &emitter, const LoopBounds &bounds, Value number,
                     Location loc) {
  Value way =
      emitter.scalars.indexBinary(loc, ast::BinaryOp::Mul, number, bounds.step);
  return emitter.scalars.indexBinary(loc, ast::BinaryOp::Add, bounds.lower,
                                     way);
}

void RangeLoops::emitBreakable(const LoopBody &body, const LoopRange &range,
                               Location loc) {
  OpBuilder &builder = emitter.builder;
  LoopBounds bounds = boundsOf(emitter, range, loc);
  if (!bounds)
    return;
  // Near the greatest index iterations are counted: there the variable would
  // wrap around.
  bool isCounted = pl::mayPassGreatest(bounds.upper, bounds.step);
  LoopBounds counts = isCounted ? countsOf(emitter, bounds, loc) : bounds;
  Value counter;
  auto open = [&](ValueRange initial, SmallVectorImpl<Value> &inside) {
    SmallVector<Value> values = {
        counts.lower, emitter.scalars.constant(loc, Object::boolean(true),
                                               builder.getI1Type())};
    llvm::append_range(values, initial);
    SmallVector<Type> types(ValueRange(values).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    auto op = scf::WhileOp::create(builder, loc, types, values);
    Block *before = builder.createBlock(&op.getBefore(), {}, types, locs);
    Value isBelow =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                              before->getArgument(0), counts.upper);
    Value goesOn =
        arith::AndIOp::create(builder, loc, before->getArgument(1), isBelow);
    scf::ConditionOp::create(builder, loc, goesOn, before->getArguments());
    Block *after = builder.createBlock(&op.getAfter(), {}, types, locs);
    counter = after->getArgument(0);
    llvm::append_range(inside, after->getArguments().drop_front(2));
    scope.insert_or_assign(
        body.variable,
        Variable{loopVariable(emitter, body.variable, range,
                              isCounted ? valueAt(emitter, bounds, counter, loc)
                                        : counter,
                              loc),
                 loc});
    scope.insert_or_assign(Slot::Kind::Break,
                           Variable{Object::boolean(false), loc});
    return op.getOperation();
  };
  auto emitBody = [&] {
    bodies.emit(body, EnclosingLoop::Kind::Sequential, loc);
  };
  auto close = [&](ValueRange following) {
    Object stops = scope.find(Slot::Kind::Break)->second.object;
    Object goesOn = emitter.operators.unary(loc, ast::UnaryOp::Not, stops);
    Value next = emitter.scalars.indexBinary(loc, ast::BinaryOp::Add, counter,
                                             counts.step);
    SmallVector<Value> values = {next,
                                 emitter.scalars.toCondition(loc, goesOn)};
    llvm::append_range(values, following);
    scf::YieldOp::create(builder, loc, values);
  };
  auto requireIt = [&] { requireIteration(bounds, loc); };
  LoopShape shape{open, emitBody, close, 2};
  if (!bounds.isEmpty())
    shape.requireIteration = requireIt;
  carried.emit(body, loc, shape);
}
