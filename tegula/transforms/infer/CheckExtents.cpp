// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

namespace tegula {
#define GEN_PASS_DEF_CHECKEXTENTS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;
using pl::Constraint;
using pl::Constraints;
using pl::Polynomial;

namespace {

/// One position that has to be inside an axis.
struct Access {
  Operation *op;
  Value position;
  unsigned axis;
  Value shaped;
  /// Windows may start beyond the end, where they are empty.
  bool mayBeBeyond;
};

struct CheckExtentsPass : tegula::impl::CheckExtentsBase<CheckExtentsPass> {
  using CheckExtentsBase::CheckExtentsBase;
  void runOnOperation() override;

private:
  LogicalResult check(const Access &access);
  void explain(const Access &access, const Twine &text);
  void explainStore(pl::StoreOp store);

  /// A kernel that was unrolled has more accesses than are worth the time.
  static constexpr unsigned maxQuestions = 1000;
  unsigned numQuestions = 0;
};

} // namespace

static void collectAccesses(Operation *op, SmallVectorImpl<Access> &accesses) {
  auto add = [&](ValueRange positions, Value shaped, bool mayBeBeyond) {
    for (auto [axis, position] : llvm::enumerate(positions))
      accesses.push_back(
          {op, position, static_cast<unsigned>(axis), shaped, mayBeBeyond});
  };
  if (auto read = dyn_cast<pl::ReadOp>(op))
    add(read.getIndices(), read.getSource(), false);
  if (auto write = dyn_cast<pl::WriteOp>(op))
    add(write.getIndices(), write.getTarget(), false);
  if (auto window = dyn_cast<pl::WindowOp>(op))
    add(window.getOffsets(), window.getSource(), true);
  if (auto insert = dyn_cast<pl::InsertOp>(op))
    add(insert.getOffsets(), insert.getTarget(), true);
  auto slice = dyn_cast<pl::SliceOp>(op);
  if (!slice)
    return;
  add(slice.getOffsets(), slice.getSource(), true);
  for (int64_t axis : slice.getDrop())
    accesses[accesses.size() - slice.getOffsets().size() + axis].mayBeBeyond =
        false;
}

namespace {

/// A loop around an access, in which its variable takes a first and a last
/// value.
struct LoopRange {
  Polynomial variable, first, last;
};

} // namespace

/// The loops around `op`; nothing if something else decides whether it runs, or
/// how often an inner loop does.
static std::optional<SmallVector<LoopRange>>
loopsAround(Operation *op, pl::ExtentTerms &terms) {
  SmallVector<LoopRange> loops;
  auto add = [&](Value variable, Value lower, Value upper, Value step) {
    // A bound that an outer loop decides, or a step that varies, is too much.
    std::optional<int64_t> stride = terms.of(step).asConstant();
    if (!stride || *stride <= 0)
      return false;
    Polynomial first = terms.of(lower);
    Polynomial count = terms.of(upper) - first - Polynomial::constant(1);
    Polynomial by = Polynomial::constant(*stride);
    loops.push_back({terms.of(variable), first,
                     first + terms.multiply(terms.quotient(count, by), by)});
    return true;
  };
  for (Operation *parent = op->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp()) {
    bool isFine = isa<pl::AtOp>(parent);
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      isFine = add(loop.getInductionVar(), loop.getLowerBound(),
                   loop.getUpperBound(), loop.getStep());
    if (auto loop = dyn_cast<pl::ParallelOp>(parent))
      isFine = add(loop.getInductionVar(), loop.getLower(), loop.getUpper(),
                   loop.getStep());
    if (!isFine)
      return std::nullopt;
  }
  for (const LoopRange &inner : loops)
    for (const LoopRange &outer : loops) {
      unsigned variable = outer.variable.getTerms().begin()->first.front();
      if (terms.dependsOn(inner.first, variable) ||
          terms.dependsOn(inner.last, variable))
        return std::nullopt;
    }
  return loops;
}

/// True if the position is wrong in the first or in the last iteration of the
/// loops around it, whatever the sizes are.
static bool isAlwaysOutside(const Access &access, pl::ExtentProver &prover,
                            const Polynomial &position,
                            const Polynomial &extent) {
  auto loops = loopsAround(access.op, prover.getTerms());
  if (!loops)
    return false;
  Constraints inside = {Constraint::atMost(Polynomial(), position)};
  if (!access.mayBeBeyond)
    inside.push_back(Constraint::less(position, extent));
  for (bool isLast : {false, true}) {
    Constraints iteration;
    for (const LoopRange &loop : *loops)
      iteration.push_back(
          Constraint::equal(loop.variable, isLast ? loop.last : loop.first));
    if (!prover.findSample(iteration) && !iteration.empty())
      continue;
    Constraints all = iteration;
    llvm::append_range(all, inside);
    if (prover.isImpossible(all))
      return true;
  }
  return false;
}

void CheckExtentsPass::explain(const Access &access, const Twine &text) {
  if (explainFacts)
    access.op->emitRemark() << text;
}

namespace {

/// Sizes at which an access is out of range, and what it is there; empty where
/// none were found.
struct Counterexample {
  std::string sizes, numbers;
};

} // namespace

static Counterexample findCounterexample(const Access &access,
                                         pl::ExtentProver &prover,
                                         const Constraints &wrong) {
  Counterexample found;
  auto isWrong = [&](pl::SizeEvaluation &sizes) {
    auto at = sizes.evaluate(access.position);
    auto end = sizes.evaluateExtent(access.shaped, access.axis);
    if (!at || !end || (*at >= 0 && (access.mayBeBeyond || *at < *end)))
      return false;
    found.numbers = " is " + std::to_string(*at);
    if (!access.mayBeBeyond)
      found.numbers += " and the extent " + std::to_string(*end);
    return true;
  };
  std::optional<std::string> example = prover.findExample(wrong, isWrong);
  if (!example)
    return {};
  found.sizes = *example;
  return found;
}

LogicalResult CheckExtentsPass::check(const Access &access) {
  pl::ExtentProver prover(access.op);
  pl::ExtentTerms &terms = prover.getTerms();
  Polynomial position = terms.of(access.position);
  Polynomial extent = terms.ofExtent(access.shaped, access.axis);
  std::string what =
      ((access.mayBeBeyond ? "the start of the window along axis "
                           : "the index of axis ") +
       Twine(access.axis))
          .str();
  if (access.mayBeBeyond && terms.isNeverNegative(position)) {
    if (!position.asConstant())
      explain(access, "proved: " + Twine(what) + " is in range");
    return success();
  }
  if (++numQuestions > maxQuestions) {
    explain(access, "checked at run time: " + Twine(what) +
                        " is in range; there are too many accesses to prove "
                        "all of them");
    return success();
  }
  Constraints below = {Constraint::less(position, Polynomial())};
  Constraints beyond = {Constraint::atMost(extent, position)};
  std::optional<Constraints> wrong;
  if (!prover.isImpossible(below))
    wrong = below;
  else if (!access.mayBeBeyond && !prover.isImpossible(beyond))
    wrong = beyond;
  if (!wrong) {
    if (!position.asConstant() || !access.mayBeBeyond)
      explain(access, "proved: " + Twine(what) + " is in range");
    return success();
  }
  Counterexample example = findCounterexample(access, prover, *wrong);
  if (prover.findSample(*wrong) &&
      isAlwaysOutside(access, prover, position, extent))
    return access.op->emitError()
           << what << " is out of range whenever this runs"
           << (example.sizes.empty() ? "" : "; for " + example.sizes)
           << (example.numbers.empty() ? ""
               : example.sizes.empty() ? "; it"
                                       : " it")
           << example.numbers;
  explain(access, "checked at run time: " + Twine(what) + " is in range" +
                      (example.sizes.empty() ? ""
                                             : "; for " + example.sizes +
                                                   " it" + example.numbers));
  return success();
}

/// A store writes what fits. That is meant where a window ends at an edge, and
/// worth knowing elsewhere.
void CheckExtentsPass::explainStore(pl::StoreOp store) {
  pl::ExtentProver prover(store);
  pl::ExtentTerms &terms = prover.getTerms();
  for (unsigned axis = 0; axis < store.getTile().getType().getRank(); ++axis) {
    Polynomial tile = terms.ofExtent(store.getTile(), axis);
    Polynomial window = terms.ofExtent(store.getTarget(), axis);
    if (prover.isAtMost(tile, window))
      continue;
    std::optional<int64_t> tileSize, windowSize;
    auto isCut = [&](pl::SizeEvaluation &sizes) {
      tileSize = sizes.evaluateExtent(store.getTile(), axis);
      windowSize = sizes.evaluateExtent(store.getTarget(), axis);
      return tileSize && windowSize && *tileSize > *windowSize;
    };
    auto example = prover.findExample({Constraint::less(window, tile)}, isCut);
    if (example)
      store.emitRemark("cut: axis ")
          << axis << " of what is stored may be longer than the window"
          << (example->empty() ? "; it is " : "; for " + *example + " it is ")
          << *tileSize << " and the window " << *windowSize;
  }
}

/// The variable of a loop takes one step beyond its end. Of numbers that the
/// call brings the guard sees whether that fits.
static LogicalResult checkEnd(Operation *op, Value upper, Value step) {
  std::optional<int64_t> end = getConstantIntValue(upper);
  std::optional<int64_t> stride = getConstantIntValue(step);
  int64_t beyond;
  if (!end || !stride || !llvm::AddOverflow(*end, *stride - 1, beyond))
    return success();
  return op->emitError("the loop ends at ")
         << *end << ", and a step of " << *stride
         << " beyond it does not fit 64 bits";
}

static LogicalResult checkLoop(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return checkEnd(op, loop.getUpperBound(), loop.getStep());
  if (auto loop = dyn_cast<pl::ParallelOp>(op))
    return checkEnd(op, loop.getUpper(), loop.getStep());
  return success();
}

void CheckExtentsPass::runOnOperation() {
  markAllAnalysesPreserved();
  numQuestions = 0;
  SmallVector<Access> accesses;
  bool isRight = true;
  getOperation().walk([&](Operation *op) {
    collectAccesses(op, accesses);
    isRight &= succeeded(checkLoop(op));
  });
  for (const Access &access : accesses)
    isRight &= succeeded(check(access));
  if (explainFacts)
    getOperation().walk([&](pl::StoreOp store) { explainStore(store); });
  if (!isRight)
    signalPassFailure();
}
