// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentProver.h"

#include "tegula/ir/extents/ConstraintSystem.h"
#include "tegula/ir/ops/PlRequireOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tegula::pl;

/// Requirements further down a block are not looked for: a kernel has many ops,
/// and authors state what they assume first.
static constexpr unsigned maxScanned = 2000;

ExtentProver::ExtentProver(Operation *op) {
  learnBlock(op->getBlock(), op);
  learnParents(op->getBlock());
}

ExtentProver::ExtentProver(Block *block) {
  learnBlock(block, nullptr);
  learnParents(block);
}

void ExtentProver::assume(Alternatives fact) {
  facts.push_back(std::move(fact));
}

void ExtentProver::learnBlock(Block *block, Operation *end) {
  unsigned scanned = 0;
  for (Operation &op : *block) {
    if (&op == end || ++scanned > maxScanned)
      return;
    auto require = dyn_cast<RequireOp>(op);
    if (require && isCheckedAtCall(require))
      if (auto fact = alternativesOf(terms, require.getCondition(), true)) {
        assume(std::move(*fact));
        conditions.push_back({require.getCondition(), true});
        isRequired = true;
      }
  }
}

void ExtentProver::learnLoop(Value variable, Value lower, Value upper,
                             Value step) {
  Polynomial self = terms.of(variable), first = terms.of(lower);
  Constraints range = {Constraint::atMost(first, self),
                       Constraint::less(self, terms.of(upper))};
  // first + a multiple of the step
  if (std::optional<int64_t> number = terms.of(step).asConstant();
      number && *number > 1) {
    Polynomial stride = Polynomial::constant(*number);
    Polynomial whole = terms.quotient(self - first, stride);
    range.push_back(Constraint::equal(self - first, stride * whole));
  }
  assume({range});
}

void ExtentProver::learnParents(Block *block) {
  Operation *parent = block->getParentOp();
  for (; parent && !isa<FunctionOpInterface>(parent);
       block = parent->getBlock(), parent = parent->getParentOp()) {
    if (isa<scf::ForOp, ParallelOp>(parent))
      loops.push_back(cast<LoopLikeOpInterface>(parent));
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      learnLoop(loop.getInductionVar(), loop.getLowerBound(),
                loop.getUpperBound(), loop.getStep());
    } else if (auto loop = dyn_cast<ParallelOp>(parent)) {
      learnLoop(loop.getInductionVar(), loop.getLower(), loop.getUpper(),
                loop.getStep());
    } else if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      bool isThen = block->getParent() == &branch.getThenRegion();
      if (auto fact = alternativesOf(terms, branch.getCondition(), isThen))
        assume(std::move(*fact));
      conditions.push_back({branch.getCondition(), isThen});
    }
    if (parent->getBlock())
      learnBlock(parent->getBlock(), parent);
    else
      return;
  }
}

/// Adds the facts that have to do with what is in the system already.
static void addRelevant(ConstraintSystem &system,
                        llvm::ArrayRef<Alternatives> facts) {
  std::vector<bool> isUsed(facts.size());
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (auto [position, fact] : llvm::enumerate(facts)) {
      bool isRelevant =
          fact.empty() || llvm::any_of(fact, [&](const Constraints &entry) {
            return system.mentions(entry);
          });
      if (isUsed[position] || !isRelevant)
        continue;
      isUsed[position] = hasChanged = true;
      system.add(fact);
    }
  }
}

/// False if one of the constraints is not known.
static bool addAll(ConstraintSystem &system, const Constraints &constraints) {
  for (const Constraint &constraint : constraints) {
    if (!constraint.value.isKnown())
      return false;
    system.add(constraint);
  }
  return true;
}

bool ExtentProver::isImpossible(const Constraints &constraints) {
  ConstraintSystem system(terms);
  if (!addAll(system, constraints))
    return false;
  addRelevant(system, facts);
  return !system.solve();
}

bool ExtentProver::isEqual(const Polynomial &lhs, const Polynomial &rhs) {
  if (lhs == rhs)
    return true;
  return isAtMost(lhs, rhs) && isAtMost(rhs, lhs);
}

bool ExtentProver::isAtMost(const Polynomial &lhs, const Polynomial &rhs) {
  if (std::optional<int64_t> difference = (rhs - lhs).asConstant())
    return *difference >= 0;
  return isImpossible({Constraint::less(rhs, lhs)});
}

bool ExtentProver::isAlways(Value condition) {
  std::optional<Alternatives> opposite =
      alternativesOf(terms, condition, /*holds=*/false);
  return opposite &&
         llvm::all_of(*opposite, [&](const Constraints &constraints) {
           return isImpossible(constraints);
         });
}

