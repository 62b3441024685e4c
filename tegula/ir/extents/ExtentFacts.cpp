// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentFacts.h"

#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace tegula::pl;

namespace {

using Roots = SmallVector<ExtentRoot, 2>;

/// Answers one question, looking at each value once.
class ExtentTracer {
public:
  explicit ExtentTracer(MLIRContext *context, unsigned maxValues = UINT_MAX)
      : context(context), maxValues(maxValues) {}

  Roots trace(Value shaped, unsigned axis);
  /// True if there was more to look at than `maxValues`.
  bool hasGivenUp() const { return numSeen > maxValues; }

private:
  /// Longer chains of ops are not followed to their end.
  static constexpr unsigned maxDepth = 1000;
  /// The least of more than this stays an extent of its own: it would be
  /// written out again for every op that hands it on.
  static constexpr unsigned maxRoots = 8;

  bool isOfUnbounded(Value shaped);
  Roots traceUnknown(Value shaped, unsigned axis);
  Roots traceArgument(BlockArgument argument, unsigned axis);
  Roots traceResult(Operation *op, unsigned axis);
  Roots traceSize(Value size);
  Roots traceLeast(Value size);
  Roots traceRule(const ExtentRule &rule);
  Roots traceAll(ArrayRef<ExtentRule> parts);

  MLIRContext *context;
  unsigned maxValues;
  unsigned depth = 0;
  /// Counted on the way down: a value is in the memo only on the way back.
  unsigned numSeen = 0;
  DenseMap<std::pair<Value, unsigned>, Roots> memo;
  DenseMap<Value, bool> ofUnbounded;
};

} // namespace

static ExtentRoot constantRoot(int64_t number, MLIRContext *context) {
  return {IntegerAttr::get(IndexType::get(context), number), {}, 0};
}

Roots ExtentTracer::trace(Value shaped, unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return {constantRoot(dim.getBound(), context)};
  auto known = memo.find({shaped, axis});
  if (known != memo.end())
    return known->second;
  ++numSeen;
  Roots roots = {{{}, shaped, axis}};
  if (depth < maxDepth && !hasGivenUp()) {
    ++depth;
    Roots found = traceUnknown(shaped, axis);
    // A value with no bound is gone once it is cut into tiles, with all axes,
    // and so are rows that are reduced.
    if (dim.isAny() || found.size() <= maxRoots || isOfUnbounded(shaped))
      roots = std::move(found);
    --depth;
  }
  memo[{shaped, axis}] = roots;
  return roots;
}

/// True if it has no bound, or is computed from what has none.
bool ExtentTracer::isOfUnbounded(Value shaped) {
  if (isUnboundedTile(shaped))
    return true;
  Operation *op = shaped.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || depth >= maxDepth ||
      maxValues != UINT_MAX || !isa<TileType>(shaped.getType()))
    return false;
  auto [known, isNew] = ofUnbounded.try_emplace(shaped, false);
  if (!isNew)
    return known->second;
  ++depth;
  bool found = llvm::any_of(
      op->getOperands(), [&](Value operand) { return isOfUnbounded(operand); });
  --depth;
  return ofUnbounded[shaped] = found;
}

Roots ExtentTracer::traceUnknown(Value shaped, unsigned axis) {
  if (auto argument = dyn_cast<BlockArgument>(shaped))
    return traceArgument(argument, axis);
  // Calls, loops and branches: what they compute is not seen from here.
  if (shaped.getDefiningOp()->getNumResults() != 1)
    return {{{}, shaped, axis}};
  return traceResult(shaped.getDefiningOp(), axis);
}

/// A constant, or the root of what a pl.dim measures, or the value itself.
Roots ExtentTracer::traceSize(Value size) {
  Attribute constant;
  if (matchPattern(size, m_Constant(&constant)))
    return {{constant, {}, 0}};
  if (auto dim = size.getDefiningOp<DimOp>())
    return trace(dim.getSource(), dim.getAxis());
  return {{size, {}, 0}};
}

