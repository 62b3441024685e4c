// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/variants/AttentionPattern.h"

#include "tegula/backends/cuda/variants/AttentionBlocks.h"
#include "tegula/backends/cuda/variants/TilePattern.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/transforms/matmul/AccumulatorLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;
using pl::LinearForm;
using Axis = TileAxis;

/// Scores below this are as good as none: what a maximum starts from, and what
/// hidden keys have.
static constexpr double lowest = -1e29;

static bool isLowest(Value value) {
  std::optional<double> number = floatOf(value);
  return number && *number <= lowest;
}

static bool isZeroFloat(Value value) { return floatOf(value) == 0.0; }

namespace {

/// Follows attention from its store inwards. Ops that belong to it are noted,
/// with what the axes of their tiles count; in the end nothing else may be
/// there, and no tile may have fewer elements than its axes.
class AttentionSearch : TilePattern {
public:
  explicit AttentionSearch(func::FuncOp function) : function(function) {}

  std::optional<AttentionPattern> find(VariantRejection &rejection) {
    auto met = [&](bool isMatched, const char *otherwise) {
      return isMatched || rejection.reject(otherwise);
    };
    if (met(hasNarrowTensors(), "tensors are BF16 or FP16") &&
        met(findLoops(), "one store, in a loop over heads and one over blocks "
                         "of queries, to heads x rows x 64 or 128") &&
        met(matchQuotient(), "the result is the cast of sum / total, both "
                             "carried around one loop over blocks of keys") &&
        met(matchStarts(), "the loop starts from -inf (or below -1e29), 0 and "
                           "0") &&
        met(matchMaximum(), "the maximum is that of itself and of the scores "
                            "along keys") &&
        met(matchTotal(), "the total is total * faded + the weights' sum") &&
        met(matchFaded(), "what fades is exp(maximum before - maximum)") &&
        met(matchWeights(), "weights are exp(scores - maximum)") &&
        met(matchSum(), "the sum is sum * faded + the matmul of weights, cast "
                        "to the type of the values, and values") &&
        met(matchScores(), "scores are queries times transposed keys, times a "
                           "scale, hidden by key <= query or not at all") &&
        met(matchBounds(), "all keys are seen, or those up to the query") &&
        met(hasTypes(), "tensors have one type and all else is FP32") &&
        met(isAllKnown(function), "nothing else is computed or written") &&
        met(areTilesWhole(), "tiles have all elements of their blocks"))
      return found;
    return std::nullopt;
  }

private:
  bool hasNarrowTensors() {
    return llvm::all_of(function.getArgumentTypes(), [](Type type) {
      Type element = pl::getElementOrSelf(type);
      return !isa<pl::TensorViewType>(type) || element.isBF16() ||
             element.isF16();
    });
  }

  /// The tensor that a block of a head is loaded from or stored to.
  BlockArgument takeBlock(Value view, const BlockLoop &block,
                          int64_t &sharing) {
    auto slice = view.getDefiningOp<pl::SliceOp>();
    if (!slice || slice.getOffsets().size() != 3 ||
        slice.getDrop() != ArrayRef<int64_t>{0})
      return {};
    auto tensor = dyn_cast<BlockArgument>(slice.getSource());
    if (!tensor || tensor.getOwner() != &function.getBody().front() ||
        !isHead(slice.getOffsets()[0], sharing) ||
        slice.getOffsets()[1] != block.variable ||
        !isConstantInt(slice.getOffsets()[2], 0) ||
        !isConstantInt(slice.getSizes()[0], 1) ||
        !isConstantInt(slice.getSizes()[1], block.stepNumber) ||
        !isConstantInt(slice.getSizes()[2], found.headSize))
      return {};
    known.insert(slice);
    return tensor;
  }

