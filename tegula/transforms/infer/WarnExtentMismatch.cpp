// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/DescribeValue.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {
#define GEN_PASS_DEF_WARNEXTENTMISMATCH
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;
using pl::Constraint;
using pl::ExtentRule;
using pl::Polynomial;

/// An axis of a tile.
using TileAxis = std::pair<Value, unsigned>;

static bool isShaped(Value value) {
  return isa<pl::TileType, pl::TensorViewType>(value.getType());
}

namespace {

/// What was found out about tiles before.
struct KnownTiles {
  /// Axes that come from one place alone, not around a loop. Null if there is
  /// no such location.
  llvm::DenseMap<TileAxis, TileAxis> origins;
  /// True for those of which nothing was read from memory.
  llvm::DenseMap<Value, bool> made;
};

/// Where the data of combined tiles comes from, followed through such ops and
/// around loops: the axes whose extents decide where the result is valid. What
/// the kernel makes out of nothing, as pl.full does, has no data to lose.
class Origins {
public:
  explicit Origins(KnownTiles &known) : known(known) {}

  void add(Value tile, unsigned axis);

  ArrayRef<TileAxis> getAxes() const { return axes.getArrayRef(); }
  /// The loops around which data came.
  ArrayRef<Operation *> getLoops() const { return loops.getArrayRef(); }

private:
  bool addCrossing(Value tile, unsigned axis);
  bool addRule(const ExtentRule &rule);
  bool isMade(Value tile);

  KnownTiles &known;
  llvm::SetVector<TileAxis> axes;
  llvm::SetVector<Operation *> loops;
  llvm::DenseSet<TileAxis> visited;
};

struct WarnExtentMismatchPass
    : tegula::impl::WarnExtentMismatchBase<WarnExtentMismatchPass> {
  using WarnExtentMismatchBase::WarnExtentMismatchBase;

  void runOnOperation() override;

private:
  void check(pl::ExtentsOpInterface op, unsigned axis);
  bool wasCheckedBefore(const ExtentRule &rule, const Origins &origins);
  void warn(pl::ExtentsOpInterface op, unsigned axis, const Origins &origins,
            StringRef why);

  /// An unrolled kernel has more combined tiles than are worth the time.
  static constexpr unsigned maxQuestions = 300;
  /// More would not be read.
  static constexpr unsigned maxOrigins = 3;
  unsigned numQuestions = 0;
  bool hasErrors = false;
  KnownTiles known;
};

} // namespace

/// True if nothing that the tile is computed from was read from memory.
bool Origins::isMade(Value tile) {
  auto [entry, isNew] = known.made.try_emplace(tile, false);
  Operation *op = tile.getDefiningOp();
  if (!isNew || !isa_and_nonnull<pl::ExtentsOpInterface>(op) ||
      isa<pl::LoadOp>(op))
    return entry->second;
  bool isMadeOfMade = llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isShaped(operand) || isMade(operand);
  });
  return known.made[tile] = isMadeOfMade;
}

/// Follows data out of a loop or a branch; false if it does not come from one.
bool Origins::addCrossing(Value tile, unsigned axis) {
  auto addLoop = [&](scf::ForOp loop, unsigned number) {
    loops.insert(loop);
    add(loop.getInitArgs()[number], axis);
    add(loop.getYieldedValues()[number], axis);
    return true;
  };
  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument.getArgNumber() > 0 &&
           addLoop(loop, argument.getArgNumber() - 1);
  }
  unsigned number = cast<OpResult>(tile).getResultNumber();
  if (auto loop = tile.getDefiningOp<scf::ForOp>())
    return addLoop(loop, number);
  if (auto branch = tile.getDefiningOp<scf::IfOp>()) {
    add(branch.thenYield().getOperand(number), axis);
    add(branch.elseYield().getOperand(number), axis);
    return true;
  }
  // A branch that only chooses.
  if (auto select = tile.getDefiningOp<arith::SelectOp>()) {
    add(select.getTrueValue(), axis);
    add(select.getFalseValue(), axis);
    return true;
  }
  if (auto at = tile.getDefiningOp<pl::AtOp>()) {
    add(at.getBody().front().getTerminator()->getOperand(number), axis);
    return true;
  }
  return false;
}

