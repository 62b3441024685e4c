// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlOps.h"

#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/PlRequireOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tegula::pl;

/// axes ::= tensor `[` integer `]` (`,` tensor `[` integer `]`)*
static ParseResult
parseAxisList(OpAsmParser &parser,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &tensors,
              DenseI64ArrayAttr &axes) {
  SmallVector<int64_t> numbers;
  auto parseOne = [&]() -> ParseResult {
    return failure(
        parser.parseOperand(tensors.emplace_back()) || parser.parseLSquare() ||
        parser.parseInteger(numbers.emplace_back()) || parser.parseRSquare());
  };
  if (parser.parseCommaSeparatedList(parseOne))
    return failure();
  axes = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}

static void printAxisList(OpAsmPrinter &printer, Operation *,
                          OperandRange tensors, DenseI64ArrayAttr axes) {
  llvm::interleaveComma(llvm::zip(tensors, axes.asArrayRef()),
                        printer.getStream(), [&](auto pair) {
                          printer << std::get<0>(pair) << "["
                                  << std::get<1>(pair) << "]";
                        });
}

void BindOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getExtent(), getSymbol());
}

/// True if the call checks that the comparison holds.
static bool isRequiredOfCall(arith::CmpIOp compare, Block *entry) {
  return llvm::any_of(compare->getUsers(), [&](Operation *user) {
    return isa<RequireOp>(user) && user->getBlock() == entry;
  });
}

/// An extent is not negative, and not more or less than the call allows.
void BindOp::populateBoundsForIndexValue(Value value,
                                         ValueBoundsConstraintSet &set) {
  set.bound(value) >= 0;
  for (OpOperand &use : value.getUses()) {
    auto compare = dyn_cast<arith::CmpIOp>(use.getOwner());
    if (!compare || !isRequiredOfCall(compare, getOperation()->getBlock()))
      continue;
    bool isLeft = use.getOperandNumber() == 0;
    llvm::APInt number;
    if (!matchPattern(isLeft ? compare.getRhs() : compare.getLhs(),
                      m_ConstantInt(&number)))
      continue;
    int64_t limit = number.getSExtValue();
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::eq:
      set.bound(value) == limit;
      break;
    case arith::CmpIPredicate::sle:
      isLeft ? set.bound(value) <= limit : set.bound(value) >= limit;
      break;
    case arith::CmpIPredicate::slt:
      isLeft ? set.bound(value)<limit : set.bound(value)> limit;
      break;
    case arith::CmpIPredicate::sge:
      isLeft ? set.bound(value) >= limit : set.bound(value) <= limit;
      break;
    case arith::CmpIPredicate::sgt:
      isLeft ? set.bound(value) > limit : set.bound(value) < limit;
      break;
    default:
      break;
    }
  }
}

void DimOp::populateBoundsForIndexValue(Value value,
                                        ValueBoundsConstraintSet &set) {
  Dim dim = getDims(getSource().getType())[getAxis()];
  set.bound(value) >= 0;
  if (dim.hasBound())
    set.bound(value) <= dim.getBound();
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  Dim dim = getDims(getSource().getType())[getAxis()];
  if (dim.isExact())
    return IntegerAttr::get(IndexType::get(getContext()), dim.getBound());
  return {};
}

namespace {

/// dim(op(...), axis)  ->  the least of the extents it comes from
struct ReifyDim : OpRewritePattern<DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DimOp dim,
                                PatternRewriter &rewriter) const override {
    SmallVector<ExtentRoot, 2> roots =
        nearRootsOfExtent(dim.getSource(), dim.getAxis());
    ExtentRoot self{{}, dim.getSource(), static_cast<unsigned>(dim.getAxis())};
    if (roots.size() != 1 || !(roots.front() == self)) {
      rewriter.replaceOp(dim, buildLeast(rewriter, dim.getLoc(), roots));
      return success();
    }
    auto producer = dim.getSource().getDefiningOp<ExtentsOpInterface>();
    if (!producer)
      return rewriter.notifyMatchFailure(dim, "no shape function");
    if (producer.getExtentRule(dim.getAxis()).getKind() ==
        ExtentRule::Kind::Meet)
      return rewriter.notifyMatchFailure(dim, "the least of too many extents");
    rewriter.replaceOp(dim, producer.reifyExtent(rewriter, dim.getAxis()));
    return success();
  }
};