  /// `head`, or `head // n`.
  bool isHead(Value offset, int64_t &sharing) {
    sharing = 1;
    if (offset == heads.variable)
      return true;
    Operation *op = offset.getDefiningOp();
    if (!isa_and_nonnull<arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>(
            op) ||
        op->getOperand(0) != heads.variable)
      return false;
    sharing = numberOf(op->getOperand(1)).value_or(0);
    // Heads are not negative, so that all of these divisions are the same.
    known.insert(op);
    return sharing >= 1;
  }

  BlockArgument takeLoad(Value tile, const BlockLoop &block, Axis first,
                         int64_t &sharing) {
    auto load = take<pl::LoadOp>(tile, first, Axis::Head);
    return load ? takeBlock(load.getSource(), block, sharing) : BlockArgument();
  }

  // The parts, from the outside inwards.

  /// The only store, and loops over blocks of queries and over heads around it.
  bool findLoops() {
    pl::StoreOp stored;
    auto visit = [&](pl::StoreOp op) {
      bool isFirst = !stored;
      stored = op;
      return isFirst ? WalkResult::advance() : WalkResult::interrupt();
    };
    if (function.walk(visit).wasInterrupted() || !stored ||
        stored->hasAttr(pl::atomicAttrName) || function.getNumResults() != 0)
      return false;
    store = stored;
    known.insert(store);
    Operation *parent = store;
    for (BlockLoop *loop : {&rows, &heads}) {
      parent = leave(parent);
      *loop = BlockLoop::of(parent);
      if (!loop->op || parent->getNumResults() != 0)
        return false;
      known.insert(parent);
    }
    auto slice = store.getTarget().getDefiningOp<pl::SliceOp>();
    if (leave(parent) != function || heads.stepNumber != 1 || !slice)
      return false;
    auto type = cast<pl::TensorViewType>(slice.getSource().getType());
    if (type.getRank() != 3 || !type.getDims()[2].isExact())
      return false;
    found.headSize = type.getDims()[2].getBound();
    int64_t sharing;
    found.result = takeBlock(slice, rows, sharing);
    return found.result && sharing == 1 &&
           (found.headSize == 64 || found.headSize == 128);
  }

  /// What is around an op, but for regions that name a part of the machine.
  Operation *leave(Operation *op) {
    for (op = op->getParentOp(); isa<pl::AtOp>(op) && op->getNumResults() == 0;
         op = op->getParentOp())
      known.insert(op);
    return op;
  }

  static bool isNearest(pl::CastOp cast) {
    return cast && (cast.getRounding() == pl::Rounding::Rint ||
                    cast.getRounding() == pl::Rounding::None);
  }

  /// result = cast(sum / total), both carried around the loop over keys.
  bool matchQuotient() {
    auto cast = take<pl::CastOp>(store.getTile(), Axis::Rows, Axis::Head);
    if (!isNearest(cast))
      return false;
    auto [dividend, divisor] = takeQuotient(cast.getOperand());
    auto sumOut = dyn_cast_or_null<OpResult>(dividend);
    auto totalOut = dyn_cast_or_null<OpResult>(divisor);
    if (!sumOut || !totalOut || sumOut.getOwner() != totalOut.getOwner() ||
        sumOut == totalOut)
      return false;
    loop = dyn_cast<scf::ForOp>(sumOut.getOwner());
    keys = BlockLoop::of(loop);
    if (!keys.op || loop.getNumResults() != 3)
      return false;
    known.insert(loop);
    sum = sumOut.getResultNumber();
    total = totalOut.getResultNumber();
    largest = 3 - sum - total;
    carry(sum, Axis::Head);
    carry(total, Axis::One);
    carry(largest, Axis::One);
    return true;
  }

  /// Of sum / total, or sum * (1 / total), both; or nulls.
  std::pair<Value, Value> takeQuotient(Value tile) {
    if (auto div = take<pl::DivOp>(tile, Axis::Rows, Axis::Head))
      return {strip(div.getLhs()),
              takeBroadcast(div.getRhs(), Axis::Rows, Axis::Head)};
    auto mul = take<pl::MulOp>(tile, Axis::Rows, Axis::Head);
    auto [repeated, dividend] = split<pl::BroadcastOp>(mul);
    if (!repeated)
      return {};
    Value inverse = takeBroadcast(repeated, Axis::Rows, Axis::Head);
    auto recip = take<pl::RecipOp>(inverse, Axis::Rows, Axis::One);
    if (!recip)
      return {};
    return {dividend, strip(recip.getOperand())};
  }

