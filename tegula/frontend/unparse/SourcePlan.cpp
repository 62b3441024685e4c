// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/unparse/SourcePlan.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlRequireOps.h"

#include "mlir/IR/Matchers.h"

using namespace tegula;
using namespace mlir;

/// An expression of more ops than this is easier to read in two statements.
static constexpr unsigned maxOpsInExpression = 6;

bool tegula::isExpression(Operation *op) {
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  return isMemoryEffectFree(op) || hasSingleEffect<MemoryEffects::Read>(op);
}

static SmallVector<Phi> phisOfFor(scf::ForOp loop) {
  SmallVector<Phi> phis;
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    phis.push_back({loop,
                    {loop.getRegionIterArg(i), loop.getResult(i)},
                    loop.getInitArgs()[i],
                    {loop.getYieldedValues()[i]},
                    {loop.getBody()->getTerminator()}});
  return phis;
}

static SmallVector<Phi> phisOfWhile(scf::WhileOp loop) {
  SmallVector<Phi> phis;
  std::optional<EarlyExit> exit = earlyExitOf(loop);
  for (unsigned i = 0; i < loop.getInits().size(); ++i) {
    if (exit && exit->flag == i)
      continue;
    Phi phi{loop,
            {loop.getBeforeArguments()[i]},
            loop.getInits()[i],
            {loop.getYieldOp().getOperand(i)},
            {loop.getYieldOp()}};
    for (auto [position, argument] :
         llvm::enumerate(loop.getConditionOp().getArgs()))
      if (argument == loop.getBeforeArguments()[i]) {
        phi.variables.push_back(loop.getAfterArguments()[position]);
        phi.variables.push_back(loop.getResult(position));
      }
    phis.push_back(phi);
  }
  return phis;
}

SmallVector<Phi> tegula::phisOf(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return phisOfFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return phisOfWhile(loop);
  SmallVector<Phi> phis;
  if (!isa<scf::IfOp, pl::AtOp>(op))
    return phis;
  Block *taken =
      isa<scf::IfOp>(op) ? takenBranch(cast<scf::IfOp>(op)) : nullptr;
  for (OpResult result : op->getResults()) {
    Phi phi{op, {result}, {}, {}, {}};
    for (Region &region : op->getRegions()) {
      if (taken && taken != &region.front())
        continue;
      phi.ends.push_back(region.front().getTerminator());
      phi.yielded.push_back(
          phi.ends.back()->getOperand(result.getResultNumber()));
    }
    phis.push_back(phi);
  }
  return phis;
}

Block *tegula::takenBranch(scf::IfOp op) {
  BoolAttr condition;
  if (!matchPattern(op.getCondition(), m_Constant(&condition)))
    return nullptr;
  return condition.getValue() ? op.thenBlock() : op.elseBlock();
}

func::CallOp tegula::dispatchedCall(Operation *op) {
  auto branch = dyn_cast_or_null<scf::IfOp>(op);
  if (!branch || !branch.getCondition().getDefiningOp<pl::DispatchOp>())
    return {};
  // What is returned from there is stored, which is no call alone.
  if (!branch.thenBlock()->getOps<pl::StoreOp>().empty() ||
      !branch.thenBlock()->getOps<pl::WriteOp>().empty())
    return {};
  auto calls = branch.thenBlock()->getOps<func::CallOp>();
  return calls.empty() ? func::CallOp() : *calls.begin();
}

SmallVector<Phi> SourcePlan::livePhis(Operation *op) const {
  SmallVector<Phi> phis = phisOf(op);
  llvm::erase_if(phis, [&](const Phi &phi) {
    return !demandedPhis.contains(phi.variables.front());
  });
  return phis;
}

LogicalResult SourcePlan::make(const std::set<std::string> &reserved) {
  if (failed(demandBlock(func.front())))
    return failure();
  chooseFolded();
  collectVariables();
  joinVariables();
  chooseNames(reserved);
  return success();
}