/// Follows data through an op that leaves it as long as it is.
bool Origins::addRule(const ExtentRule &rule) {
  switch (rule.getKind()) {
  case ExtentRule::Kind::Axis:
    if (isa<pl::TensorViewType>(rule.getValue().getType()))
      return false;
    add(rule.getValue(), rule.getAxis());
    return true;
  case ExtentRule::Kind::Meet:
    for (const ExtentRule &part : rule.getParts())
      if (!addRule(part))
        return false;
    return true;
  case ExtentRule::Kind::Size:
  case ExtentRule::Kind::Extent:
    if (auto dim = rule.getValue().getDefiningOp<pl::DimOp>();
        dim && isa<pl::TileType>(dim.getSource().getType())) {
      add(dim.getSource(), dim.getAxis());
      return true;
    }
    return false;
  default:
    return false;
  }
}

void Origins::add(Value tile, unsigned axis) {
  if (pl::getDims(tile.getType())[axis].isUnit() ||
      !visited.insert({tile, axis}).second || isMade(tile))
    return;
  if (auto found = known.origins.find({tile, axis});
      found != known.origins.end()) {
    if (found->second.first)
      axes.insert(found->second);
    return;
  }
  if (auto named = tile.getDefiningOp<pl::WithExtentsOp>())
    return add(named.getSource(), axis);
  if (auto repeated = tile.getDefiningOp<pl::BroadcastOp>()) {
    // One element that is repeated is there wherever it is wanted.
    if (std::optional<unsigned> from = repeated.getSourceAxis(axis))
      add(repeated.getSource(), *from);
    return;
  }
  if (addCrossing(tile, axis))
    return;
  auto op = tile.getDefiningOp<pl::ExtentsOpInterface>();
  if (!op || !addRule(op.getExtentRule(axis)))
    axes.insert({tile, axis});
}

/// True if nothing that the extent is computed from changes from iteration to
/// iteration.
static bool isSameInEveryIteration(const Polynomial &extent, Operation *loop,
                                   pl::ExtentTerms &terms) {
  for (unsigned number = 0; number < terms.size(); ++number) {
    Value unknown = terms[number].value;
    if (unknown && loop->isAncestor(unknown.getParentBlock()->getParentOp()) &&
        terms.dependsOn(extent, number))
      return false;
  }
  return true;
}

/// The slice that a tile was read through, if it was.
static pl::SliceOp sliceOf(Value tile) {
  auto load = tile.getDefiningOp<pl::LoadOp>();
  return load ? load.getSource().getDefiningOp<pl::SliceOp>()
              : tile.getDefiningOp<pl::SliceOp>();
}

/// The extent of an axis; of a slice that never reaches the edge its size,
/// which does not say where the slice begins.
static Polynomial extentOf(TileAxis axis, pl::ExtentProver &prover) {
  pl::ExtentTerms &terms = prover.getTerms();
  Polynomial extent = terms.ofExtent(axis.first, axis.second);
  pl::SliceOp slice = sliceOf(axis.first);
  if (!slice)
    return extent;
  unsigned from = slice.getSourceAxis(axis.second);
  Polynomial size = terms.of(slice.getSizes()[from]);
  Polynomial end = terms.of(slice.getOffsets()[from]) + size;
  bool isInside = prover.isAtMost(end, terms.ofExtent(slice.getSource(), from));
  return isInside ? terms.greatest(Polynomial::constant(0), size) : extent;
}

/// The window that an axis is, if its tile was cut out by one.
static Value sizeOfWindow(TileAxis axis) {
  auto window = axis.first.getDefiningOp<pl::WindowOp>();
  return window ? window.getSizes()[axis.second] : Value();
}

/// True if one was cut to the length of the other: the author knows of both.
static bool isCutToFit(TileAxis lhs, TileAxis rhs, pl::ExtentTerms &terms) {
  auto isCutTo = [&](TileAxis cut, TileAxis other) {
    Value size = sizeOfWindow(cut);
    return size && terms.of(size) == terms.ofExtent(other.first, other.second);
  };
  return isCutTo(lhs, rhs) || isCutTo(rhs, lhs);
}

