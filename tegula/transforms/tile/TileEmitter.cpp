// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/tile/TileEmitter.h"

#include "tegula/ir/OpCosts.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/ir/ops/semantics/Reduction.h"
#include "tegula/transforms/tile/CutExpression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;
using pl::Dim;

static bool hasPending(const Window &window) {
  return llvm::any_of(window,
                      [](const AxisWindow &axis) { return axis.isPending; });
}

static ArrayRef<Dim> dimsOf(Value value) {
  return pl::getDims(value.getType());
}

Value tegula::retype(Operation *op) {
  if (auto inferring = dyn_cast<InferTypeOpInterface>(op)) {
    SmallVector<Type> types;
    if (failed(inferring.inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), types)))
      return {};
    op->getResult(0).setType(types.front());
  } else if (auto cast = dyn_cast<pl::CastOp>(op)) {
    Type element = pl::getElementOrSelf(cast.getResult().getType());
    cast.getResult().setType(
        pl::withElement(cast.getOperand().getType(), element));
  }
  return op->getResult(0);
}

Value TileEmitter::index(Location loc, int64_t value) {
  return value == 0 ? zero
                    : arith::ConstantIndexOp::create(builder, loc, value);
}

Window TileEmitter::whole(Value tile) {
  return llvm::map_to_vector<4>(
      dimsOf(tile), [&](Dim dim) { return AxisWindow{zero, dim.getBound()}; });
}

/// A window of a result, as a window of an operand of the same rank: an axis of
/// the operand that is bounded already is taken whole.
Window TileEmitter::fit(Value operand, ArrayRef<AxisWindow> window) {
  Window fitted;
  for (auto [dim, axis] : llvm::zip_equal(dimsOf(operand), window))
    fitted.push_back(isWhole(dim, axis) ? AxisWindow{zero, dim.getBound()}
                                        : axis);
  return fitted;
}

TileEmitter::Operands TileEmitter::operandsOfMatmul(pl::MatmulOp matmul,
                                                    const Window &window) {
  unsigned lhsAxis = matmul.getTransposeLhs() ? 0 : 1;
  unsigned rhsAxis = matmul.getTransposeRhs() ? 1 : 0;
  Dim columns = dimsOf(matmul.getLhs())[lhsAxis];
  Dim rows = dimsOf(matmul.getRhs())[rhsAxis];
  // An inner axis bounded on one side is summed whole; else it is a loop's.
  AxisWindow inner{zero, steps.matmul, /*isPending=*/true};
  bool isLong = cut.isLonger(matmul.getLhs(), lhsAxis, steps.matmul) &&
                cut.isLonger(matmul.getRhs(), rhsAxis, steps.matmul);
  if (!isLong)
    inner = {zero, columns.hasBound() ? columns.getBound() : rows.getBound()};
  Window lhs = {window[0], inner}, rhs = {inner, window[1]};
  if (matmul.getTransposeLhs())
    std::swap(lhs[0], lhs[1]);
  if (matmul.getTransposeRhs())
    std::swap(rhs[0], rhs[1]);
  Operands operands = {{matmul.getLhs(), fit(matmul.getLhs(), lhs)},
                       {matmul.getRhs(), fit(matmul.getRhs(), rhs)}};
  if (matmul.getAcc())
    operands.push_back({matmul.getAcc(), fit(matmul.getAcc(), window)});
  return operands;
}

/// The windows of the axes that are not of extent 1, in order: what a reshape
/// that adds and removes such axes keeps.
static Window throughUnits(pl::ReshapeOp reshape, const Window &window,
                           Value zero) {
  SmallVector<AxisWindow> kept;
  for (auto [dim, axis] : llvm::zip_equal(dimsOf(reshape.getResult()), window))
    if (!dim.isExactly(1))
      kept.push_back(axis);
  Window source;
  unsigned next = 0;
  for (Dim dim : dimsOf(reshape.getSource()))
    source.push_back(dim.isExactly(1) ? AxisWindow{zero, 1} : kept[next++]);
  return source;
}

