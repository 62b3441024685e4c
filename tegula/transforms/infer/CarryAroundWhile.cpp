// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// while (a = init) { condition a } do (b) { ... yield c }  ->
// store init, m; while { condition } do { b = load m; ...; store c, m }; load m

#include "tegula/transforms/memory/CarriedTiles.h"
#include "tegula/transforms/memory/TileMemory.h"

using namespace mlir;
using namespace tegula;

namespace {

/// One loop. What its condition hands on is mostly what came in, and stays
/// where it is.
class WhileCarrier {
public:
  explicit WhileCarrier(scf::WhileOp loop);
  void run();

private:
  void enter();
  void handOn(unsigned position);
  void endIteration();
  void beginIteration();

  scf::WhileOp loop;
  scf::ConditionOp condition;
  scf::YieldOp yield;
  /// The names of extents in the condition, in the body and after the loop.
  DenseMap<Value, Value> before, inside, after;
  SmallVector<CarriedTile> carried;
  /// Those with memory, by what the condition sees.
  DenseMap<Value, unsigned> carriedIndex;
  /// Which of the values that the condition hands on stay where they are.
  SmallVector<unsigned> handedThrough;
};

} // namespace

WhileCarrier::WhileCarrier(scf::WhileOp loop)
    : loop(loop), condition(loop.getConditionOp()), yield(loop.getYieldOp()) {
  for (Value argument : loop.getBeforeArguments())
    before[argument] = argument;
  for (auto [handed, argument, result] : llvm::zip(
           condition.getArgs(), loop.getAfterArguments(), loop.getResults())) {
    if (before.count(handed))
      before[argument] = before[result] = handed;
    inside[handed] = argument;
    after[handed] = result;
  }
}

void WhileCarrier::enter() {
  for (auto [position, init] : llvm::enumerate(loop.getInits())) {
    if (!pl::isUnboundedTile(init))
      continue;
    Value argument = loop.getBeforeArguments()[position];
    SmallVector<Value> sides = {argument};
    for (Value handed : condition.getArgs())
      if (behindExtents(handed) == argument)
        sides.append({inside[handed], after[handed]});
    CarriedTile carriedTile = enterLoop(loop, loop.getInitsMutable()[position],
                                        position, sides, before);
    if (carriedTile.memory)
      carriedIndex[argument] = carried.size();
    carried.push_back(carriedTile);
  }
}

/// What is handed on lies with what came in, or in memory of its own.
void WhileCarrier::handOn(unsigned position) {
  Value handed = condition.getArgs()[position];
  Value argument = loop.getAfterArguments()[position];
  Value result = loop.getResult(position);
  OpBuilder start = OpBuilder::atBlockBegin(loop.getAfterBody());
  OpBuilder end(loop);
  end.setInsertionPointAfter(loop);
  auto found = carriedIndex.find(behindExtents(handed));
  std::optional<SmallVector<Value>> own, out;
  if (found != carriedIndex.end()) {
    own = renamed(loop, carried[found->second].extents, inside);
    out = renamed(loop, carried[found->second].extents, after);
  }
  if (own && out) {
    becomeLoad(argument, carried[found->second].memory, *own, start);
    becomeLoad(result, carried[found->second].memory, *out, end);
    handedThrough.push_back(position);
    return;
  }
  OpBuilder builder(condition);
  condition->setOperand(position + 1, inMemory(builder, loop.getLoc(), handed));
  becomeView(argument, start);
  becomeView(result, end);
}

void WhileCarrier::endIteration() {
  OpBuilder builder(yield);
  for (const CarriedTile &carriedTile : carried) {
    Value next = yield.getOperand(carriedTile.position);
    if (carriedTile.memory)
      pl::StoreOp::create(builder, loop.getLoc(), next, carriedTile.memory);
    else
      yield.setOperand(carriedTile.position,
                       inMemory(builder, loop.getLoc(), next));
  }
}

void WhileCarrier::beginIteration() {
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBeforeBody());
  for (const CarriedTile &carriedTile : carried) {
    Value argument = loop.getBeforeArguments()[carriedTile.position];
    if (!carriedTile.memory) {
      becomeView(argument, builder);
      continue;
    }
    becomeLoad(argument, carriedTile.memory, carriedTile.extents, builder);
    yield.setOperand(carriedTile.position,
                     loop.getInits()[carriedTile.position]);
  }
}

void WhileCarrier::run() {
  enter();
  for (auto [position, argument] : llvm::enumerate(loop.getAfterArguments()))
    if (pl::isUnboundedTile(argument))
      handOn(position);
  endIteration();
  beginIteration();
  // With nothing but a first value going around, the place disappears.
  for (unsigned position : handedThrough) {
    Type type = loop.getResult(position).getType();
    Value any = *llvm::find_if(
        loop.getInits(), [&](Value init) { return init.getType() == type; });
    condition->setOperand(position + 1, any);
  }
}

void tegula::carryInMemory(scf::WhileOp loop) { WhileCarrier(loop).run(); }