/// True if nothing of it is worth placing: it neither computes tiles nor
/// touches memory.
static bool isIdle(AtOp at) {
  auto hasTile = [](Operation *op) {
    return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TileType>)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return isMemoryEffectFree(at) && !at.getBody().walk(hasTile).wasInterrupted();
}

/// at { ... yield v }  ->  ... v, if there is nothing to place
struct InlineIdleAt : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AtOp at,
                                PatternRewriter &rewriter) const override {
    if (!isIdle(at))
      return rewriter.notifyMatchFailure(at, "has something to place");
    Block &body = at.getBody().front();
    auto yield = cast<YieldOp>(body.getTerminator());
    rewriter.inlineBlockBefore(&body, at);
    rewriter.replaceOp(at, yield.getValues());
    rewriter.eraseOp(yield);
    return success();
  }
};

} // namespace

void DimOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<ReifyDim>(context);
}

void AtOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                       MLIRContext *context) {
  patterns.add<InlineIdleAt>(context);
}

void ReadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isa<TensorViewType>(getSource().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable(),
                         SideEffects::DefaultResource::get());
}

void SliceOp::build(OpBuilder &builder, OperationState &state, Value source,
                    ValueRange offsets, ValueRange sizes,
                    ArrayRef<int64_t> drop) {
  Dims dims;
  for (auto [axis, dim] : llvm::enumerate(getDims(source.getType())))
    if (!llvm::is_contained(drop, static_cast<int64_t>(axis)))
      dims.push_back(dimOfWindow(dim, offsets[axis], sizes[axis]));
  auto type = TensorViewType::get(builder.getContext(), dims,
                                  getElementOrSelf(source.getType()));
  build(builder, state, type, source, offsets, sizes,
        builder.getDenseI64ArrayAttr(drop));
}

void WindowOp::build(OpBuilder &builder, OperationState &state, Value source,
                     ValueRange offsets, ValueRange sizes) {
  Dims dims;
  for (auto [axis, dim] : llvm::enumerate(getDims(source.getType())))
    dims.push_back(dimOfWindow(dim, offsets[axis], sizes[axis]));
  build(builder, state,
        TileType::get(builder.getContext(), dims,
                      getElementOrSelf(source.getType())),
        source, offsets, sizes);
}

static TileType tileOfSizes(Type element, ValueRange sizes) {
  Dims dims;
  for (Value size : sizes)
    dims.push_back(dimOfExtent(size));
  return TileType::get(element.getContext(), dims, element);
}

void FullOp::build(OpBuilder &builder, OperationState &state, Value value,
                   ValueRange sizes) {
  build(builder, state, tileOfSizes(value.getType(), sizes), value, sizes);
}

void ArangeOp::build(OpBuilder &builder, OperationState &state, Value start,
                     ValueRange sizes) {
  build(builder, state, tileOfSizes(start.getType(), sizes), start, sizes);
}

std::optional<unsigned> BroadcastOp::getSourceAxis(unsigned axis) {
  ArrayRef<Dim> source = getSource().getType().getDims();
  unsigned added = getResult().getType().getRank() - source.size();
  if (axis < added)
    return std::nullopt;
  // An axis of extent 1 that stays 1 is repeated once: either reading is right.
  if (source[axis - added].isUnit())
    return std::nullopt;
  return axis - added;
}

std::optional<unsigned> BroadcastOp::getOptionalAxis(unsigned axis) {
  ArrayRef<Dim> source = getSource().getType().getDims();
  unsigned added = getResult().getType().getRank() - source.size();
  if (axis < added || source[axis - added] != Dim::atMost(1))
    return std::nullopt;
  return axis - added;
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return getSource().getType() == getResult().getType() &&
                 getSource().getType().isExact()
             ? getSource()
             : Value();
}

/// A tile that goes to another memory is not the same.
OpFoldResult RelaxOp::fold(FoldAdaptor) {
  if ((*this)->hasAttr(spaceAttrName))
    return {};
  return getSource().getType() == getResult().getType() ? getSource() : Value();
}

