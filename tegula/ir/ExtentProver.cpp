// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ExtentProver.h"

#include "tegula/ir/ConstraintSystem.h"
#include "tegula/ir/PlRequireOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

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

bool ExtentProver::isImpossible(const Constraints &constraints) {
  ConstraintSystem system(terms);
  for (const Constraint &constraint : constraints) {
    if (!constraint.value.isKnown())
      return false;
    system.add(constraint);
  }
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

std::optional<Sample> ExtentProver::findSample(const Constraints &constraints) {
  ConstraintSystem system(terms);
  for (const Constraint &constraint : constraints) {
    if (!constraint.value.isKnown())
      return std::nullopt;
    system.add(constraint);
  }
  addRelevant(system, facts);
  // Sizes that a reader can follow are looked for first.
  const std::optional<int64_t> limits[] = {1, 3, 8, 16, 64, std::nullopt};
  for (std::optional<int64_t> largest : limits)
    if (std::optional<Sample> sample = system.solve(largest))
      if (system.check(*sample))
        return sample;
  return std::nullopt;
}

/// The name of what is given to the kernel; empty for everything else.
static std::string nameOf(const Term &term) {
  if (auto bind = term.value.getDefiningOp<BindOp>())
    return bind.getSymbol().str();
  auto argument = dyn_cast<BlockArgument>(term.value);
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  if (!function)
    return "";
  auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    nameAttrName);
  if (!name)
    return "";
  return term.kind == Term::Kind::Extent
             ? llvm::formatv("axis {0} of {1}", term.axis, name.getValue())
                   .str()
             : name.str();
}

std::string ExtentProver::describe(const Sample &sample) const {
  std::string text;
  for (auto [number, value] : sample) {
    const Term &term = terms[number];
    if (!term.value)
      continue;
    std::string name = nameOf(term);
    if (!name.empty())
      text +=
          llvm::formatv("{0}{1} = {2}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

static Polynomial productOf(ExtentTerms &terms, ValueRange extents) {
  Polynomial product = Polynomial::constant(1);
  for (Value extent : extents)
    product = terms.multiply(product, terms.of(extent));
  return product;
}

bool tegula::pl::areEqualProducts(ValueRange lhs, ValueRange rhs,
                                  Block *where) {
  ExtentProver prover(where);
  return prover.isEqual(productOf(prover.getTerms(), lhs),
                        productOf(prover.getTerms(), rhs));
}

bool tegula::pl::divides(Value divisor, Value dividend, Block *where) {
  ExtentProver prover(where);
  ExtentTerms &terms = prover.getTerms();
  Polynomial number = terms.of(dividend), by = terms.of(divisor);
  if (number.dividedBy(by))
    return true;
  return prover.isEqual(terms.multiply(terms.quotient(number, by), by), number);
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

std::string tegula::pl::describeUnequalProducts(ValueRange lhs, ValueRange rhs,
                                                Block *where) {
  ExtentProver prover(where);
  Polynomial left = productOf(prover.getTerms(), lhs);
  Polynomial right = productOf(prover.getTerms(), rhs);
  for (const Constraint &constraint :
       {Constraint::less(left, right), Constraint::less(right, left)})
    if (std::optional<Sample> sample = prover.findSample({constraint}))
      return prover.describe(*sample);
  return "";
}
