// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/rows/LoopReductions.h"

#include "tegula/ir/ops/semantics/Reduction.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

/// Ops that give elements another shape, and nothing else; of windows, and of
/// what is inserted, the search for rows sees that they are all of a tile.
static bool isShapeOp(Operation *op) {
  return isa_and_nonnull<pl::RelaxOp, pl::ReshapeOp, pl::TransposeOp,
                         pl::BroadcastOp, pl::WithExtentsOp, pl::WindowOp,
                         pl::InsertOp>(op);
}

static Value strip(Value value) {
  while (isShapeOp(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

Operation *LoopReductions::findMaker(Value value) const {
  Operation *maker = strip(value).getDefiningOp();
  return maker && maker->getParentOp() == loop ? maker : nullptr;
}

std::optional<unsigned> LoopReductions::findCarried(Value value) const {
  auto argument = dyn_cast<BlockArgument>(strip(value));
  if (!argument || argument.getOwner() != loop.getBody() ||
      argument == loop.getInductionVar())
    return std::nullopt;
  return argument.getArgNumber() - loop.getNumInductionVars();
}

/// The operands of an op, both ways round.
static std::array<std::pair<Value, Value>, 2> bothWays(Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  return {std::pair(lhs, rhs), std::pair(rhs, lhs)};
}

/// acc = combine(acc, reduce(part))
bool LoopReductions::matchCombination(unsigned position) {
  Operation *made = findMaker(loop.getYieldedValues()[position]);
  if (!made || made->getNumOperands() != 2)
    return false;
  for (auto [carried, part] : bothWays(made)) {
    auto reduce = dyn_cast_or_null<pl::ReduceOp>(findMaker(part));
    if (!reduce || findCarried(carried) != position ||
        !pl::isCombination(made, reduce.getReduction()))
      continue;
    combinations[position] = made;
    sources[position] = reduce.getSource();
    steps.insert({made, reduce});
    parts.push_back(reduce.getSource());
    return true;
  }
  return false;
}

static bool isFinite(Value tile) {
  auto full = strip(tile).getDefiningOp<pl::FullOp>();
  FloatAttr number;
  return full && matchPattern(full.getValue(), m_Constant(&number)) &&
         number.getValue().isFinite();
}

/// exp(part - newM)
bool LoopReductions::isShifted(Value tile) {
  auto power = dyn_cast_or_null<pl::ExpOp>(findMaker(tile));
  auto difference = dyn_cast_or_null<pl::SubOp>(
      power ? findMaker(power->getOperand(0)) : nullptr);
  Operation *shift =
      difference ? findMaker(difference->getOperand(1)) : nullptr;
  for (auto [position, made] : combinations)
    if (shift && made == shift && isFinite(loop.getInitArgs()[position]) &&
        strip(difference->getOperand(0)) == strip(sources.lookup(position)) &&
        (pl::isCombination(made, pl::Reduction::Max) ||
         pl::isCombination(made, pl::Reduction::NanMax))) {
      maximum = position;
      steps.insert({power, difference});
      parts.push_back(difference->getOperand(0));
      return true;
    }
  return false;
}

/// exp(m - newM)
bool LoopReductions::isRescaling(Value factor) {
  auto power = dyn_cast_or_null<pl::ExpOp>(findMaker(factor));
  auto difference = dyn_cast_or_null<pl::SubOp>(
      power ? findMaker(power->getOperand(0)) : nullptr);
  if (!difference || findCarried(difference->getOperand(0)) != maximum ||
      findMaker(difference->getOperand(1)) != combinations.lookup(*maximum))
    return false;
  steps.insert({power, difference});
  return true;
}

/// acc = acc * exp(m - newM) + sum(exp(part - newM))
bool LoopReductions::matchRescaled(unsigned position) {
  Operation *made = findMaker(loop.getYieldedValues()[position]);
  if (!isa_and_nonnull<pl::AddOp>(made))
    return false;
  for (auto [before, part] : bothWays(made)) {
    auto reduce = dyn_cast_or_null<pl::ReduceOp>(findMaker(part));
    auto product = dyn_cast_or_null<pl::MulOp>(findMaker(before));
    if (!reduce || !product || reduce.getReduction() != pl::Reduction::Sum ||
        !isShifted(reduce.getSource()))
      continue;
    for (auto [carried, factor] : bothWays(product))
      if (findCarried(carried) == position && isRescaling(factor)) {
        steps.insert({made, reduce, product});
        return true;
      }
  }
  return false;
}

bool LoopReductions::isKnownUser(Operation *user) const {
  if (isShapeOp(user))
    return llvm::all_of(user->getUsers(),
                        [&](Operation *next) { return isKnownUser(next); });
  // What is yielded has been looked at. Extents are those of the iteration.
  return steps.contains(user) || user == loop.getBody()->getTerminator() ||
         isa<pl::DimOp>(user);
}

bool LoopReductions::hasOnlyKnownUses() const {
  auto isKnown = [&](Operation *user) { return isKnownUser(user); };
  for (BlockArgument carried : loop.getRegionIterArgs())
    if (!llvm::all_of(carried.getUsers(), isKnown))
      return false;
  for (Operation *step : steps)
    if (!llvm::all_of(step->getUsers(), isKnown))
      return false;
  return llvm::none_of(parts, [&](Value part) {
    return findCarried(part) || steps.contains(findMaker(part));
  });
}

std::optional<LoopReductions> LoopReductions::find(scf::ForOp loop) {
  LoopReductions sums(loop);
  SmallVector<unsigned> others;
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    if (!sums.matchCombination(i))
      others.push_back(i);
  for (unsigned i : others)
    if (!sums.matchRescaled(i))
      return std::nullopt;
  if (!sums.hasOnlyKnownUses())
    return std::nullopt;
  return sums;
}
