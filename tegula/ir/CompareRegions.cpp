// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops, branches and regions of two programs.
#include "tegula/ir/DescribeValue.h"
#include "tegula/ir/ProgramWalk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>

using namespace mlir;
using namespace tegula::pl;

/// More values than this that go around a loop are compared in their order
/// only.
static constexpr unsigned maxPermuted = 6;

/// Finds for each position of `first` one of `second` that holds equal values
/// in every list.
bool ProgramWalk::matchOrder(ArrayRef<ValueRange> first,
                             ArrayRef<ValueRange> second,
                             SmallVectorImpl<unsigned> &order,
                             Operation *firstUser, Operation *secondUser) {
  unsigned count = first.front().size();
  llvm::SmallDenseSet<unsigned> taken;
  for (unsigned i = 0; i < count; ++i) {
    auto fits = [&](unsigned j) {
      if (taken.contains(j))
        return false;
      for (auto [left, right] : llvm::zip(first, second))
        if (left[i].getType() != right[j].getType() ||
            !isEqual(left[i], right[j]))
          return false;
      return true;
    };
    unsigned found = 0;
    while (found < count && !fits(found))
      ++found;
    if (found == count) {
      for (auto [left, right] : llvm::zip(first, second))
        if (!compareValues(left[i], right[i], firstUser, secondUser))
          return false;
      return differ("the values that " + firstUser->getName().getStringRef() +
                        " hands on are paired differently",
                    firstUser->getLoc(), secondUser->getLoc());
    }
    taken.insert(found);
    order.push_back(found);
  }
  return true;
}

bool ProgramWalk::compareInOrder(ValueRange first, ValueRange second,
                                 ArrayRef<unsigned> order, Operation *firstUser,
                                 Operation *secondUser) {
  for (auto [i, j] : llvm::enumerate(order)) {
    if (first[i].getType() != second[j].getType())
      return differ("the type of a value carried by a loop",
                    textOf(first[i].getType()), textOf(second[j].getType()),
                    locationOf(first[i], firstUser),
                    locationOf(second[j], secondUser));
    if (!compareValues(first[i], second[j], firstUser, secondUser))
      return false;
  }
  return true;
}

bool ProgramWalk::compareFor(scf::ForOp first, scf::ForOp second,
                             ArrayRef<unsigned> order) {
  if (!compareInOrder(first.getInitArgs(), second.getInitArgs(), order, first,
                      second))
    return false;
  equal.insert({first.getInductionVar(), second.getInductionVar()});
  for (auto [i, j] : llvm::enumerate(order)) {
    equal.insert({first.getRegionIterArg(i), second.getRegionIterArg(j)});
    equal.insert({first.getResult(i), second.getResult(j)});
  }
  return compareBodies(*first.getBody(), *second.getBody()) &&
         compareInOrder(first.getYieldedValues(), second.getYieldedValues(),
                        order, first.getBody()->getTerminator(),
                        second.getBody()->getTerminator());
}

bool ProgramWalk::compareWhile(scf::WhileOp first, scf::WhileOp second,
                               ArrayRef<unsigned> order) {
  if (!compareInOrder(first.getInits(), second.getInits(), order, first,
                      second))
    return false;
  for (auto [i, j] : llvm::enumerate(order))
    equal.insert(
        {first.getBeforeArguments()[i], second.getBeforeArguments()[j]});
  scf::ConditionOp left = first.getConditionOp(),
                   right = second.getConditionOp();
  if (!compareBodies(*first.getBeforeBody(), *second.getBeforeBody()) ||
      !compareValues(left.getCondition(), right.getCondition(), left, right))
    return false;
  if (left.getArgs().size() != right.getArgs().size())
    return differ("the number of values a loop gives",
                  std::to_string(left.getArgs().size()),
                  std::to_string(right.getArgs().size()), first.getLoc(),
                  second.getLoc());
  SmallVector<unsigned> inside;
  if (!left.getArgs().empty() &&
      !matchOrder({left.getArgs()}, {right.getArgs()}, inside, left, right))
    return false;
  for (auto [i, j] : llvm::enumerate(inside)) {
    equal.insert({first.getAfterArguments()[i], second.getAfterArguments()[j]});
    equal.insert({first.getResult(i), second.getResult(j)});
  }
  scf::YieldOp firstYield = first.getYieldOp(),
               secondYield = second.getYieldOp();
  return compareBodies(*first.getAfterBody(), *second.getAfterBody()) &&
         compareInOrder(firstYield.getOperands(), secondYield.getOperands(),
                        order, firstYield, secondYield);
}

