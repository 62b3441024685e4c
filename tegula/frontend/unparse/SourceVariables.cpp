// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values share a variable, and what the variables are called.
#include "tegula/frontend/unparse/SourcePlan.h"
#include "tegula/ir/ValueNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace mlir;

StringRef SourcePlan::nameOf(Value value) const {
  auto found = names.find(rootOf(value));
  return found == names.end() ? StringRef() : StringRef(found->second);
}

void SourcePlan::collectVariables() {
  auto add = [&](Value value) {
    variables.push_back(value);
    parents[value] = value;
    members[value] = {value};
  };
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isStatement =
        !isExpression(op) || (demanded.contains(op) && !isFolded(op) &&
                              !writeNumber(op->getResult(0), Wanted::Scalar));
    if (isStatement && !isa<pl::BindOp>(op))
      for (Value result : op->getResults())
        add(result);
    if (isa<func::FuncOp>(op))
      return;
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        add(argument);
  });
}

Value SourcePlan::rootOf(Value value) const {
  auto found = parents.find(value);
  while (found != parents.end() && found->second != value) {
    value = found->second;
    found = parents.find(value);
  }
  return value;
}

SourcePlan::Point SourcePlan::definitionOf(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return {&argument.getOwner()->front(), true};
  return {value.getDefiningOp(), false};
}

/// True if control can get from a point to a use without passing the point
/// where `value` is made.
bool SourcePlan::isReachable(const Use &use, Value value, Point from) const {
  Operation *user = emissionOf(use.user);
  // A loop around both, but not around the value, comes back to the use.
  for (Operation *loop = from.op->getParentOp(); loop;
       loop = loop->getParentOp())
    if (isa<LoopLikeOpInterface>(loop) && loop->isProperAncestor(user) &&
        !loop->isProperAncestor(value.getParentBlock()->getParentOp()) &&
        value.getParentBlock()->getParentOp() != loop)
      return true;
  bool isAtStart =
      use.isInside && from.isBefore && from.op->getParentOp() == user;
  if (isAtStart)
    return true;
  // Compare the two in the block around both.
  Operation *point = from.op;
  Block *block = point->getBlock();
  while (block) {
    Operation *other = block->findAncestorOpInBlock(*user);
    if (!other) {
      point = block->getParentOp();
      block = point ? point->getBlock() : nullptr;
      continue;
    }
    if (other != point)
      return point->isBeforeInBlock(other);
    // One is inside the other, or both are in different regions of it.
    bool isSelf = point == from.op;
    return isSelf && from.isBefore;
  }
  return false;
}

bool SourcePlan::isLiveAt(Value value, Point point) const {
  auto found = uses.find(value);
  if (found == uses.end())
    return false;
  Operation *inBlock = value.getParentBlock()->findAncestorOpInBlock(*point.op);
  Operation *maker = value.getDefiningOp();
  bool isMade = inBlock && (!maker || maker->isBeforeInBlock(inBlock));
  return isMade && llvm::any_of(found->second, [&](const Use &use) {
           return isReachable(use, value, point);
         });
}

bool SourcePlan::interferes(Value first, Value second) const {
  Point one = definitionOf(first), other = definitionOf(second);
  if (one.op == other.op && one.isBefore == other.isBefore)
    return true;
  return isLiveAt(first, other) || isLiveAt(second, one);
}

bool SourcePlan::join(Value first, Value second) {
  if (!parents.contains(first) || !parents.contains(second))
    return false;
  Value one = rootOf(first), other = rootOf(second);
  if (one == other)
    return true;
  StringRef name, otherName;
  for (Value member : members[one])
    name = name.empty() ? nameOfValue(member) : name;
  for (Value member : members[other])
    otherName = otherName.empty() ? nameOfValue(member) : otherName;
  if (!name.empty() && !otherName.empty() && name != otherName)
    return false;
  for (Value left : members[one])
    for (Value right : members[other])
      if (interferes(left, right))
        return false;
  parents[other] = one;
  llvm::append_range(members[one], members[other]);
  return true;
}

