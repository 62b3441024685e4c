// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/TileExpression.h"

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/loops/IterationWindows.h"
#include "tegula/backends/codegen/memory/StreamedStores.h"
#include "tegula/backends/codegen/memory/TileCopies.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;

TileExpression::TileExpression(TileLowering &lowering, Location loc,
                               ArrayRef<OpFoldResult> extents)
    : lowering(lowering), loc(loc) {
  for (OpFoldResult extent : extents) {
    bool isUnit = IndexMath::number(extent) == 1;
    loopOfAxis.push_back(isUnit ? -1 : static_cast<int>(loopExtents.size()));
    if (!isUnit)
      loopExtents.push_back(extent);
  }
}

View TileExpression::along(const View &view, ArrayRef<int> loops,
                           SmallVectorImpl<unsigned> &loopsKept) const {
  SmallVector<unsigned, 4> axes;
  for (auto [axis, loop] : llvm::enumerate(loops))
    if (loop >= 0)
      axes.push_back(axis);
  llvm::sort(axes, [&](unsigned a, unsigned b) { return loops[a] < loops[b]; });
  View traversed = view.axes(axes);
  for (auto [position, axis] : llvm::enumerate(axes)) {
    loopsKept.push_back(loops[axis]);
    traversed.sizes[position] = loopExtents[loops[axis]];
  }
  return traversed;
}

/// True if the innermost loop iterates over the last axis that is traversed at
/// all.
static bool isLastAxis(const LoopOfAxis &loops) {
  auto traversed =
      llvm::find_if(llvm::reverse(loops), [](int loop) { return loop >= 0; });
  return *traversed == *llvm::max_element(loops);
}

static AffineMap mapTo(MLIRContext *context, unsigned numLoops,
                       ArrayRef<unsigned> loops) {
  SmallVector<AffineExpr> exprs = llvm::map_to_vector(
      loops, [&](unsigned loop) { return getAffineDimExpr(loop, context); });
  return AffineMap::get(numLoops, 0, exprs, context);
}

void TileExpression::addLeaf(Value tile, const View &view,
                             const LoopOfAxis &loops) {
  if (!leaves.try_emplace(keyOf(tile, loops), inputs.size()).second)
    return;
  SmallVector<unsigned, 4> kept;
  View traversed = along(view, loops, kept);
  lowering.steps.read(traversed);
  // Only the innermost loop steps in vectors; other leaves are read by element.
  // Gaps in a row are seen to where the row is traversed.
  bool isStepped = !kept.empty() && kept.back() + 1 == getNumLoops();
  if (isStepped &&
      (readsAcross || !isLastAxis(loops) || findTransposed(lowering, tile))) {
    SmallVector<int64_t, 4> bounds;
    ArrayRef<pl::Dim> dims = pl::getDims(tile.getType());
    for (unsigned loop : kept)
      bounds.push_back(
          dims[llvm::find(loops, static_cast<int>(loop)) - loops.begin()]
              .getBound());
    traversed = withUnitInnerStride(lowering, traversed, bounds, loc);
  }
  OpBuilder &builder = lowering.builder;
  Value memory = traversed.asMemRef(builder, loc);
  if (Value isOutOfCache = isStepped ? isNextPrefetched(tile) : Value())
    memory = lowering.target.markOutOfCache(builder, loc, memory, isOutOfCache);
  inputs.push_back(memory);
  maps.push_back(mapTo(loc.getContext(), getNumLoops(), kept));
}

Value TileExpression::isNextPrefetched(Value tile) {
  auto load = tile.getDefiningOp<pl::LoadOp>();
  return readsAcross || (prefetchesNext && load && loadsNextRows(load))
             ? lowering.outOfCache.isOutOfCache(tile)
             : Value();
}

void TileExpression::addMemory(const View &view) {
  SmallVector<unsigned, 4> kept;
  View traversed = along(view, loopOfAxis, kept);
  lowering.steps.read(traversed);
  inputs.push_back(traversed.asMemRef(lowering.builder, loc));
  maps.push_back(mapTo(loc.getContext(), getNumLoops(), kept));
}