/// The values that go around a loop have no order of their own: the front end
/// takes that of the names. All orders that fit are tried.
bool ProgramWalk::compareCarried(Operation *first, Operation *second,
                                 OperandRange firstInits,
                                 OperandRange secondInits) {
  if (firstInits.size() != secondInits.size())
    return differ("the number of values carried by a loop",
                  std::to_string(firstInits.size()),
                  std::to_string(secondInits.size()), first->getLoc(),
                  second->getLoc());
  auto compareAs = [&](ArrayRef<unsigned> order) {
    if (auto loop = dyn_cast<scf::ForOp>(first))
      return compareFor(loop, cast<scf::ForOp>(second), order);
    return compareWhile(cast<scf::WhileOp>(first), cast<scf::WhileOp>(second),
                        order);
  };
  for (unsigned i = 0; i < first->getNumOperands() - firstInits.size(); ++i)
    if (!compareValues(first->getOperand(i), second->getOperand(i), first,
                       second))
      return false;
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, firstInits.size()));
  std::optional<Difference> before = difference;
  llvm::DenseSet<Pair> known = equal;
  unsigned numCarried = firstInits.size();
  do {
    if (compareAs(order)) {
      difference = before;
      return true;
    }
    equal = known;
  } while (numCarried > 1 && numCarried <= maxPermuted &&
           std::next_permutation(order.begin(), order.end()));
  return false;
}

static SmallVector<unsigned> usedResults(Operation *op) {
  SmallVector<unsigned> used;
  for (OpResult result : op->getResults())
    if (!result.use_empty())
      used.push_back(result.getResultNumber());
  return used;
}

static SmallVector<Value> yieldedAt(Block &block,
                                    ArrayRef<unsigned> positions) {
  SmallVector<Value> values;
  for (unsigned position : positions)
    values.push_back(block.getTerminator()->getOperand(position));
  return values;
}

bool ProgramWalk::compareRegions(Operation *first, Operation *second) {
  if (auto loop = dyn_cast<scf::ForOp>(first))
    return compareCarried(first, second, loop.getInitArgs(),
                          cast<scf::ForOp>(second).getInitArgs());
  if (auto loop = dyn_cast<scf::WhileOp>(first))
    return compareCarried(first, second, loop.getInits(),
                          cast<scf::WhileOp>(second).getInits());
  // What a branch or a region hands out has no order of its own, and what
  // nobody takes does not count.
  SmallVector<unsigned> firstUsed = usedResults(first);
  SmallVector<unsigned> secondUsed = usedResults(second);
  if (firstUsed.size() != secondUsed.size())
    return differ("the number of values that " +
                      first->getName().getStringRef().str() + " gives",
                  std::to_string(firstUsed.size()),
                  std::to_string(secondUsed.size()), first->getLoc(),
                  second->getLoc());
  if (!compareAttributes(first, second) || !compareOperands(first, second))
    return false;
  SmallVector<SmallVector<Value>> left, right;
  for (auto [one, other] :
       llvm::zip(first->getRegions(), second->getRegions())) {
    if (one.empty() != other.empty())
      return differ("there is an 'else' in one and none in the other",
                    first->getLoc(), second->getLoc());
    if (one.empty())
      continue;
    mark(one.getArguments(), other.getArguments());
    if (!compareBodies(one.front(), other.front()))
      return false;
    left.push_back(yieldedAt(one.front(), firstUsed));
    right.push_back(yieldedAt(other.front(), secondUsed));
  }
  SmallVector<unsigned> order;
  if (!left.empty() &&
      !matchOrder(SmallVector<ValueRange>(left.begin(), left.end()),
                  SmallVector<ValueRange>(right.begin(), right.end()), order,
                  first, second))
    return false;
  for (auto [i, j] : llvm::enumerate(order))
    equal.insert(
        {first->getResult(firstUsed[i]), second->getResult(secondUsed[j])});
  return true;
}