/// Where it is known how long the source is, nobody has to say so.
OpFoldResult WithExtentsOp::fold(FoldAdaptor) {
  if (getSource().getDefiningOp<ExtentsOpInterface>())
    return getSource();
  for (auto [axis, extent] : llvm::enumerate(getExtents())) {
    SmallVector<ExtentRoot, 2> roots = nearRootsOfExtent(getSource(), axis);
    bool isSaid = getDims(getType())[axis].isExact() ||
                  (roots.size() == 1 && roots[0].value == OpFoldResult(extent));
    if (!isSaid)
      return {};
  }
  return getSource();
}

bool CastOp::takesElement(Type element) { return isElementType(element); }
StringRef CastOp::getElementKind() { return "any element type"; }

OpFoldResult CastOp::fold(FoldAdaptor) {
  bool isIdentity = getOperand().getType() == getResult().getType();
  bool mayRound = isFloat(getElementOrSelf(getOperand().getType())) &&
                  getRounding() == Rounding::Odd;
  return isIdentity && !mayRound ? getOperand() : Value();
}

void AtOp::getSuccessorRegions(RegionBranchPoint point,
                               SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody());
  else
    regions.emplace_back(getOperation(), getResults());
}

void ParallelOp::build(OpBuilder &builder, OperationState &state, Value lower,
                       Value upper, Value step, LoopKind kind) {
  state.addOperands({lower, upper, step});
  if (kind != LoopKind::AnyOrder)
    state.addAttribute("kind", LoopKindAttr::get(builder.getContext(), kind));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  body->addArgument(builder.getIndexType(), state.location);
  ensureTerminator(*state.regions.back(), builder, state.location);
}

void ParallelOp::populateBoundsForIndexValue(Value value,
                                             ValueBoundsConstraintSet &set) {
  if (value != getInductionVar())
    return;
  set.bound(value) >= set.getExpr(getLower());
  set.bound(value) < set.getExpr(getUpper());
}

SmallVector<Region *> ParallelOp::getLoopRegions() { return {&getBody()}; }
std::optional<SmallVector<Value>> ParallelOp::getLoopInductionVars() {
  return SmallVector<Value>{getInductionVar()};
}
std::optional<SmallVector<OpFoldResult>> ParallelOp::getLoopLowerBounds() {
  return SmallVector<OpFoldResult>{getLower()};
}
std::optional<SmallVector<OpFoldResult>> ParallelOp::getLoopUpperBounds() {
  return SmallVector<OpFoldResult>{getUpper()};
}
std::optional<SmallVector<OpFoldResult>> ParallelOp::getLoopSteps() {
  return SmallVector<OpFoldResult>{getStep()};
}

void ParallelOp::getSuccessorRegions(
    RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &regions) {
  regions.emplace_back(&getBody());
  regions.emplace_back(getOperation(), getOperation()->getResults());
}

OperandRange ParallelOp::getEntrySuccessorOperands(RegionSuccessor) {
  return {getOperation()->operand_end(), getOperation()->operand_end()};
}

ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::Argument induction;
  SmallVector<OpAsmParser::UnresolvedOperand, 3> bounds(3);
  Type index = parser.getBuilder().getIndexType();
  induction.type = index;
  StringRef kind;
  if (succeeded(parser.parseOptionalKeyword(&kind, {"grid", "lanes"})))
    state.addAttribute("kind", LoopKindAttr::get(parser.getContext(),
                                                 *symbolizeLoopKind(kind)));
  if (parser.parseArgument(induction) || parser.parseEqual() ||
      parser.parseOperand(bounds[0]) || parser.parseKeyword("to") ||
      parser.parseOperand(bounds[1]) || parser.parseKeyword("step") ||
      parser.parseOperand(bounds[2]) ||
      parser.resolveOperands(bounds, index, state.operands))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("independent")))
    state.addAttribute("independent", parser.getBuilder().getUnitAttr());
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, {induction}) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), state.location);
  return success();
}

void ParallelOp::print(OpAsmPrinter &printer) {
  if (getKind() != LoopKind::AnyOrder)
    printer << " " << stringifyLoopKind(getKind());
  printer << " " << getInductionVar() << " = " << getLower() << " to "
          << getUpper() << " step " << getStep() << " ";
  if (getIndependent())
    printer << "independent ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"independent", "kind"});
}

#define GET_OP_CLASSES
#include "tegula/ir/ops/Pl_op.cpp.inc"