  void carry(unsigned number, Axis second) {
    for (Value tile :
         {Value(loop.getRegionIterArg(number)), Value(loop.getResult(number))})
      axes[tile] = {Axis::Rows, second};
  }
  Value carried(unsigned number) { return loop.getRegionIterArg(number); }
  Value next(unsigned number) { return strip(loop.getYieldedValues()[number]); }

  bool matchStarts() {
    auto start = [&](unsigned number, Axis second) {
      return takeFull(loop.getInitArgs()[number], Axis::Rows, second);
    };
    Value low = start(largest, Axis::One), none = start(total, Axis::One),
          zero = start(sum, Axis::Head);
    return low && none && zero && isLowest(low) && isZeroFloat(none) &&
           isZeroFloat(zero);
  }

  /// higher = max(largest, max of scores)
  bool matchMaximum() {
    higher = next(largest);
    auto maximum = take<pl::MaximumOp>(higher, Axis::Rows, Axis::One);
    scores =
        takeReduction(other(maximum, carried(largest)), pl::Reduction::Max);
    return static_cast<bool>(scores);
  }

  /// total = total * faded + sum of weights
  bool matchTotal() {
    auto add = take<pl::AddOp>(next(total), Axis::Rows, Axis::One);
    auto [added, before] = split<pl::ReduceOp>(add);
    weights = takeReduction(added, pl::Reduction::Sum);
    if (!weights)
      return false;
    faded =
        other(take<pl::MulOp>(before, Axis::Rows, Axis::One), carried(total));
    return static_cast<bool>(faded);
  }

  /// faded = exp(largest - higher)
  bool matchFaded() {
    auto exp = take<pl::ExpOp>(faded, Axis::Rows, Axis::One);
    if (!exp)
      return false;
    auto sub = take<pl::SubOp>(exp.getOperand(), Axis::Rows, Axis::One);
    return sub && strip(sub.getLhs()) == carried(largest) &&
           strip(sub.getRhs()) == higher;
  }

  /// weights = exp(scores - higher)
  bool matchWeights() {
    auto exp = take<pl::ExpOp>(weights, Axis::Rows, Axis::Keys);
    if (!exp)
      return false;
    auto sub = take<pl::SubOp>(exp.getOperand(), Axis::Rows, Axis::Keys);
    return sub && strip(sub.getLhs()) == scores &&
           takeBroadcast(sub.getRhs(), Axis::Rows, Axis::Keys) == higher;
  }

  /// sum = sum * faded + cast(weights) * values
  bool matchSum() {
    std::optional<MatmulSum> added = MatmulSum::find(next(sum));
    if (!added || !added->addend)
      return false;
    if (added->add) {
      take<pl::AddOp>(next(sum), Axis::Rows, Axis::Head);
      split<pl::MatmulOp>(added->add);
    }
    auto matmul = take<pl::MatmulOp>(added->matmul, Axis::Rows, Axis::Head);
    if (matmul.getTransposeLhs() || matmul.getTransposeRhs())
      return false;
    auto cast = take<pl::CastOp>(matmul.getLhs(), Axis::Rows, Axis::Keys);
    if (!isNearest(cast) || strip(cast.getOperand()) != weights)
      return false;
    rounded = cast.getResult();
    auto before = take<pl::MulOp>(added->addend, Axis::Rows, Axis::Head);
    Value repeated = other(before, carried(sum));
    if (!repeated || takeBroadcast(repeated, Axis::Rows, Axis::Head) != faded)
      return false;
    found.values = takeLoad(matmul.getRhs(), keys, Axis::Keys, found.sharing);
    return static_cast<bool>(found.values);
  }

