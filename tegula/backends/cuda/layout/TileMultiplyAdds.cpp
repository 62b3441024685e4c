// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls by multiply-adds of threads, which read operands from shared memory.

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/layout/LayoutClasses.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/backends/cuda/layout/TileDistributor.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tegula;

/// The exclusive or of `steps`, one for each bit of the i32 `number` that is
/// set. Bits whose steps double from one to the next are one multiplication.
static Value xorSteps(TileDistributor &distributor, Value number,
                      ArrayRef<int64_t> steps) {
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  auto isLinear = [&](size_t first, size_t count) {
    for (int64_t i = 0; i < int64_t(1) << count; ++i) {
      int64_t sum = 0;
      for (size_t bit = 0; bit < count; ++bit)
        sum ^= i >> bit & 1 ? steps[first + bit] : 0;
      if (sum != i * steps[first])
        return false;
    }
    return true;
  };
  Value sum;
  for (size_t first = 0, count; first < steps.size(); first += count) {
    count = 1;
    while (first + count < steps.size() && isLinear(first, count + 1))
      ++count;
    if (!steps[first])
      continue;
    Value part = arith::ShRUIOp::create(builder, loc, number,
                                        distributor.word(int64_t(first)));
    part = arith::AndIOp::create(builder, loc, part,
                                 distributor.word((int64_t(1) << count) - 1));
    part = arith::MulIOp::create(builder, loc, part,
                                 distributor.word(steps[first]));
    sum =
        sum ? arith::XOrIOp::create(builder, loc, sum, part).getResult() : part;
  }
  return sum ? sum : distributor.word(0);
}

namespace {

/// What threads read of an operand to multiply it for elements of a result.
class OperandReader {
public:
  OperandReader(TileDistributor &distributor, const FmaOperand &operand,
                const ElementMap &result, bool isLhs, int64_t depth)
      : distributor(distributor), operand(operand), isLhs(isLhs) {
    own.shape = boundsOf(cast<pl::TileType>(operand.tile.getType()));
    inner = own.getRank() - (isLhs ? 1 : 2);
    kept = own.getRank() - (isLhs ? 2 : 1);
    for (const Coordinate &step : result.lanes)
      own.lanes.push_back(getStep(step));
    for (const Coordinate &step : result.warps)
      own.warps.push_back(getStep(step));
    for (const Coordinate &step : result.registers)
      if (Coordinate found = getStep(step);
          llvm::any_of(found, [](int64_t part) { return part != 0; }))
        own.registers.push_back(found);
    for (int64_t step = 1; step < depth; step *= 2)
      own.registers.push_back(getInnerStep(step));
    there = getThere(own);
    sortRegisters();
    // All of shared memory can be read; what is beyond the tile is not used.
    there.shape.assign(operand.shared.getSizes().begin(),
                       operand.shared.getSizes().end());
    for (int64_t step = 1; step < roundUp(own.shape[inner]); step *= 2) {
      ElementMap bit;
      bit.shape = own.shape;
      bit.registers.push_back(getInnerStep(step));
      innerSteps.push_back(
          operand.shared.getOffset(getThere(bit).registers[0]));
    }
  }

  /// From a number of the inner axis on: an i32.
  void read(Value from) {
    Type element = pl::getElementOrSelf(operand.tile.getType());
    elements = readShared(distributor, operand.shared, signlessType(element),
                          operand.start, there,
                          xorSteps(distributor, from, innerSteps))
                   .registers;
  }

  /// For the element of the result at an offset.
  Value take(ArrayRef<int64_t> offset, int64_t further) const {
    Coordinate found = getStep(offset);
    found[inner] = further;
    return elements[*own.findRegister(found)];
  }

private:
  static int64_t roundUp(int64_t bound) {
    return int64_t(llvm::PowerOf2Ceil(std::max<int64_t>(bound, 1)));
  }