/// How much of an axis is reduced at once: as much as steps have, unless that
/// makes a window of too many elements.
static int64_t stepOfReduction(const StepSizes &steps, const Window &window) {
  int64_t others = 1, most = steps.reduction;
  for (const AxisWindow &axis : window)
    others = std::clamp<int64_t>(others * axis.bound, 1, 1 << 30);
  if (steps.elements)
    return std::clamp<int64_t>(steps.elements / others, 1, most);
  return std::clamp<int64_t>((1 << 18) / others, std::min<int64_t>(16, most),
                             most);
}

FailureOr<TileEmitter::Operands> TileEmitter::operandsOf(Operation *op,
                                                         const Window &window) {
  if (isa<pl::ElementwiseOpInterface>(op))
    return Operands(llvm::map_range(op->getOperands(), [&](Value operand) {
      return std::make_pair(operand, fit(operand, window));
    }));
  if (auto broadcast = dyn_cast<pl::BroadcastOp>(op)) {
    Window source(dimsOf(broadcast.getSource()).size(), AxisWindow{zero, 1});
    for (auto [axis, part] : llvm::enumerate(window))
      if (std::optional<unsigned> from = broadcast.getSourceAxis(axis))
        source[*from] = part;
    return Operands{
        {broadcast.getSource(), fit(broadcast.getSource(), source)}};
  }
  if (auto reduce = dyn_cast<pl::ReduceOp>(op)) {
    Window source(window);
    Dim dim = dimsOf(reduce.getSource())[reduce.getAxis()];
    int64_t step = stepOfReduction(steps, window);
    source[reduce.getAxis()] =
        cut.isLonger(reduce.getSource(), reduce.getAxis(), step)
            ? AxisWindow{zero, step, /*isPending=*/true}
            : AxisWindow{zero, dim.getBound()};
    return Operands{{reduce.getSource(), source}};
  }
  if (auto matmul = dyn_cast<pl::MatmulOp>(op))
    return operandsOfMatmul(matmul, window);
  if (auto transpose = dyn_cast<pl::TransposeOp>(op)) {
    Window source(window);
    for (auto [axis, from] : llvm::enumerate(transpose.getPermutation()))
      source[from] = window[axis];
    return Operands{{transpose.getSource(), source}};
  }
  if (isa<pl::RelaxOp, pl::WithExtentsOp>(op)) {
    Value source = op->getOperand(0);
    return Operands{{source, fit(source, window)}};
  }
  if (auto reshape = dyn_cast<pl::ReshapeOp>(op))
    return Operands{{reshape.getSource(), throughUnits(reshape, window, zero)}};
  // The offsets of a pl.window are added where it is emitted.
  if (isa<pl::LoadOp, pl::FullOp, pl::ArangeOp, pl::WindowOp>(op))
    return Operands{};
  return failure();
}

TileEmitter::Key TileEmitter::keyOf(Value value, const Window &window) {
  Key key{value.getAsOpaquePointer(), {}};
  // A pending axis has no offset yet.
  for (const AxisWindow &axis : window)
    key.second.push_back(
        {axis.isPending ? nullptr : axis.offset.getAsOpaquePointer(),
         axis.bound});
  return key;
}

bool TileEmitter::isQuickColumn(Value value, const Window &window) {
  if (window.size() != 2 || window.back().bound != 1)
    return false;
  bool isQuick = true;
  llvm::SmallPtrSet<void *, 16> seen;
  visitExpression(
      value, cut,
      [&](Value part) {
        Operation *op = part.getDefiningOp();
        isQuick &= op && pl::getTileCost(op) <= mostOfQuick &&
                   isa<pl::LoadOp, pl::FullOp, pl::BroadcastOp, pl::RelaxOp,
                       pl::WithExtentsOp, pl::ElementwiseOpInterface>(op);
      },
      seen);
  return isQuick;
}

LogicalResult TileEmitter::prepare(Value value, const Window &window) {
  if (mostOfQuick && isQuickColumn(value, window))
    return success();
  if (!hasPending(window))
    return success(static_cast<bool>(emit(value, window)));
  if (!prepared.insert(keyOf(value, window)).second)
    return success();
  Operation *op = value.getDefiningOp();
  if (!op)
    return success();
  FailureOr<Operands> operands = operandsOf(op, window);
  if (failed(operands))
    return success(); // emit reports it
  for (auto &[operand, part] : *operands)
    if (failed(prepare(operand, part)))
      return failure();
  return success();
}