/// A size that cannot be negative: an extent, or the least of several. Nothing
/// for any other.
Roots ExtentTracer::traceLeast(Value size) {
  if (isKnownExtent(size))
    return traceSize(size);
  auto least = size.getDefiningOp<arith::MinSIOp>();
  if (!least)
    return {};
  Roots roots = traceLeast(least.getLhs()), others = traceLeast(least.getRhs());
  if (roots.empty() || others.empty())
    return {};
  for (const ExtentRoot &root : others)
    if (!llvm::is_contained(roots, root))
      roots.push_back(root);
  return roots;
}

Roots ExtentTracer::traceArgument(BlockArgument argument, unsigned axis) {
  for (Operation *user : argument.getUsers())
    if (auto bind = dyn_cast<BindOp>(user))
      for (auto [tensor, bound] : llvm::zip(bind.getTensors(), bind.getAxes()))
        if (tensor == argument && bound == axis)
          return {{Value(bind.getExtent()), {}, 0}};
  return {{{}, argument, axis}};
}

Roots ExtentTracer::traceResult(Operation *op, unsigned axis) {
  auto rules = dyn_cast<ExtentsOpInterface>(op);
  Roots roots = rules ? traceRule(rules.getExtentRule(axis)) : Roots();
  return roots.empty() ? Roots{{{}, op->getResult(0), axis}} : roots;
}

/// Nothing if the rule changes the extents it is made from.
Roots ExtentTracer::traceRule(const ExtentRule &rule) {
  using Kind = ExtentRule::Kind;
  switch (rule.getKind()) {
  case Kind::Constant:
    return {constantRoot(rule.getNumber(), context)};
  case Kind::Axis:
    return trace(rule.getValue(), rule.getAxis());
  case Kind::Extent:
    return traceSize(rule.getValue());
  case Kind::Size:
    // A negative size is an extent of 0: only sizes that cannot be one.
    return traceLeast(rule.getValue());
  case Kind::Window: {
    // One that starts at 0 and is as long as its source is its source.
    Roots extent = traceRule(rule.getParts().front());
    bool isWhole = matchPattern(rule.getOffset(), m_Zero()) &&
                   traceSize(rule.getSize()) == extent;
    return isWhole ? extent : Roots();
  }
  case Kind::Least:
  case Kind::Meet:
    return traceAll(rule.getParts());
  case Kind::Sum:
  case Kind::Repeat:
    return {};
  }
  llvm_unreachable("every kind is handled");
}

Roots ExtentTracer::traceAll(ArrayRef<ExtentRule> parts) {
  Roots roots;
  for (const ExtentRule &part : parts) {
    Roots found = traceRule(part);
    if (found.empty())
      return {};
    for (const ExtentRoot &root : found)
      if (!llvm::is_contained(roots, root))
        roots.push_back(root);
  }
  return roots;
}

SmallVector<ExtentRoot, 2> tegula::pl::rootsOfExtent(Value shaped,
                                                     unsigned axis) {
  return ExtentTracer(shaped.getContext()).trace(shaped, axis);
}

SmallVector<ExtentRoot, 2> tegula::pl::nearRootsOfExtent(Value shaped,
                                                         unsigned axis) {
  constexpr unsigned nearValues = 64;
  ExtentTracer tracer(shaped.getContext(), nearValues);
  Roots roots = tracer.trace(shaped, axis);
  return tracer.hasGivenUp() ? Roots{{{}, shaped, axis}} : roots;
}

void tegula::pl::resolveExtents(Operation *root) {
  ExtentTracer tracer(root->getContext());
  SmallVector<DimOp> dims;
  // In program order, so that what an op needs is known when it is looked at.
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto dim = dyn_cast<DimOp>(op))
      dims.push_back(dim);
    if (op->getNumResults() == 1 &&
        isa<TileType, TensorViewType>(op->getResult(0).getType()))
      for (unsigned axis :
           llvm::seq<unsigned>(0, getDims(op->getResult(0).getType()).size()))
        tracer.trace(op->getResult(0), axis);
  });
  for (DimOp dim : dims) {
    auto axis = static_cast<unsigned>(dim.getAxis());
    Roots roots = tracer.trace(dim.getSource(), axis);
    if (roots.size() == 1 &&
        roots.front() == ExtentRoot{{}, dim.getSource(), axis})
      continue;
    OpBuilder builder(dim);
    dim.getExtent().replaceAllUsesWith(
        buildLeast(builder, dim.getLoc(), roots));
    dim.erase();
  }
}