  /// scores = queries * keys^T * scale, some of them hidden perhaps
  bool matchScores() {
    axes[scores] = {Axis::Rows, Axis::Keys};
    Value scaled = scores;
    if (auto branch = scores.getDefiningOp<scf::IfOp>()) {
      if (branch.getNumResults() != 1 || !branch.elseBlock())
        return false;
      known.insert(branch);
      condition = branch.getCondition();
      scaled = matchHidden(branch.thenYield().getOperand(0));
      if (!scaled || strip(branch.elseYield().getOperand(0)) != scaled)
        return false;
    } else if (scores.getDefiningOp<pl::SelectOp>()) {
      scaled = matchHidden(scores);
    }
    if (!scaled)
      return false;
    Value unscaled = scaled;
    if (auto mul = scaled.getDefiningOp<pl::MulOp>()) {
      take<pl::MulOp>(scaled, Axis::Rows, Axis::Keys);
      auto [full, operand] = split<pl::FullOp>(mul);
      if (!full || !matchScale(takeFull(full, Axis::Rows, Axis::Keys)))
        return false;
      unscaled = operand;
    }
    auto matmul = take<pl::MatmulOp>(unscaled, Axis::Rows, Axis::Keys);
    if (!matmul || matmul.getAcc() || matmul.getTransposeLhs() ||
        !matmul.getTransposeRhs())
      return false;
    int64_t own, shared;
    found.queries = takeLoad(matmul.getLhs(), rows, Axis::Rows, own);
    found.keys = takeLoad(matmul.getRhs(), keys, Axis::Keys, shared);
    return found.queries && found.keys && own == 1 && shared == found.sharing;
  }

  bool matchScale(Value value) {
    if (std::optional<double> number = floatOf(value)) {
      found.scaleNumber = static_cast<float>(*number);
      return true;
    }
    found.scale = dyn_cast<BlockArgument>(value);
    return found.scale && value.getType().isF32() &&
           found.scale.getOwner() == &function.getBody().front();
  }

  /// select(key <= query, scores, lowest), or select(key > query, lowest,
  /// scores): the scores.
  Value matchHidden(Value tile) {
    auto select = take<pl::SelectOp>(tile, Axis::Rows, Axis::Keys);
    if (!select)
      return {};
    auto cmp = take<pl::CmpOp>(select.getMask(), Axis::Rows, Axis::Keys);
    if (!cmp)
      return {};
    Value columns = cmp.getLhs(), numbers = cmp.getRhs();
    Value seen = select.getLhs(), hidden = select.getRhs();
    switch (cmp.getComparison()) {
    case pl::Comparison::Le:
      break;
    case pl::Comparison::Ge:
      std::swap(columns, numbers);
      break;
    case pl::Comparison::Gt:
      std::swap(seen, hidden);
      break;
    case pl::Comparison::Lt:
      std::swap(columns, numbers);
      std::swap(seen, hidden);
      break;
    default:
      return {};
    }
    Value low = takeFull(hidden, Axis::Rows, Axis::Keys);
    columnStart = matchColumns(columns);
    rowStart = matchRows(numbers);
    found.isCausal = true;
    return low && isLowest(low) && columnStart && rowStart ? strip(seen)
                                                           : Value();
  }

  /// Where numbers of keys begin, repeated for each query.
  Value matchColumns(Value tile) {
    Value ramp = takeBroadcast(tile, Axis::Rows, Axis::Keys);
    return ramp ? takeRamp(ramp, Axis::Keys) : Value();
  }

  /// Where numbers of queries begin, one below the other, repeated for each
  /// key.
  Value matchRows(Value tile) {
    Value column = takeBroadcast(tile, Axis::Rows, Axis::Keys);
    if (!column)
      return {};
    auto reshape = take<pl::ReshapeOp>(column, Axis::Rows, Axis::One);
    if (!reshape)
      return {};
    noteSizes(reshape.getSizes(), Axis::Rows, Axis::One);
    return takeRamp(reshape.getSource(), Axis::Rows);
  }