Value TileEmitter::emit(Value value, const Window &window) {
  Key key = keyOf(value, window);
  for (const auto &scope : llvm::reverse(memo))
    if (auto it = scope.find(key); it != scope.end())
      return it->second;
  Value emitted = emitUncached(value, window);
  if (emitted)
    memo.back()[key] = emitted;
  return emitted;
}

Value TileEmitter::emitUncached(Value value, const Window &window) {
  if (!cut.contains(value))
    // A reduction to a bounded tile is a sink of its own, done before.
    return narrow(value, window);
  Operation *op = value.getDefiningOp();
  if (!op) {
    emitError(value.getLoc(),
              "a value with no tile shape cannot come from here; write it to a "
              "tensor first");
    return {};
  }
  return emitOp(op, window);
}

Value TileEmitter::emitOp(Operation *op, const Window &window) {
  Value part =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](pl::LoadOp load) { return emitLoad(load, window); })
          .Case([&](pl::ArangeOp arange) { return emitArange(arange, window); })
          .Case([&](pl::ReduceOp reduce) { return emitReduce(reduce, window); })
          .Case([&](pl::MatmulOp matmul) { return emitMatmul(matmul, window); })
          .Case([&](pl::WindowOp part) { return emitWindow(part, window); })
          .Default([&](Operation *other) { return emitClone(other, window); });
  return part ? pl::keepSpace(builder, op->getResult(0), part) : Value();
}

/// The part of a bounded tile that a window asks for.
Value TileEmitter::narrow(Value tile, const Window &window) {
  if (llvm::all_of(llvm::zip_equal(dimsOf(tile), window), [&](auto pair) {
        return isWhole(std::get<0>(pair), std::get<1>(pair));
      }))
    return tile;
  // One number takes no memory, however many elements a tile has.
  if (auto full = tile.getDefiningOp<pl::FullOp>())
    return fullPart(tile, window, full.getValue());
  Location loc = tile.getLoc();
  SmallVector<Value> offsets, sizes;
  for (const AxisWindow &axis : window) {
    offsets.push_back(axis.offset);
    sizes.push_back(lengthOf(loc, axis));
  }
  return pl::WindowOp::create(builder, loc, tile, offsets, sizes);
}

Value TileEmitter::emitLoad(pl::LoadOp load, const Window &window) {
  Location loc = load.getLoc();
  SmallVector<Value> offsets, sizes;
  for (auto [axis, part] : llvm::enumerate(window)) {
    offsets.push_back(part.offset);
    sizes.push_back(isWhole(dimsOf(load.getSource())[axis], part)
                        ? pl::buildExtent(builder, loc, load.getSource(), axis)
                        : lengthOf(loc, part));
  }
  Value view =
      pl::SliceOp::create(builder, loc, load.getSource(), offsets, sizes);
  auto part = pl::LoadOp::create(builder, loc, view);
  if (Attribute sum = load->getAttr(pl::atomicAttrName))
    part->setAttr(pl::atomicAttrName, sum);
  return part;
}

/// True if the window takes all of a bounded axis.
bool TileEmitter::isWhole(Dim dim, const AxisWindow &axis) const {
  return dim.hasBound() && !axis.isPending && axis.offset == zero &&
         axis.bound >= dim.getBound();
}

SmallVector<Value> TileEmitter::sizesOf(Value value, const Window &window) {
  Location loc = value.getLoc();
  SmallVector<Value> sizes;
  // The op may be about to be replaced: its extents come from its operands.
  auto shape = value.getDefiningOp<pl::ExtentsOpInterface>();
  for (auto [axis, part] : llvm::enumerate(window)) {
    Value extent = shape.reifyExtent(builder, axis);
    sizes.push_back(isWhole(dimsOf(value)[axis], part)
                        ? extent
                        : pl::buildWindowExtent(builder, loc, extent,
                                                part.offset,
                                                lengthOf(loc, part)));
  }
  return sizes;
}