  /// Batches are matched from the last axis back, those of 1 repeated.
  Coordinate getStep(ArrayRef<int64_t> step) const {
    Coordinate found(own.getRank(), 0);
    size_t batches = own.getRank() - 2;
    ArrayRef<int64_t> ofResult = step.drop_back(2).take_back(batches);
    for (auto [axis, part] : llvm::enumerate(ofResult))
      found[axis + batches - ofResult.size()] = part;
    found[kept] = step[step.size() - (isLhs ? 2 : 1)];
    for (auto [part, bound] : llvm::zip(found, own.shape))
      part &= roundUp(bound) - 1;
    return found;
  }
  Coordinate getInnerStep(int64_t step) const {
    Coordinate found(own.getRank(), 0);
    found[inner] = step;
    return found;
  }
  /// In the tile that is in shared memory.
  ElementMap getThere(ElementMap map) const {
    for (Value tile = operand.tile; tile != operand.root;
         tile = tile.getDefiningOp()->getOperand(0))
      map = *mapOfSource(tile.getDefiningOp(), map);
    return map;
  }

  /// Neighbours in memory come first, so that they are vectors.
  void sortRegisters() {
    auto rank = [&](size_t bit) {
      const Coordinate &step = there.registers[bit];
      bool isInRow = llvm::all_of(ArrayRef<int64_t>(step).drop_back(),
                                  [](int64_t part) { return part == 0; });
      return isInRow ? step.back() : std::numeric_limits<int64_t>::max();
    };
    auto order = llvm::to_vector(llvm::seq(own.registers.size()));
    llvm::stable_sort(order,
                      [&](size_t a, size_t b) { return rank(a) < rank(b); });
    ElementMap before = own, beforeThere = there;
    for (auto [to, from] : llvm::enumerate(order)) {
      own.registers[to] = before.registers[from];
      there.registers[to] = beforeThere.registers[from];
    }
  }

  TileDistributor &distributor;
  const FmaOperand &operand;
  bool isLhs;
  unsigned inner, kept;
  /// In the operand, and in the tile that is in shared memory.
  ElementMap own, there;
  SmallVector<int64_t> innerSteps;
  SmallVector<Value> elements;
};

/// One matmul of a thread.
class FmaEmitter {
public:
  FmaEmitter(TileDistributor &distributor, pl::MatmulOp op,
             const FmaOperand &lhs, const FmaOperand &rhs,
             const ElementMap &map)
      : distributor(distributor), builder(distributor.builder),
        loc(distributor.loc), lhs(lhs), rhs(rhs), map(map),
        isSigned(pl::isSigned(pl::getElementOrSelf(op.getLhs().getType()))),
        sum(signlessType(pl::getElementOrSelf(op.getType()))) {}

  /// The accumulators from one number of the inner axis to before another, so
  /// many at a time.
  SmallVector<Value> run(ArrayRef<Value> sums, Value from, Value to,
                         int64_t depth) {
    auto loop = scf::ForOp::create(builder, loc, from, to,
                                   distributor.number(depth), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        builder, loc,
        multiply(loop.getRegionIterArgs(), loop.getInductionVar(), depth));
    return SmallVector<Value>(loop.getResults());
  }

private:
  SmallVector<Value> multiply(ValueRange before, Value from, int64_t depth) {
    OperandReader left(distributor, lhs, map, true, depth),
        right(distributor, rhs, map, false, depth);
    Value first =
        arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(), from);
    left.read(first);
    right.read(first);
    SmallVector<Value> sums(before);
    for (int64_t further = 0; further < depth; ++further) {
      size_t next = 0;
      for (int64_t i = 0; i < map.getNumRegisters(); ++i) {
        if (map.isUnused(i))
          continue;
        Coordinate offset = map.getOffset(i);
        sums[next] = add(widen(left.take(offset, further)),
                         widen(right.take(offset, further)), sums[next]);
        ++next;
      }
    }
    return sums;
  }

