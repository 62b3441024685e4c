// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/DescribeValue.h"
#include "tegula/ir/ProgramWalk.h"
#include "tegula/ir/extents/IndexRange.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tegula::pl;

/// True for ops that are compared where they are used, wherever they stand:
/// they do nothing but give a value.
static bool isExpression(Operation *op) {
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  return isMemoryEffectFree(op) || hasSingleEffect<MemoryEffects::Read>(op);
}

/// max(x, 0) and min(x, x) are x where that can be proved. Whether an extent
/// was simplified so far depends on where it was built: in a helper less is
/// known.
static Value settled(Value value) {
  while (true) {
    auto most = value.getDefiningOp<arith::MaxSIOp>();
    auto least = value.getDefiningOp<arith::MinSIOp>();
    if (least && settled(least.getLhs()) == settled(least.getRhs())) {
      value = least.getLhs();
      continue;
    }
    if (!most || !matchPattern(most.getRhs(), m_Zero()))
      return value;
    if (!isNonNegative(most.getLhs()))
      return value;
    value = most.getLhs();
  }
}

/// True for attributes that only tell the author's words.
static bool isWording(Operation *op, StringRef name) {
  return (isa<RequireOp>(op) && (name == "text" || name == "names")) ||
         (isa<AssertOp>(op) && name == "function");
}

static bool mayWrite(Operation *op) {
  bool writes = false;
  op->walk([&](Operation *inner) {
    if (!inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
        !isExpression(inner) && !isMemoryEffectFree(inner))
      writes = true;
  });
  return writes;
}

static StringRef directionOf(func::FuncOp function, unsigned position) {
  auto direction =
      function.getArgAttrOfType<DirectionAttr>(position, directionAttrName);
  return direction ? stringifyDirection(direction.getValue()) : "in";
}

bool ProgramWalk::compareParameters(func::FuncOp first, func::FuncOp second) {
  if (first.getNumArguments() != second.getNumArguments())
    return differ("the number of parameters",
                  std::to_string(first.getNumArguments()),
                  std::to_string(second.getNumArguments()), first.getLoc(),
                  second.getLoc());
  for (unsigned i = 0; i < first.getNumArguments(); ++i) {
    auto left = first.getArgAttrOfType<StringAttr>(i, nameAttrName);
    auto right = second.getArgAttrOfType<StringAttr>(i, nameAttrName);
    std::string what = left ? "parameter '" + left.str() + "'"
                            : "parameter " + std::to_string(i);
    Location leftLoc = locationOf(first.getArgument(i), first);
    Location rightLoc = locationOf(second.getArgument(i), second);
    if (left != right)
      return differ("the name of parameter " + std::to_string(i),
                    left ? left.str() : "missing",
                    right ? right.str() : "missing", leftLoc, rightLoc);
    if (directionOf(first, i) != directionOf(second, i))
      return differ("the direction of " + what, directionOf(first, i),
                    directionOf(second, i), leftLoc, rightLoc);
  }
  return true;
}

bool ProgramWalk::compareFunctions(func::FuncOp first, func::FuncOp second,
                                   bool isEntry) {
  if (!functions.insert({first, second}).second)
    return true;
  if (isEntry && !compareParameters(first, second))
    return false;
  for (unsigned i = 0;
       i < std::min(first.getNumArguments(), second.getNumArguments()); ++i)
    if (Type left = first.getArgument(i).getType(),
        right = second.getArgument(i).getType();
        left != right)
      return differ("the type of " + describeValue(first.getArgument(i)),
                    textOf(left), textOf(right),
                    locationOf(first.getArgument(i), first),
                    locationOf(second.getArgument(i), second));
  if (first.getFunctionType() != second.getFunctionType())
    return differ("the type of the function", textOf(first.getFunctionType()),
                  textOf(second.getFunctionType()), first.getLoc(),
                  second.getLoc());
  Attribute left = first->getAttr(kindAttrName),
            right = second->getAttr(kindAttrName);
  if (left != right)
    return differ("the kind of the function", left ? textOf(left) : "missing",
                  right ? textOf(right) : "missing", first.getLoc(),
                  second.getLoc());
  if (first.isExternal() || second.isExternal())
    return first.isExternal() == second.isExternal() ||
           differ("the body of a function is missing in one of them",
                  first.getLoc(), second.getLoc());
  mark(first.getArguments(), second.getArguments());
  return compareBodies(first.front(), second.front()) &&
         compareOperands(first.front().getTerminator(),
                         second.front().getTerminator());
}