void SourcePlan::joinVariables() {
  SmallVector<Phi> phis;
  func.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { llvm::append_range(phis, livePhis(op)); });
  for (const Phi &phi : phis)
    for (Value variable : ArrayRef(phi.variables).drop_front()) {
      parents[variable] = phi.variables.front();
      members[phi.variables.front()].push_back(variable);
    }
  auto isLoopVariable = [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getArgNumber() == 0 &&
           isa<scf::ForOp, pl::ParallelOp>(argument.getOwner()->getParentOp());
  };
  for (const Phi &phi : phis) {
    for (Value value : phi.yielded)
      if (Value shown = shownValue(value); !isLoopVariable(shown))
        join(phi.variables.front(), shown);
    if (phi.initial)
      if (Value shown = shownValue(phi.initial); !isLoopVariable(shown))
        join(phi.variables.front(), shown);
  }
}

static bool isReservedWord(StringRef name) {
  static constexpr StringRef words[] = {
      "False",  "None",      "True",    "and",    "as",       "assert",
      "async",  "await",     "break",   "class",  "continue", "def",
      "del",    "elif",      "else",    "except", "finally",  "for",
      "from",   "global",    "if",      "import", "in",       "is",
      "lambda", "nonlocal",  "not",     "or",     "pass",     "raise",
      "return", "try",       "while",   "with",   "yield",    "pl",
      "min",    "max",       "abs",     "range",  "len",      "int",
      "float",  "bool",      "print",   "tuple",  "list",     "sum",
      "zip",    "enumerate", "reversed"};
  return llvm::is_contained(words, name);
}

/// Two unrelated values may have one name if each has its own point: the same
/// block, one after the other, or blocks that are not inside each other.
bool SourcePlan::mayShare(Value first, Value second) const {
  if (members.lookup(first).size() != 1 || members.lookup(second).size() != 1)
    return false;
  Block *one = first.getParentBlock(), *other = second.getParentBlock();
  if (one != other)
    return !one->getParentOp()->isAncestor(other->getParentOp()) &&
           !other->getParentOp()->isAncestor(one->getParentOp());
  return !isa<BlockArgument>(first) && !isa<BlockArgument>(second) &&
         !interferes(first, second);
}

void SourcePlan::chooseNames(const std::set<std::string> &reserved) {
  std::map<std::string, SmallVector<Value>> taken;
  std::set<std::string> wanted;
  for (Value value : variables)
    wanted.insert(nameOfValue(value).str());
  auto isFree = [&](const std::string &name, Value root) {
    if (reserved.count(name) || isReservedWord(name))
      return false;
    return llvm::all_of(taken[name],
                        [&](Value other) { return mayShare(root, other); });
  };
  unsigned next = 0;
  for (Value value : variables) {
    Value root = rootOf(value);
    bool isUsed = llvm::any_of(members[root], [&](Value member) {
      return uses.contains(member) || isa<BlockArgument>(member) ||
             !isExpression(member.getDefiningOp());
    });
    if (names.count(root) || !isUsed)
      continue;
    std::string name;
    for (Value member : members[root])
      name = name.empty() ? nameOfValue(member).str() : name;
    // A number at the end was given here before, and is given anew.
    StringRef stem = StringRef(name).rtrim("0123456789");
    if (stem.size() > 1 && stem.size() < name.size() && stem.consume_back("_"))
      name = stem.str();
    std::string candidate = name;
    for (unsigned count = 1; !name.empty() && !isFree(candidate, root); ++count)
      candidate = name + "_" + llvm::utostr(count);
    while (name.empty()) {
      candidate = "t" + llvm::utostr(next++);
      if (!wanted.count(candidate) && isFree(candidate, root))
        break;
    }
    taken[candidate].push_back(root);
    names[root] = candidate;
  }
}