/// The type of a part of `value` that has these sizes. An axis taken whole
/// stays what it is, even if its extent does not show the bound.
pl::TileType TileEmitter::partType(Value value, const Window &window,
                                   ValueRange sizes, Type element) {
  pl::Dims dims;
  for (auto [dim, part, size] : llvm::zip_equal(dimsOf(value), window, sizes)) {
    Dim known = isWhole(dim, part) ? dim : pl::dimOfExtent(size);
    bool isLess =
        dim.hasBound() && known.isBounded() && part.bound < known.getBound();
    dims.push_back(isLess ? Dim::atMost(part.bound) : known);
  }
  return pl::TileType::get(value.getContext(), dims, element);
}

/// The part of `like` that `window` asks for, filled with one number.
Value TileEmitter::fullPart(Value like, const Window &window, Value number) {
  SmallVector<Value> sizes = sizesOf(like, window);
  return pl::FullOp::create(builder, like.getLoc(),
                            partType(like, window, sizes, number.getType()),
                            number, sizes);
}

/// Narrow floats are counted in FP32: the start of a window may not be one of
/// their numbers.
Value TileEmitter::emitArange(pl::ArangeOp arange, const Window &window) {
  Location loc = arange.getLoc();
  Type element = arange.getStart().getType();
  bool isNarrow = pl::isNarrowFloat(element);
  Type wide = isNarrow ? Type(builder.getF32Type()) : element;
  auto convert = [&](Value value, Type type) -> Value {
    if (value.getType() == type)
      return value;
    return pl::CastOp::create(builder, loc, type, value, pl::Rounding::None);
  };
  Value offset = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                            window.back().offset);
  Value start = pl::AddOp::create(
      builder, loc, convert(arange.getStart(), wide), convert(offset, wide));
  SmallVector<Value> sizes = sizesOf(arange.getResult(), window);
  Value counted = pl::ArangeOp::create(
      builder, loc, partType(arange.getResult(), window, sizes, wide), start,
      sizes);
  return isNarrow
             ? convert(counted, pl::withElement(counted.getType(), element))
             : counted;
}

/// Axes of one element are made whole; where a window lies next to it, nothing
/// is left.
Value TileEmitter::emitReshape(pl::ReshapeOp reshape, Value part,
                               const Window &window) {
  Value result = reshape.getResult();
  // A part may have one element where the whole has more.
  SmallVector<Dim> kept;
  for (auto [whole, dim] :
       llvm::zip_equal(dimsOf(reshape.getSource()), dimsOf(part)))
    if (!whole.isExactly(1))
      kept.push_back(dim);
  Window made(window), asked(window);
  pl::Dims dims(dimsOf(result));
  unsigned next = 0;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    if (dim.isExactly(1)) {
      made[axis] = {zero, 1};
      continue;
    }
    dim = kept[next++];
    asked[axis] = {zero, dim.getBound()};
  }
  auto type = pl::TileType::get(reshape.getContext(), dims,
                                pl::getElementOrSelf(result.getType()));
  Value tile = pl::ReshapeOp::create(builder, reshape.getLoc(), type, part,
                                     sizesOf(result, made));
  return narrow(tile, asked);
}