/// The ops of a block that are compared in their order, without the one that
/// ends it.
static SmallVector<Operation *>
findStatements(Block &block, DenseMap<Operation *, unsigned> &epochs) {
  SmallVector<Operation *> statements;
  unsigned numWrites = 0;
  for (Operation &op : block) {
    epochs[&op] = numWrites;
    if (isExpression(&op) || op.hasTrait<OpTrait::IsTerminator>())
      continue;
    statements.push_back(&op);
    numWrites += mayWrite(&op);
  }
  return statements;
}

bool ProgramWalk::compareBodies(Block &first, Block &second) {
  blocks[&first] = &second;
  SmallVector<Operation *> left = findStatements(first, epochs);
  SmallVector<Operation *> right = findStatements(second, epochs);
  for (auto [one, other] : llvm::zip(left, right))
    if (!compareStatements(one, other))
      return false;
  if (left.size() == right.size())
    return true;
  bool isFirst = left.size() > right.size();
  Operation *more = isFirst ? left[right.size()] : right[left.size()];
  return differ(
      (isFirst ? "the first goes on with " : "the second goes on with ") +
          more->getName().getStringRef() +
          (isFirst ? ", the second ends here" : ", the first ends here"),
      isFirst ? more->getLoc() : first.getTerminator()->getLoc(),
      isFirst ? second.getTerminator()->getLoc() : more->getLoc());
}

/// What is said of tasks and memories, and of what may run at once, is no
/// meaning.
static bool isPlacement(StringRef name) {
  return name == "task" || name == "independent" || name == spaceAttrName ||
         name == atomicAttrName;
}

bool ProgramWalk::compareAttributes(Operation *first, Operation *second) {
  for (NamedAttribute entry : first->getAttrDictionary()) {
    StringRef name = entry.getName();
    if ((name == "callee" && isa<func::CallOp>(first)) || isPlacement(name) ||
        isWording(first, name))
      continue;
    Attribute other = second->getAttr(name);
    if (entry.getValue() == other)
      continue;
    std::string what =
        "'" + name.str() + "' of " + first->getName().getStringRef().str();
    if (isa<BindOp>(first) && name == "symbol")
      what = "the symbol of an extent";
    return differ(isa<BindOp>(first) && name != "symbol"
                      ? "the axes of symbol " +
                            cast<BindOp>(first).getSymbol().str()
                      : what,
                  textOf(entry.getValue()), other ? textOf(other) : "missing",
                  first->getLoc(), second->getLoc());
  }
  auto countAttributes = [](Operation *op) {
    return llvm::count_if(op->getAttrDictionary(), [](NamedAttribute entry) {
      return !isPlacement(entry.getName());
    });
  };
  if (countAttributes(first) == countAttributes(second))
    return true;
  return differ("the attributes of " + first->getName().getStringRef().str(),
                textOf(first->getAttrDictionary()),
                textOf(second->getAttrDictionary()), first->getLoc(),
                second->getLoc());
}

/// What an op is by itself: everything but its operands and regions.
bool ProgramWalk::compareSelf(Operation *first, Operation *second) {
  if (OperationEquivalence::isEquivalentTo(
          first, second, OperationEquivalence::ignoreValueEquivalence, nullptr,
          OperationEquivalence::IgnoreLocations))
    return true;
  Location left = first->getLoc(), right = second->getLoc();
  if (first->getName() != second->getName()) {
    auto nameOf = [](Operation *op) {
      return op->getNumResults() == 1 ? describeValue(op->getResult(0))
                                      : op->getName().getStringRef().str();
    };
    return differ("", nameOf(first), nameOf(second), left, right);
  }
  std::string name = first->getName().getStringRef().str();
  if (!compareAttributes(first, second))
    return false;
  if (first->getNumOperands() != second->getNumOperands())
    return differ("the number of operands of " + name,
                  std::to_string(first->getNumOperands()),
                  std::to_string(second->getNumOperands()), left, right);
  if (first->getNumResults() != second->getNumResults())
    return differ("the number of results of " + name,
                  std::to_string(first->getNumResults()),
                  std::to_string(second->getNumResults()), left, right);
  // The types of loops and branches are compared value by value, in an order
  // that is found then.
  if (first->getNumRegions() != 0)
    return true;
  for (auto [one, other] :
       llvm::zip(first->getResultTypes(), second->getResultTypes()))
    if (one != other)
      return differ("what " + name + " gives", textOf(one), textOf(other), left,
                    right);
  return true;
}