  Value takeRamp(Value tile, Axis axis) {
    auto ramp = take<pl::ArangeOp>(tile, Axis::One, axis);
    if (!ramp || ramp.getSizes().size() != 2)
      return {};
    noteSizes(ramp.getSizes(), Axis::One, axis);
    Type type = ramp.getStart().getType();
    auto start = ramp.getStart().getDefiningOp<arith::IndexCastOp>();
    if (!start || !(type.isSignlessInteger(32) || type.isSignlessInteger(64)))
      return {};
    return start.getIn();
  }

  /// All queries, all heads, and no fewer keys than are seen.
  bool matchBounds() {
    if (!isExtent(heads.upper, found.queries, found.result, 0) ||
        !isExtent(rows.upper, found.queries, found.result, 1))
      return false;
    SmallVector<Value> ends;
    collectLeast(keys.upper, ends);
    for (Value end : ends)
      if (isExtent(end, found.keys, found.values, 1))
        keyCount = end;
    if (!keyCount)
      return false;
    if (!found.isCausal)
      return ends.size() == 1;
    return blocks.reachesSeen(ends) &&
           isLinearForm(rowStart, blocks.firstSeen()) &&
           isLinearForm(columnStart, LinearForm::of(keys.variable)) &&
           (!condition || blocks.holdsForHidden(condition));
  }

  // In the end.

  bool hasTypes() {
    auto elementOf = [](Value value) {
      return pl::getElementOrSelf(value.getType());
    };
    Type type = elementOf(found.queries);
    if (!type.isBF16() && !type.isF16())
      return false;
    for (BlockArgument tensor : {found.keys, found.values, found.result}) {
      auto view = cast<pl::TensorViewType>(tensor.getType());
      if (view.getElementType() != type || view.getRank() != 3 ||
          !view.getDims()[2].isExactly(found.headSize))
        return false;
    }
    if (elementOf(rounded) != type)
      return false;
    for (Value tile : {scores, weights, higher, carried(total), carried(sum)})
      if (!elementOf(tile).isF32())
        return false;
    return found.result != found.queries && found.result != found.keys &&
           found.result != found.values;
  }

  bool areTilesWhole() {
    return llvm::all_of(sizes, [&](std::pair<Value, Axis> size) {
      return isWhole(size.first, size.second);
    });
  }

  /// Whether a tile of that size along an axis has all there is.
  bool isWhole(Value size, Axis axis) {
    if (axis == Axis::One || axis == Axis::Head)
      return isConstantInt(size, axis == Axis::One ? 1 : found.headSize);
    if (auto least = size.getDefiningOp<arith::MinSIOp>())
      return isWhole(least.getLhs(), axis) && isWhole(least.getRhs(), axis);
    if (auto dim = size.getDefiningOp<pl::DimOp>())
      return axisOf(dim) == axis;
    bool ofRows = axis == Axis::Rows;
    return isConstantInt(size, ofRows ? rows.stepNumber : keys.stepNumber) ||
           blocks.isRest(size, ofRows);
  }

  func::FuncOp function;
  AttentionPattern found;
  BlockLoop heads;
  AttentionBlocks blocks;
  BlockLoop &rows = blocks.rows, &keys = blocks.keys;
  Value &keyCount = blocks.keyCount;
  pl::StoreOp store;
  scf::ForOp loop;
  /// Which values the loop over keys carries.
  unsigned sum = 0, total = 0, largest = 0;
  Value higher, scores, weights, rounded, faded;
  /// Of causal attention: where numbers of keys and queries begin, and when
  /// they are compared, if not always.
  Value columnStart, rowStart, condition;
};

} // namespace

std::optional<AttentionPattern>
AttentionPattern::find(func::FuncOp function, VariantRejection &rejection) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return std::nullopt;
  return AttentionSearch(function).find(rejection);
}