/// full, broadcast, reshape, transpose, relax and elementwise ops: the same op
/// on windows.
Value TileEmitter::emitClone(Operation *op, const Window &window) {
  FailureOr<Operands> operands = operandsOf(op, window);
  if (failed(operands)) {
    op->emitError("this value has no tile shape, and what is done to it here "
                  "cannot be done tile by tile; write it to a tensor first, or "
                  "load it with a shape");
    return {};
  }
  SmallVector<Value> parts;
  for (auto &[operand, part] : *operands) {
    parts.push_back(emit(operand, part));
    if (!parts.back())
      return {};
  }
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  if (auto full = dyn_cast<pl::FullOp>(op))
    return fullPart(result, window, full.getValue());
  if (isa<pl::RelaxOp, pl::WithExtentsOp>(op))
    return parts.front();
  if (auto reshape = dyn_cast<pl::ReshapeOp>(op))
    return emitReshape(reshape, parts.front(), window);
  if (auto broadcast = dyn_cast<pl::BroadcastOp>(op)) {
    SmallVector<Value> sizes = sizesOf(result, window);
    Type element = pl::getElementOrSelf(result.getType());
    pl::Dims dims(partType(result, window, sizes, element).getDims());
    for (unsigned axis = 0; axis < dims.size(); ++axis)
      if (std::optional<unsigned> from = broadcast.getSourceAxis(axis)) {
        dims[axis] = dimsOf(parts.front())[*from];
        // A part known to have one element is repeated as often as it has.
        if (dims[axis].isUnit())
          sizes[axis] = pl::buildExtent(builder, loc, parts.front(), *from);
      }
    auto type = pl::TileType::get(op->getContext(), dims, element);
    return pl::BroadcastOp::create(builder, loc, type, parts.front(), sizes);
  }
  IRMapping mapping;
  for (auto [operand, part] : llvm::zip_equal(op->getOperands(), parts))
    mapping.map(operand, part);
  Operation *clone = builder.clone(*op, mapping);
  // Two operands may be one value under two windows.
  clone->setOperands(parts);
  return retype(clone);
}