/// Sizes that a reader can follow are looked for first.
static const std::optional<int64_t> limits[] = {1, 3, 8, 16, 64, std::nullopt};

std::optional<Sample> ExtentProver::findSample(const Constraints &constraints) {
  ConstraintSystem system(terms);
  if (!addAll(system, constraints))
    return std::nullopt;
  addRelevant(system, facts);
  for (std::optional<int64_t> largest : limits)
    if (std::optional<Sample> sample = system.solve(largest))
      if (system.check(*sample))
        return sample;
  return std::nullopt;
}

/// True if the loop has an iteration in which its variable is what is given;
/// nothing if that cannot be computed.
static std::optional<bool> runs(LoopLikeOpInterface loop,
                                SizeEvaluation &sizes) {
  auto evaluate = [&](std::optional<SmallVector<OpFoldResult>> parts) {
    auto value = dyn_cast_if_present<Value>(parts->front());
    return value ? sizes.evaluate(value) : getConstantIntValue(parts->front());
  };
  std::optional<int64_t> variable =
      sizes.evaluate(loop.getLoopInductionVars()->front());
  std::optional<int64_t> lower = evaluate(loop.getLoopLowerBounds());
  std::optional<int64_t> upper = evaluate(loop.getLoopUpperBounds());
  std::optional<int64_t> step = evaluate(loop.getLoopSteps());
  if (!variable || !lower || !upper || !step || *step <= 0)
    return std::nullopt;
  // The distance of two numbers may be more than 64 bits with a sign hold.
  uint64_t distance =
      static_cast<uint64_t>(*variable) - static_cast<uint64_t>(*lower);
  return *lower <= *variable && *variable < *upper &&
         distance % static_cast<uint64_t>(*step) == 0;
}

/// True if everything that has to do with `inputs` allows them; adds the inputs
/// that have to do with them.
bool ExtentProver::holds(SizeEvaluation &sizes,
                         std::vector<SizeInput> &inputs) const {
  using Question = std::function<std::optional<bool>()>;
  std::vector<Question> open;
  for (auto [condition, wanted] : conditions)
    open.push_back([&sizes, condition = condition,
                    wanted = wanted]() -> std::optional<bool> {
      std::optional<int64_t> truth = sizes.evaluate(condition);
      return truth ? std::optional((*truth != 0) == wanted) : std::nullopt;
    });
  for (LoopLikeOpInterface loop : loops)
    open.push_back([&sizes, loop] { return runs(loop, sizes); });
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (Question &question : open) {
      if (!question)
        continue;
      std::optional<bool> answer = question();
      std::vector<SizeInput> others = sizes.takeInputs();
      bool isRelated = llvm::any_of(others, [&](const SizeInput &input) {
        return llvm::is_contained(inputs, input);
      });
      if (!isRelated)
        continue;
      // What depends on data may be either.
      if (answer && !*answer)
        return false;
      for (const SizeInput &input : others)
        if (!llvm::is_contained(inputs, input))
          inputs.push_back(input);
      question = nullptr;
      hasChanged = true;
    }
  }
  return true;
}

std::optional<std::string>
ExtentProver::findExample(const Constraints &constraints,
                          llvm::function_ref<bool(SizeEvaluation &)> claim) {
  ConstraintSystem system(terms);
  if (!addAll(system, constraints))
    return std::nullopt;
  addRelevant(system, facts);
  for (std::optional<int64_t> largest : limits) {
    std::optional<Sample> sample = system.solve(largest);
    if (!sample)
      continue;
    SizeEvaluation sizes(terms, *sample);
    bool isTrue = claim(sizes);
    std::vector<SizeInput> inputs = sizes.takeInputs();
    if (isTrue && holds(sizes, inputs))
      return describe(inputs, sizes);
  }
  return std::nullopt;
}

bool tegula::pl::isProvedExact(SliceOp slice, unsigned axis) {
  Dim dim = slice.getType().getDims()[axis];
  ExtentRule rule = slice.getExtentRule(axis);
  if (!dim.isExact() || rule.getDim() == dim)
    return true;
  unsigned from = slice.getSourceAxis(axis);
  ExtentProver prover(slice);
  ExtentTerms &terms = prover.getTerms();
  Polynomial offset = terms.of(rule.getOffset()),
             size = terms.of(rule.getSize());
  Polynomial length = Polynomial::constant(dim.getBound());
  // A start below 0 is moved to 0, where less may be left.
  return prover.isAtMost(Polynomial(), offset) &&
         prover.isEqual(size, length) &&
         prover.isAtMost(offset + length,
                         terms.ofExtent(slice.getSource(), from));
}