/// How the loops iterate over the source of an op that only moves elements.
static LoopOfAxis loopsOfSource(Operation *op, const LoopOfAxis &loops) {
  return llvm::TypeSwitch<Operation *, LoopOfAxis>(op)
      .Case([&](pl::BroadcastOp broadcast) {
        LoopOfAxis inner(broadcast.getSource().getType().getRank(), -1);
        for (auto [axis, loop] : llvm::enumerate(loops))
          if (std::optional<unsigned> from = broadcast.getSourceAxis(axis))
            inner[*from] = loop;
        return inner;
      })
      .Case([&](pl::TransposeOp transpose) {
        LoopOfAxis inner(loops.size(), -1);
        for (auto [axis, from] : llvm::enumerate(transpose.getPermutation()))
          inner[from] = loops[axis];
        return inner;
      })
      .Case([&](pl::ReshapeOp reshape) {
        LoopOfAxis inner;
        SmallVector<int> traversed;
        ArrayRef<pl::Dim> dims = reshape.getResult().getType().getDims();
        for (auto [dim, loop] : llvm::zip(dims, loops))
          if (!dim.isExactly(1))
            traversed.push_back(loop);
        unsigned next = 0;
        for (pl::Dim dim : reshape.getSource().getType().getDims())
          inner.push_back(dim.isExactly(1) ? -1 : traversed[next++]);
        return inner;
      })
      .Default([&](Operation *) { return loops; });
}

void TileExpression::addOperand(Value tile, const LoopOfAxis &loops) {
  if (!visited.insert(keyOf(tile, loops)).second)
    return;
  const Tile &known = lowering.tile(tile);
  if (known.view)
    return addLeaf(tile, *known.view, loops);
  Operation *op = tile.getDefiningOp();
  if (auto load = dyn_cast<pl::LoadOp>(op))
    return addLeaf(tile, lowering.view(load.getSource()), loops);
  if (isa<pl::FullOp, pl::ArangeOp>(op))
    return;
  LoopOfAxis inner = loopsOfSource(op, loops);
  for (Value operand : op->getOperands())
    if (isa<pl::TileType>(operand.getType()))
      addOperand(operand, inner);
}

Value TileExpression::rampElement(OpBuilder &body, pl::ArangeOp arange,
                                  const LoopOfAxis &loops) {
  Value start = lowering.scalar(arange.getStart());
  if (loops.back() < 0)
    return start;
  Value position = linalg::IndexOp::create(body, loc, loops.back());
  Type type = start.getType();
  if (!isa<FloatType>(type)) {
    Value step = arith::IndexCastOp::create(body, loc, type, position);
    return arith::AddIOp::create(body, loc, start, step);
  }
  bool isNarrow = type.getIntOrFloatBitWidth() < 32;
  Type wide = isNarrow ? Type(body.getF32Type()) : type;
  Value number =
      arith::IndexCastOp::create(body, loc, body.getI32Type(), position);
  Value step = arith::SIToFPOp::create(body, loc, wide, number);
  if (!isNarrow)
    return arith::AddFOp::create(body, loc, start, step);
  Value sum = arith::AddFOp::create(
      body, loc, arith::ExtFOp::create(body, loc, wide, start), step);
  return arith::TruncFOp::create(body, loc, type, sum);
}

Value TileExpression::computeElement(OpBuilder &body, Operation *op,
                                     const LoopOfAxis &loops) {
  if (auto full = dyn_cast<pl::FullOp>(op))
    return lowering.scalar(full.getValue());
  if (auto arange = dyn_cast<pl::ArangeOp>(op))
    return rampElement(body, arange, loops);
  LoopOfAxis inner = loopsOfSource(op, loops);
  auto elementwise = dyn_cast<pl::ElementwiseOpInterface>(op);
  if (!elementwise) {
    assert((isa<pl::BroadcastOp, pl::RelaxOp, pl::ReshapeOp, pl::TransposeOp>(
               op)) &&
           "what moves elements is known");
    return elementOf(body, op->getOperand(0), inner);
  }
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) {
        return elementOf(body, operand, inner);
      });
  return elementwise.buildScalar(body, operands);
}