Value tegula::pl::buildLeast(OpBuilder &builder, Location loc,
                             ArrayRef<ExtentRoot> roots) {
  Value least;
  for (const ExtentRoot &root : roots) {
    Value extent;
    if (auto constant = dyn_cast_if_present<Attribute>(root.value))
      extent = arith::ConstantIndexOp::create(
          builder, loc, cast<IntegerAttr>(constant).getInt());
    else if (root.value)
      extent = cast<Value>(root.value);
    else
      extent = DimOp::create(builder, loc, root.shaped, root.axis);
    least = least ? builder.createOrFold<arith::MinSIOp>(loc, least, extent)
                  : extent;
  }
  return least;
}

bool tegula::pl::areEqualExtents(Value lhs, unsigned lhsAxis, Value rhs,
                                 unsigned rhsAxis, Operation *where) {
  ExtentTracer tracer(lhs.getContext());
  Roots left = tracer.trace(lhs, lhsAxis), right = tracer.trace(rhs, rhsAxis);
  if (left.size() == right.size() &&
      llvm::all_of(left, [&](const ExtentRoot &root) {
        return llvm::is_contained(right, root);
      }))
    return true;
  if (left.size() != 1 || right.size() != 1)
    return false;
  // What the call checks may make them equal all the same.
  ExtentProver prover(where);
  auto polynomialOf = [&](const ExtentRoot &root) -> std::optional<Polynomial> {
    if (auto constant = dyn_cast_if_present<Attribute>(root.value))
      return Polynomial::constant(cast<IntegerAttr>(constant).getInt());
    if (root.value)
      return prover.getTerms().of(cast<Value>(root.value));
    return std::nullopt;
  };
  std::optional<Polynomial> leftSize = polynomialOf(left[0]);
  std::optional<Polynomial> rightSize = polynomialOf(right[0]);
  return leftSize && rightSize && prover.isEqual(*leftSize, *rightSize);
}

bool tegula::pl::isKnownExtent(Value index) {
  if (index.getDefiningOp<DimOp>() || index.getDefiningOp<BindOp>())
    return true;
  return llvm::any_of(index.getUses(), [&](OpOperand &use) {
    return isa<WithExtentsOp>(use.getOwner()) &&
           use.getOwner()->getBlock() == index.getParentBlock();
  });
}

uint64_t tegula::pl::knownDivisor(Value index) {
  llvm::APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return constant.abs().getLimitedValue();
  if (auto mul = index.getDefiningOp<arith::MulIOp>()) {
    uint64_t lhs = knownDivisor(mul.getLhs()), rhs = knownDivisor(mul.getRhs());
    bool overflows = lhs != 0 && rhs > UINT32_MAX / lhs;
    return overflows ? std::max(lhs, rhs) : lhs * rhs;
  }
  if (auto add = index.getDefiningOp<arith::AddIOp>())
    return std::gcd(knownDivisor(add.getLhs()), knownDivisor(add.getRhs()));
  if (auto sub = index.getDefiningOp<arith::SubIOp>())
    return std::gcd(knownDivisor(sub.getLhs()), knownDivisor(sub.getRhs()));
  // A loop variable is its start plus a multiple of the step.
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent);
        loop && argument == loop.getInductionVar())
      return std::gcd(knownDivisor(loop.getLowerBound()),
                      knownDivisor(loop.getStep()));
    if (auto loop = dyn_cast<ParallelOp>(parent))
      return std::gcd(knownDivisor(loop.getLower()),
                      knownDivisor(loop.getStep()));
  }
  return 1;
}

std::string tegula::pl::describeExtent(Value shaped, unsigned axis) {
  Roots roots = rootsOfExtent(shaped, axis);
  OpFoldResult root = roots.size() == 1 ? roots[0].value : OpFoldResult();
  if (auto constant = dyn_cast_if_present<Attribute>(root))
    return std::to_string(cast<IntegerAttr>(constant).getInt());
  if (auto value = dyn_cast_if_present<Value>(root))
    if (auto bind = value.getDefiningOp<BindOp>())
      return bind.getSymbol().str();
  return "a run-time value";
}