Value TileEmitter::emitSteps(
    Location loc, StepRange range, int64_t step, Value init,
    function_ref<Value(Value offset, Value carried)> body) {
  auto loop = scf::ForOp::create(builder, loc, range.from, range.to,
                                 index(loc, step), ValueRange{init});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  enterLoop();
  Value next = body(loop.getInductionVar(), loop.getRegionIterArg(0));
  leaveLoop();
  if (!next)
    return {};
  if (next.getType() != init.getType())
    next = pl::RelaxOp::create(builder, loc, init.getType(), next);
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

Value TileEmitter::emitReduce(pl::ReduceOp reduce, const Window &window) {
  Location loc = reduce.getLoc();
  Window source = operandsOf(reduce, window)->front().second;
  unsigned axis = reduce.getAxis();
  if (!source[axis].isPending) {
    Value part = emit(reduce.getSource(), source);
    if (!part)
      return {};
    return pl::ReduceOp::create(builder, loc, reduce.getReduction(), part,
                                axis);
  }
  Value extent = pl::buildExtent(builder, loc, reduce.getSource(), axis);
  return emitReduce(reduce, window, {zero, extent});
}

Value TileEmitter::emitReduce(pl::ReduceOp reduce, const Window &window,
                              StepRange range) {
  Location loc = reduce.getLoc();
  if (failed(prepareSteps(reduce, window)))
    return {};
  Window source = operandsOf(reduce, window)->front().second;
  unsigned axis = reduce.getAxis();
  // Narrow floats are combined in FP32 over all steps and rounded once.
  Type element = pl::getElementOrSelf(reduce.getResult().getType());
  bool isNarrow = pl::isNarrowFloat(element);
  Type wide = isNarrow ? Type(builder.getF32Type()) : element;
  auto convert = [&](Value tile, Type to) -> Value {
    if (!isNarrow)
      return tile;
    return pl::CastOp::create(builder, loc, pl::withElement(tile.getType(), to),
                              tile, pl::Rounding::None);
  };
  Value identity = pl::buildNumber(
      builder, loc,
      pl::getIdentity(reduce.getReduction(), *pl::getDType(element)), wide);
  Value init = fullPart(reduce.getResult(), window, identity);
  Value result = emitSteps(
      loc, range, source[axis].bound, init, [&](Value offset, Value carried) {
        source[axis] = {offset, source[axis].bound};
        Value part = emit(reduce.getSource(), source);
        if (!part)
          return Value();
        Value partial = pl::ReduceOp::create(
            builder, loc, reduce.getReduction(), convert(part, wide), axis);
        return pl::buildCombination(builder, loc, reduce.getReduction(),
                                    carried, partial);
      });
  return result ? convert(result, element) : Value();
}

/// What the matmuls are added to: zeros, or of the accumulator as much as the
/// result has.
Value TileEmitter::initialAcc(pl::MatmulOp matmul, Value acc,
                              const Window &window) {
  Location loc = matmul.getLoc();
  Value result = matmul.getResult();
  Type element = pl::getElementOrSelf(result.getType());
  if (!acc)
    return fullPart(result, window,
                    pl::buildNumber(builder, loc,
                                    pl::getIdentity(pl::Reduction::Sum,
                                                    *pl::getDType(element)),
                                    element));
  SmallVector<Value> sizes = sizesOf(result, window);
  bool isShorter =
      llvm::any_of(llvm::seq<unsigned>(0, sizes.size()), [&](unsigned axis) {
        return !pl::areEqualExtents(matmul.getAcc(), axis, result, axis,
                                    matmul);
      });
  if (isShorter) {
    SmallVector<Value> zeros(sizes.size(), zero);
    acc = pl::WindowOp::create(builder, loc, acc, zeros, sizes);
  }
  pl::Dims dims;
  for (auto [own, sum] : llvm::zip_equal(
           dimsOf(acc), partType(result, window, sizes, element).getDims()))
    dims.push_back(own.join(sum));
  auto type = pl::TileType::get(matmul.getContext(), dims, element);
  return type == acc.getType()
             ? acc
             : pl::RelaxOp::create(builder, loc, type, acc).getResult();
}

Value TileEmitter::emitMatmul(pl::MatmulOp matmul, const Window &window) {
  Location loc = matmul.getLoc();
  Operands operands = operandsOfMatmul(matmul, window);
  unsigned lhsInner = matmul.getTransposeLhs() ? 0 : 1;
  unsigned rhsInner = matmul.getTransposeRhs() ? 1 : 0;
  auto multiply = [&](Value acc) -> Value {
    Value lhs = emit(matmul.getLhs(), operands[0].second);
    Value rhs = lhs ? emit(matmul.getRhs(), operands[1].second) : Value();
    if (!rhs)
      return {};
    return pl::MatmulOp::create(
        builder, loc, lhs, rhs, acc, matmul.getTransposeLhsAttr(),
        matmul.getTransposeRhsAttr(), matmul.getPrecisionAttr());
  };
  Value acc;
  if (matmul.getAcc() && !(acc = emit(matmul.getAcc(), operands[2].second)))
    return {};
  if (!operands[0].second[lhsInner].isPending)
    return multiply(acc);
  if (failed(prepare(matmul.getLhs(), operands[0].second)) ||
      failed(prepare(matmul.getRhs(), operands[1].second)))
    return {};
  Value extent = pl::buildExtent(builder, loc, matmul.getLhs(), lhsInner);
  Value other = pl::buildExtent(builder, loc, matmul.getRhs(), rhsInner);
  extent = builder.createOrFold<arith::MinSIOp>(loc, extent, other);
  Value init = initialAcc(matmul, acc, window);
  int64_t step = operands[0].second[lhsInner].bound;
  return emitSteps(loc, {zero, extent}, step, init,
                   [&](Value offset, Value carried) {
                     operands[0].second[lhsInner] = {offset, step};
                     operands[1].second[rhsInner] = {offset, step};
                     return multiply(carried);
                   });
}

/// A window of a window: offsets add up, and the inner one ends where the outer
/// one does.
Value TileEmitter::emitWindow(pl::WindowOp op, const Window &window) {
  Location loc = op.getLoc();
  Window source;
  for (auto [axis, part] : llvm::enumerate(window)) {
    Value offset = builder.createOrFold<arith::AddIOp>(
        loc, op.getOffsets()[axis], part.offset);
    bool isZero = matchPattern(offset, m_Zero());
    source.push_back(
        {isZero ? zero : offset, part.bound, /*isPending=*/false, part.length});
  }
  Value part = emit(op.getSource(), source);
  if (!part)
    return {};
  SmallVector<Value> zeros(window.size(), zero);
  Value inner = pl::WindowOp::create(builder, loc, part, zeros,
                                     sizesOf(op.getResult(), window));
  // An axis that must be there stays so.
  pl::Dims dims(dimsOf(inner));
  for (auto [axis, dim] : llvm::enumerate(dimsOf(op.getResult())))
    if (dim.isExact() && window[axis].bound >= dim.getBound())
      dims[axis] = dim;
  inner.setType(pl::TileType::get(op.getContext(), dims,
                                  pl::getElementOrSelf(inner.getType())));
  return inner;
}