Value TileExpression::elementOf(OpBuilder &body, Value tile,
                                const LoopOfAxis &loops) {
  auto key = keyOf(tile, loops);
  auto known = elements.find(key);
  if (known != elements.end())
    return known->second;
  auto leaf = leaves.find(key);
  Value element;
  if (leaf != leaves.end())
    element = fromMemory(body, loc, body.getBlock()->getArgument(leaf->second),
                         signlessType(pl::getElementOrSelf(tile.getType())));
  else
    element = computeElement(body, tile.getDefiningOp(), loops);
  elements[key] = element;
  return element;
}

/// linalg takes the lengths of loops from operands. A loop that iterates over
/// none, as in a sum over repeated elements, gets one that is never read.
void TileExpression::addShapeOperand(const View &target) {
  bool isCovered = llvm::all_of(llvm::seq(getNumLoops()), [&](unsigned loop) {
    return llvm::any_of(
        maps, [&](AffineMap map) { return map.isFunctionOfDim(loop); });
  });
  if (isCovered)
    return;
  Builder builder(loc.getContext());
  View shape{target.base, target.element, target.offset, loopExtents,
             Indices(getNumLoops(), builder.getIndexAttr(0))};
  shape.strides.back() = builder.getIndexAttr(1);
  inputs.push_back(shape.asMemRef(lowering.builder, loc));
  maps.insert(maps.end() - 1, AffineMap::getMultiDimIdentityMap(
                                  getNumLoops(), loc.getContext()));
}

void TileExpression::emit(const View &target, ArrayRef<int> targetLoops,
                          ArrayRef<utils::IteratorType> kinds,
                          function_ref<Value(OpBuilder &, Value)> makeElement) {
  SmallVector<unsigned, 4> kept;
  View traversed = along(target, targetLoops, kept);
  lowering.steps.write(traversed);
  lowering.steps.loop(loopExtents);
  maps.push_back(mapTo(loc.getContext(), getNumLoops(), kept));
  addShapeOperand(traversed);
  OpBuilder &builder = lowering.builder;
  Value output = traversed.asMemRef(builder, loc);
  if (traversed.streams)
    output =
        lowering.target.markStreamed(builder, loc, output, traversed.streams);
  linalg::GenericOp::create(
      builder, loc, inputs, output, maps, kinds,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        Value element = makeElement(body, arguments.back());
        linalg::YieldOp::create(body, loc, element);
      });
}

void TileExpression::emitParallel(const View &target,
                                  function_ref<Value(OpBuilder &)> element) {
  SmallVector<utils::IteratorType> kinds(getNumLoops(),
                                         utils::IteratorType::parallel);
  emit(target, loopOfAxis, kinds,
       [&](OpBuilder &body, Value) { return element(body); });
}

// The extents are a copy: those of the tile move when others are lowered.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void tegula::evaluateInto(TileLowering &lowering, Value value, View target,
                          Indices extents, Location loc) {
  Type element = pl::getElementOrSelf(value.getType());
  bool isSigned = pl::isSigned(element);
  ScratchScope scope(lowering.scratch);
  UnitScope unit(lowering.steps, loc);
  TileExpression expression(lowering, loc, extents);
  if (!lowering.tile(value).view && isComputedSlowly(value, lowering.plan))
    expression.prefetchNext();
  expression.addOperand(value);
  expression.emitParallel(target, [&](OpBuilder &body) {
    return toMemory(body, loc, expression.elementOf(body, value),
                    target.element, isSigned);
  });
}

void tegula::fill(TileLowering &lowering, View target, Value number,
                  bool isSigned, Location loc) {
  UnitScope unit(lowering.steps, loc);
  TileExpression expression(lowering, loc, target.sizes);
  expression.emitParallel(target, [&](OpBuilder &body) {
    return toMemory(body, loc, number, target.element, isSigned);
  });
}

void tegula::copyElements(TileLowering &lowering, const View &from,
                          const View &to, Location loc) {
  UnitScope unit(lowering.steps, loc);
  TileExpression expression(lowering, loc, to.sizes);
  expression.addMemory(from);
  expression.emitParallel(to, [](OpBuilder &body) -> Value {
    return body.getBlock()->getArgument(0);
  });
}