/// True if `op` does something, whoever reads what it gives.
static bool hasEffect(Operation *op) {
  // What an operation or a shape asks for is asked for again.
  if (auto requirement = dyn_cast<pl::RequireOp>(op))
    return requirement.getOrigin() == pl::assumedOrigin;
  // What is dispatched says so.
  if (isa<pl::DispatchOp, pl::DispatchEndOp>(op))
    return false;
  if (op->getNumRegions() == 0)
    return !isExpression(op) && !isa<pl::BindOp, pl::CreateTensorOp>(op) &&
           (isa<func::ReturnOp>(op) || !op->hasTrait<OpTrait::IsTerminator>());
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (hasEffect(&inner))
        return true;
  return false;
}

LogicalResult SourcePlan::demandBlock(Block &block) {
  for (Operation &op : block)
    if (hasEffect(&op) && failed(demand(&op)))
      return failure();
  return success();
}

LogicalResult SourcePlan::demandValue(Value value, Use use) {
  value = shownValue(value);
  bool isNew = !uses.contains(value);
  uses[value].push_back(use);
  Operation *op = value.getDefiningOp();
  if (op && isShortCircuit(op) && isInCondition(op))
    return demand(op);
  if (!op || op->getNumRegions() != 0)
    return isNew ? demandVariable(value) : success();
  if (writeNumber(value, Wanted::Scalar))
    return success();
  return demand(op);
}

/// What sets a variable is mentioned where the variable is set.
LogicalResult SourcePlan::demandPhi(const Phi &phi) {
  if (!demandedPhis.insert(phi.variables.front()).second)
    return success();
  if (phi.initial &&
      failed(demandValue(phi.initial, {phi.op, false, /*isPhi=*/true})))
    return failure();
  for (auto [value, end] : llvm::zip(phi.yielded, phi.ends))
    if (failed(demandValue(value, {end, false, /*isPhi=*/true})))
      return failure();
  return success();
}

LogicalResult SourcePlan::demandVariable(Value variable) {
  Operation *op = variable.getDefiningOp()
                      ? variable.getDefiningOp()
                      : variable.getParentBlock()->getParentOp();
  if (isa<func::FuncOp>(op))
    return success();
  if (failed(demand(op)))
    return failure();
  for (const Phi &phi : phisOf(op))
    if (llvm::is_contained(phi.variables, variable) && failed(demandPhi(phi)))
      return failure();
  return success();
}

LogicalResult SourcePlan::demand(Operation *op) {
  if (!demanded.insert(op).second)
    return success();
  if (Operation *ordering = orderingOf(op))
    return demand(ordering);
  bool isPart = isShortCircuit(op) && isInCondition(op);
  if (failed(demandMentions(op, isPart)))
    return failure();
  // What goes around a loop stays, even if only the loop itself reads it.
  if (isa<scf::ForOp, scf::WhileOp>(op))
    for (const Phi &phi : phisOf(op)) {
      bool isRead = llvm::any_of(
          phi.variables, [](Value value) { return !value.use_empty(); });
      if (isRead && failed(demandPhi(phi)))
        return failure();
    }
  return isPart ? success() : demandRegions(op);
}

/// Demands the values that the op's source mentions.
LogicalResult SourcePlan::demandMentions(Operation *op, bool isPart) {
  SmallVector<std::pair<Value, Use>> mentions;
  auto mention = [&](Value value, bool isInside = false) {
    mentions.push_back({value, {op, isInside, false}});
  };
  auto record = [&](Value value, Wanted, Strength) {
    mention(value);
    return std::string();
  };
  ExpressionWriter writer(style, record);
  if (isPart) {
    if (failed(writer.expression(op)))
      return failure();
  } else if (op->getNumRegions() != 0) {
    if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp, pl::AtOp, pl::ParallelOp>(op))
      return op->emitError("'")
             << op->getName() << "' cannot be written as kernel source";
    if (isa<scf::ForOp, pl::ParallelOp>(op))
      for (Value bound : shownBounds(op))
        mention(bound, /*isInside=*/true);
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      Value condition = choice.getCondition();
      if (dispatchedCall(op))
        condition = condition.getDefiningOp<pl::DispatchOp>().getDevice();
      mention(condition);
    }
  } else if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    auto exit = earlyExitOf(cast<scf::WhileOp>(op->getParentOp()));
    mention(exit ? exit->condition : condition.getCondition());
  } else if (isa<func::CallOp, func::ReturnOp>(op)) {
    for (Value operand : op->getOperands())
      mention(operand);
  } else if (!op->hasTrait<OpTrait::IsTerminator>() && !isa<pl::BindOp>(op)) {
    if (op->getNumResults() == 1 ? failed(writer.expression(op))
                                 : failed(writer.statement(op)))
      return failure();
  }
  for (auto &[value, use] : mentions)
    if (failed(demandValue(value, use)))
      return failure();
  return success();
}