  /// The element in the type that is summed up; once for all its uses.
  Value widen(Value element) {
    if (element.getType() == sum)
      return element;
    Value &wide = widened[element];
    if (!wide)
      wide =
          isa<FloatType>(sum)
              ? arith::ExtFOp::create(builder, loc, sum, element).getResult()
          : isSigned
              ? arith::ExtSIOp::create(builder, loc, sum, element).getResult()
              : arith::ExtUIOp::create(builder, loc, sum, element).getResult();
    return wide;
  }
  Value add(Value a, Value b, Value before) {
    if (isa<FloatType>(sum))
      return math::FmaOp::create(builder, loc, a, b, before);
    return arith::AddIOp::create(builder, loc, before,
                                 arith::MulIOp::create(builder, loc, a, b));
  }

  TileDistributor &distributor;
  OpBuilder &builder;
  Location loc;
  const FmaOperand &lhs, &rhs;
  const ElementMap &map;
  bool isSigned;
  Type sum;
  DenseMap<Value, Value> widened;
};

} // namespace

/// Only as far as both operands go: nothing is beyond them that counts.
RegisterTile TileDistributor::multiplyAdd(pl::MatmulOp op, RegisterTile acc) {
  constexpr int64_t most = 4;
  const FmaOperand &lhs = fmaOperands.find(op.getLhs())->second,
                   &rhs = fmaOperands.find(op.getRhs())->second;
  auto left = boundsOf(op.getLhs().getType()),
       right = boundsOf(op.getRhs().getType());
  size_t leftInner = left.size() - 1, rightInner = right.size() - 2;
  int64_t bound = std::min(left[leftInner], right[rightInner]);
  int64_t depth = std::min<int64_t>(
      most, llvm::bit_floor(uint64_t(std::max<int64_t>(bound, 1))));
  OpFoldResult inner = math().min(getExtents(op.getLhs())[leftInner],
                                  getExtents(op.getRhs())[rightInner]);
  std::optional<int64_t> known = IndexMath::number(inner);
  Value end = math().value(inner);
  Value whole = known ? number(*known / depth * depth)
                      : arith::AndIOp::create(builder, loc, end, number(-depth))
                            .getResult();
  SmallVector<Value> sums;
  for (int64_t i = 0; i < acc.map.getNumRegisters(); ++i)
    if (!acc.map.isUnused(i))
      sums.push_back(acc.registers[i]);
  FmaEmitter emitter(*this, op, lhs, rhs, acc.map);
  sums = emitter.run(sums, number(0), whole, depth);
  if (!known || *known % depth)
    sums = FmaEmitter(*this, op, lhs, rhs, acc.map).run(sums, whole, end, 1);
  size_t next = 0;
  for (int64_t i = 0; i < acc.map.getNumRegisters(); ++i)
    if (!acc.map.isUnused(i))
      acc.registers[i] = sums[next++];
  // What was written for this matmul alone is not read any more.
  for (const FmaOperand *operand : {&rhs, &lhs})
    if (operand->kept && operand->block == op->getBlock())
      giveShared(*operand->kept);
  return acc;
}

void TileDistributor::emitFmaOperand(cuda::ConvertLayoutOp op) {
  Value source = op.getSource(), root = source;
  while (root.getDefiningOp() && isLazy(root) &&
         movesElements(root.getDefiningOp()))
    root = root.getDefiningOp()->getOperand(0);
  if (auto found = staged.find(root.getDefiningOp()); found != staged.end()) {
    const StagedTile &there = found->second;
    fmaOperands.insert_or_assign(
        op.getResult(), FmaOperand{there.shared, there.start, source, root,
                                   op->getBlock(), std::nullopt});
    return;
  }
  auto type = cast<pl::TileType>(source.getType());
  Type element = typeInShared(type.getElementType());
  unsigned bits = memoryType(element).getIntOrFloatBitWidth();
  ElementMap map = makeElementMap(
      chooseBlocked(op.getContext(), boundsOf(type), bits, warps),
      boundsOf(type));
  RegisterTile tile = get(source, map);
  SharedTile shared(map.shape, bits / 8);
  Value start = takeShared(shared.getBytes());
  // It may read what was there.
  awaitWarpgroups();
  wait();
  writeShared(*this, shared, start, tile);
  wait();
  fmaOperands.insert_or_assign(
      op.getResult(),
      FmaOperand{shared, start, source, source, op->getBlock(), keepShared()});
}