/// True if one of what meets was cut to the length of the other just for that,
/// as `acc += t` does.
static bool isOwnCut(const ExtentRule &rule, pl::ExtentProver &prover) {
  ArrayRef<ExtentRule> parts = rule.getParts();
  auto isCutTo = [&](const ExtentRule &cut, const ExtentRule &other) {
    Value size = sizeOfWindow({cut.getValue(), cut.getAxis()});
    pl::ExtentTerms &terms = prover.getTerms();
    return size &&
           prover.isEqual(terms.of(size),
                          terms.ofExtent(other.getValue(), other.getAxis()));
  };
  return parts.size() == 2 && parts[0].getKind() == ExtentRule::Kind::Axis &&
         parts[1].getKind() == ExtentRule::Kind::Axis &&
         (isCutTo(parts[0], parts[1]) || isCutTo(parts[1], parts[0]));
}

/// True if one of what meets was read to be summed up in place: exactly what
/// the other one covers.
static bool isSumInPlace(const ExtentRule &rule) {
  return llvm::any_of(rule.getParts(), [](const ExtentRule &part) {
    Operation *op = part.getKind() == ExtentRule::Kind::Axis
                        ? part.getValue().getDefiningOp()
                        : nullptr;
    return isa_and_nonnull<pl::LoadOp>(op) && op->hasAttr(pl::atomicAttrName);
  });
}

/// Where an extent comes from: "here it is up to 64 of parameter 'x'".
static void noteOrigin(InFlightDiagnostic &warning, TileAxis origin) {
  auto [tile, axis] = origin;
  auto load = tile.getDefiningOp<pl::LoadOp>();
  Value view = load ? load.getSource() : Value();
  pl::Dim dim = pl::getDims(tile.getType())[axis];
  Diagnostic &note = warning.attachNote(
      view && view.getDefiningOp() ? view.getLoc() : tile.getLoc());
  note << "here it is "
       << (dim.isExact()    ? std::to_string(dim.getBound())
           : dim.hasBound() ? "up to " + std::to_string(dim.getBound())
                            : "what there is");
  if (Value root = view ? rootOfView(view) : Value())
    note << " of " << pl::describeValue(root);
}

/// The variable that the op adds something to, as in `total = total + t`.
static StringRef findAccumulator(Operation *op) {
  for (Value operand : op->getOperands()) {
    while (auto named = operand.getDefiningOp<pl::WithExtentsOp>())
      operand = named.getSource();
    auto argument = dyn_cast<BlockArgument>(operand);
    if (argument && isa<scf::ForOp>(argument.getOwner()->getParentOp()) &&
        !nameOfValue(argument).empty())
      return nameOfValue(argument);
  }
  return "";
}

void WarnExtentMismatchPass::warn(pl::ExtentsOpInterface op, unsigned axis,
                                  const Origins &origins, StringRef why) {
  InFlightDiagnostic warning = strict ? op->emitError() : op->emitWarning();
  warning << "the extents of axis " << axis << " may differ" << why
          << "; the result is valid where both are";
  for (TileAxis origin : origins.getAxes().take_front(maxOrigins))
    noteOrigin(warning, origin);
  StringRef total = findAccumulator(op);
  if (total.empty())
    warning.attachNote(op->getLoc())
        << "cut one to the length of the other, or fill the shorter one up "
           "with pl.fillpad";
  else
    warning.attachNote(op->getLoc())
        << "an operation in place, such as '" << total << " += ...', keeps the "
        << "extents of '" << total << "' and changes the part that both have";
  hasErrors |= strict;
}

/// What a run would refuse is no example: windows start at 0 or after it.
static pl::Constraints startsOf(Value tile, pl::ExtentTerms &terms) {
  pl::SliceOp slice = sliceOf(tile);
  auto window = tile.getDefiningOp<pl::WindowOp>();
  pl::Constraints starts;
  for (Value offset : slice    ? slice.getOffsets()
                      : window ? window.getOffsets()
                               : OperandRange(nullptr, 0))
    starts.push_back(
        Constraint::atMost(Polynomial::constant(0), terms.of(offset)));
  return starts;
}