/// Tiles, and what is read from memory, must be made at the same point of the
/// program; sizes and views may be made earlier.
bool ProgramWalk::compareLocations(Operation *first, Operation *second) {
  bool reads = !isMemoryEffectFree(first);
  bool isTile = llvm::any_of(first->getResultTypes(),
                             [](Type type) { return isa<TileType>(type); });
  if (!reads && !isTile)
    return true;
  if (blocks.lookup(first->getBlock()) != second->getBlock())
    return differ(first->getName().getStringRef() +
                      " stands inside a loop, a branch or a region in one and "
                      "outside in the other",
                  first->getLoc(), second->getLoc());
  if (reads && epochs.lookup(first) != epochs.lookup(second))
    return differ(first->getName().getStringRef() +
                      " reads before a write in one and after it in the other",
                  first->getLoc(), second->getLoc());
  return true;
}

/// Compares what gives two values. Chains of ops may be long, so operands wait
/// on a stack.
bool ProgramWalk::compareValues(Value first, Value second, Operation *firstUser,
                                Operation *secondUser) {
  struct Task {
    Value first, second;
    Operation *firstUser, *secondUser;
  };
  SmallVector<Task> tasks = {
      {settled(first), settled(second), firstUser, secondUser}};
  while (!tasks.empty()) {
    Task task = tasks.back();
    if (equal.contains({task.first, task.second})) {
      tasks.pop_back();
      continue;
    }
    Operation *left = task.first.getDefiningOp();
    Operation *right = task.second.getDefiningOp();
    bool areExpressions =
        left && right && isExpression(left) && isExpression(right);
    if (!areExpressions) {
      std::string one = describeValue(task.first);
      std::string other = describeValue(task.second);
      return differ("", one, one == other ? "another one" : other,
                    locationOf(task.first, task.firstUser),
                    locationOf(task.second, task.secondUser));
    }
    bool isMet = true;
    // The first operand is looked at first.
    if (left->getName() == right->getName() &&
        left->getNumOperands() == right->getNumOperands())
      for (unsigned i = left->getNumOperands(); i-- > 0;)
        if (Value one = settled(left->getOperand(i)),
            other = settled(right->getOperand(i));
            !equal.contains({one, other})) {
          tasks.push_back({one, other, left, right});
          isMet = false;
        }
    if (!isMet)
      continue;
    Attribute constant = left->getAttr("value"),
              other = right->getAttr("value");
    if (left->getNumOperands() == 0 && constant && other && constant != other)
      return differ("a constant", textOf(constant), textOf(other),
                    locationOf(task.first, task.firstUser),
                    locationOf(task.second, task.secondUser));
    if (!compareSelf(left, right) || !compareLocations(left, right))
      return false;
    mark(left->getResults(), right->getResults());
  }
  return true;
}

/// The same without a message.
bool ProgramWalk::isEqual(Value first, Value second) {
  std::optional<Difference> before = difference;
  bool isSame = compareValues(first, second, nullptr, nullptr);
  difference = before;
  return isSame;
}

bool ProgramWalk::compareOperands(Operation *first, Operation *second) {
  for (auto [left, right] :
       llvm::zip(first->getOperands(), second->getOperands()))
    if (!compareValues(left, right, first, second))
      return false;
  return true;
}

bool ProgramWalk::compareCallees(func::CallOp first, func::CallOp second) {
  auto calleeOf = [](func::CallOp call) {
    return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
  };
  func::FuncOp left = calleeOf(first), right = calleeOf(second);
  return left && right && compareFunctions(left, right, /*isEntry=*/false);
}

bool ProgramWalk::compareStatements(Operation *first, Operation *second) {
  if (first->getNumRegions() != 0 && first->getName() == second->getName())
    return compareRegions(first, second);
  if (auto call = dyn_cast<func::CallOp>(first);
      call && isa<func::CallOp>(second)) {
    if (!compareCallees(call, cast<func::CallOp>(second)) ||
        !compareOperands(first, second))
      return false;
  } else if (!compareSelf(first, second) || !compareOperands(first, second)) {
    return false;
  }
  mark(first->getResults(), second->getResults());
  return true;
}

std::optional<Difference> tegula::pl::findDifference(func::FuncOp first,
                                                     func::FuncOp second) {
  assert(first.getContext() == second.getContext() &&
         "types and attributes are compared as what they are");
  ProgramWalk walk;
  if (walk.compareFunctions(first, second, /*isEntry=*/true))
    return std::nullopt;
  return walk.difference;
}