/// Demands what the regions of the op do, as far as they can run.
LogicalResult SourcePlan::demandRegions(Operation *op) {
  auto choice = dyn_cast<scf::IfOp>(op);
  Block *taken = choice ? takenBranch(choice) : nullptr;
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (failed(demand(loop.getConditionOp())))
      return failure();
    if (std::optional<EarlyExit> exit = earlyExitOf(loop))
      // A variable of its own: what it is made from may be set by then.
      if (failed(demandValue(exit->stop, {loop.getYieldOp(), false, true})))
        return failure();
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if ((!taken || taken == &block) && failed(demandBlock(block)))
        return failure();
  return success();
}

/// True if `op` is part of the condition of a `while`, which is one expression.
bool SourcePlan::isInCondition(Operation *op) {
  Operation *parent = op->getParentOp();
  while (auto test = dyn_cast<scf::IfOp>(parent)) {
    auto loop = dyn_cast<scf::WhileOp>(test->getParentOp());
    std::optional<EarlyExit> exit =
        loop ? earlyExitOf(loop) : std::optional<EarlyExit>();
    if (!isShortCircuit(test) && !(exit && exit->test == test))
      return false;
    op = test;
    parent = test->getParentOp();
  }
  auto loop = dyn_cast<scf::WhileOp>(parent);
  return loop && op->getBlock() == loop.getBeforeBody();
}

Operation *SourcePlan::emissionOf(Operation *op) const {
  while (isFolded(op)) {
    auto found = uses.find(op->getResult(0));
    op = found->second.front().user;
  }
  Operation *parent = op->getParentOp();
  return dispatchedCall(parent) ? parent : op;
}

/// True if something between two ops of a block may write.
static bool writesBetween(Operation *first, Operation *last) {
  for (Operation *op = first->getNextNode(); op && op != last;
       op = op->getNextNode()) {
    bool writes = false;
    op->walk([&](Operation *inner) {
      writes |= !isExpression(inner) &&
                !inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
                !isMemoryEffectFree(inner);
    });
    if (writes)
      return true;
  }
  return false;
}

bool SourcePlan::mayFold(Operation *op) {
  Value value = op->getResult(0);
  if (isInCondition(op))
    return true;
  if (orderingOf(op))
    return false;
  auto found = uses.find(value);
  if (found == uses.end() || found->second.size() != 1 ||
      !nameOfValue(value).empty() || found->second.front().isPhi)
    return false;
  Operation *user = emissionOf(found->second.front().user);
  if (isMemoryEffectFree(op) && !isa<pl::TileType>(value.getType()) &&
      !isa<pl::TensorViewType>(value.getType()))
    return true;
  return user->getBlock() == op->getBlock() &&
         (isMemoryEffectFree(op) || !writesBetween(op, user));
}

void SourcePlan::chooseFolded() {
  SmallVector<Operation *> ops;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isPart = isShortCircuit(op) && isInCondition(op);
    if ((isExpression(op) || isPart) && demanded.contains(op))
      ops.push_back(op);
  });
  // Users come first: where an op is written depends on them.
  for (Operation *op : llvm::reverse(ops))
    if (mayFold(op))
      folded.insert(op);
  DenseMap<Operation *, unsigned> sizes;
  for (Operation *op : ops) {
    unsigned size = 1;
    for (Value operand : op->getOperands())
      if (Operation *part = shownValue(operand).getDefiningOp();
          part && isFolded(part))
        size += sizes.lookup(part);
    bool isLarge = size > maxOpsInExpression && !isInCondition(op);
    if (isLarge && isFolded(op)) {
      folded.erase(op);
      size = 0;
    }
    sizes[op] = isFolded(op) ? size : 0;
  }
}