/// ": for M = 5 they are 3 and 5", if there are such sizes.
static std::string findExample(pl::ExtentProver &prover, TileAxis lhs,
                               TileAxis rhs) {
  std::string numbers;
  auto differ = [&](pl::SizeEvaluation &sizes) {
    auto one = sizes.evaluateExtent(lhs.first, lhs.second);
    auto other = sizes.evaluateExtent(rhs.first, rhs.second);
    if (!one || !other || *one == *other)
      return false;
    numbers = std::to_string(*one) + " and " + std::to_string(*other);
    return true;
  };
  pl::ExtentTerms &terms = prover.getTerms();
  Polynomial first = terms.ofExtent(lhs.first, lhs.second);
  Polynomial second = terms.ofExtent(rhs.first, rhs.second);
  pl::Constraints wanted = startsOf(lhs.first, terms);
  llvm::append_range(wanted, startsOf(rhs.first, terms));
  wanted.push_back(Constraint::less(first, second));
  auto example = prover.findExample(wanted, differ);
  wanted.back() = Constraint::less(second, first);
  if (!example)
    example = prover.findExample(wanted, differ);
  if (!example)
    return "";
  return (example->empty() ? ": " : ": for " + *example + " ") + "they are " +
         numbers;
}

/// True if all that meets here has met before, in each of what is computed from
/// it: `r * r` tells nothing that was not told of `r`.
bool WarnExtentMismatchPass::wasCheckedBefore(const ExtentRule &rule,
                                              const Origins &origins) {
  return llvm::all_of(rule.getParts(), [&](const ExtentRule &part) {
    if (part.getKind() != ExtentRule::Kind::Axis ||
        isa<pl::TensorViewType>(part.getValue().getType()))
      return false;
    Origins its(known);
    its.add(part.getValue(), part.getAxis());
    return its.getAxes().empty() ||
           (its.getAxes().size() == origins.getAxes().size() &&
            its.getLoops().size() == origins.getLoops().size());
  });
}

void WarnExtentMismatchPass::check(pl::ExtentsOpInterface op, unsigned axis) {
  Origins origins(known);
  TileAxis result(op->getResult(0), axis);
  origins.add(result.first, axis);
  ArrayRef<TileAxis> axes = origins.getAxes();
  if (axes.size() <= 1 && origins.getLoops().empty())
    known.origins[result] = axes.empty() ? TileAxis() : axes.front();
  ExtentRule rule = op.getExtentRule(axis);
  if (rule.getKind() != ExtentRule::Kind::Meet || rule.getParts().size() < 2)
    return;
  if (axes.empty() || (axes.size() == 1 && origins.getLoops().empty()) ||
      isSumInPlace(rule) || wasCheckedBefore(rule, origins) ||
      ++numQuestions > maxQuestions)
    return;
  pl::ExtentProver prover(op.getOperation());
  pl::ExtentTerms &terms = prover.getTerms();
  if (isOwnCut(rule, prover))
    return;
  Polynomial first = terms.ofExtent(axes.front().first, axes.front().second);
  auto changesIn = [&](Operation *loop) {
    return loop->isAncestor(op) &&
           !isSameInEveryIteration(first, loop, terms) &&
           !isSameInEveryIteration(extentOf(axes.front(), prover), loop, terms);
  };
  for (Operation *loop : origins.getLoops())
    if (changesIn(loop))
      return warn(op, axis, origins,
                  ": one of them changes from iteration to iteration");
  for (TileAxis other : axes.drop_front())
    if (!isCutToFit(axes.front(), other, terms) &&
        !prover.isEqual(first, terms.ofExtent(other.first, other.second)))
      return warn(op, axis, origins, findExample(prover, axes.front(), other));
}

void WarnExtentMismatchPass::runOnOperation() {
  markAllAnalysesPreserved();
  numQuestions = 0;
  hasErrors = false;
  known = KnownTiles();
  getOperation().walk([&](pl::ExtentsOpInterface op) {
    auto tile = dyn_cast<pl::TileType>(op->getResult(0).getType());
    for (unsigned axis = 0; tile && axis < tile.getRank(); ++axis)
      check(op, axis);
  });
  if (hasErrors)
    signalPassFailure();
}
