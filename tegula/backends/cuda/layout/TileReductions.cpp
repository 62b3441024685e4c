// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions along an axis: what a thread holds, what lanes hold, what warps
// hold.

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/layout/RegisterWords.h"
#include "tegula/backends/cuda/layout/SharedTiles.h"
#include "tegula/backends/cuda/layout/TileDistributor.h"
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/ops/semantics/Reduction.h"
#include "tegula/transforms/plan/BufferSize.h"

using namespace mlir;
using namespace tegula;

namespace {

/// One reduction.
class ThreadReduction {
public:
  ThreadReduction(TileDistributor &distributor, pl::ReduceOp op)
      : distributor(distributor), builder(distributor.builder),
        loc(distributor.loc), op(op), axis(op.getAxis()),
        element(op.getResult().getType().getElementType()),
        wide(combinedType(element)) {}

  RegisterTile run(RegisterTile tile, const ElementMap &result) {
    widen(tile);
    RegisterTile sums = combineRegisters(tile, result);
    for (auto [bit, step] : llvm::enumerate(tile.map.lanes))
      if (step[axis])
        for (Value &sum : sums.registers)
          if (sum)
            sum = combine(sum, exchange(sum, int64_t(1) << bit));
    combineWarps(tile.map, sums);
    for (Value &sum : sums.registers)
      if (sum)
        sum = fromMemory(builder, loc, sum, signlessType(element));
    return sums;
  }

private:
  Value combine(Value lhs, Value rhs) {
    return pl::buildScalarCombination(builder, loc, op.getReduction(), lhs, rhs,
                                      pl::isUnsigned(element));
  }
  Value neutral() {
    pl::Scalar start =
        pl::getIdentity(op.getReduction(), *pl::getDType(element));
    return arith::ConstantOp::create(builder, loc,
                                     pl::toAttribute(start, wide));
  }

  /// What is not valid changes nothing.
  void widen(RegisterTile &tile) {
    for (Value &value : tile.registers)
      if (value)
        value = toMemory(builder, loc, value, wide, pl::isSigned(element));
    Indices valid(tile.map.getRank(), builder.getIndexAttr(int64_t(1) << 30));
    valid[axis] = distributor.getExtents(op.getSource())[axis];
    tile = distributor.mask(tile, valid, neutral());
  }

  RegisterTile combineRegisters(const RegisterTile &tile,
                                const ElementMap &result) {
    RegisterTile sums{result, SmallVector<Value>(result.getNumRegisters())};
    for (int64_t i = 0; i < tile.map.getNumRegisters(); ++i) {
      if (!tile.registers[i])
        continue;
      Coordinate coordinate = tile.map.getOffset(i);
      coordinate[axis] = 0;
      Value &sum = sums.registers[*result.findRegister(coordinate)];
      sum = sum ? combine(sum, tile.registers[i]) : tile.registers[i];
    }
    return sums;
  }

  /// A shuffle: the value of the lane whose number differs.
  Value exchange(Value value, int64_t apart) {
    Type type = value.getType();
    unsigned bits = type.getIntOrFloatBitWidth();
    Value word = value;
    if (isa<FloatType>(type))
      word = arith::BitcastOp::create(builder, loc,
                                      builder.getIntegerType(bits), word);
    auto exchangeWord = [&](Value own) -> Value {
      return cuda::ExchangeOp::create(builder, loc, own.getType(), own,
                                      builder.getI64IntegerAttr(apart));
    };
    if (bits < 32) {
      word = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), word);
      word = exchangeWord(word);
      word = arith::TruncIOp::create(builder, loc, builder.getIntegerType(bits),
                                     word);
    } else if (bits == 32) {
      word = exchangeWord(word);
    } else {
      Value by = arith::ConstantIntOp::create(builder, loc, 32, 64);
      Type half = builder.getI32Type(), all = builder.getI64Type();
      Value low = arith::TruncIOp::create(builder, loc, half, word);
      Value high = arith::TruncIOp::create(
          builder, loc, half, arith::ShRUIOp::create(builder, loc, word, by));
      low = arith::ExtUIOp::create(builder, loc, all, exchangeWord(low));
      high = arith::ExtUIOp::create(builder, loc, all, exchangeWord(high));
      word = arith::OrIOp::create(
          builder, loc, low, arith::ShLIOp::create(builder, loc, high, by));
    }
    return isa<FloatType>(type)
               ? arith::BitcastOp::create(builder, loc, type, word).getResult()
               : word;
  }

  /// Each warp writes its partial result to shared memory, and reads those of
  /// the others.
  void combineWarps(const ElementMap &map, RegisterTile &sums) {
    SmallVector<unsigned> bits;
    for (auto [bit, step] : llvm::enumerate(map.warps))
      if (step[axis])
        bits.push_back(bit);
    if (bits.empty())
      return;
    // One row for each warp that takes part, with all coordinates but the axis.
    SmallVector<int64_t> shape = {int64_t(1) << bits.size()};
    llvm::append_range(shape, sums.map.shape);
    Type stored = wide.isInteger(1) ? Type(builder.getI8Type()) : wide;
    SharedTile shared(shape, stored.getIntOrFloatBitWidth() / 8);
    Value start = distributor.takeShared(shared.getBytes());
    auto offsetOf = [&](int64_t row, ArrayRef<int64_t> coordinate) {
      SmallVector<int64_t> all = {row};
      llvm::append_range(all, coordinate);
      return shared.getOffset(all);
    };
    // Where the thread reads of row 0, and where it writes.
    SmallVector<int64_t> reads, writes;
    for (const auto *steps : {&sums.map.lanes, &sums.map.warps})
      for (const Coordinate &step : *steps)
        reads.push_back(offsetOf(0, step));
    writes = reads;
    Coordinate nowhere(sums.map.getRank(), 0);
    for (auto [position, bit] : llvm::enumerate(bits))
      writes[map.lanes.size() + bit] ^=
          offsetOf(int64_t(1) << position, nowhere);
    Value from = distributor.xorBits(reads), to = distributor.xorBits(writes);
    auto address = [&](Value base, int64_t offset) -> Value {
      Value coordinate =
          arith::XOrIOp::create(builder, loc, base, distributor.word(offset));
      coordinate = arith::ExtUIOp::create(builder, loc, builder.getI64Type(),
                                          coordinate);
      return LLVM::GEPOp::create(builder, loc, start.getType(),
                                 builder.getI8Type(), start,
                                 ValueRange{coordinate});
    };
    distributor.wait();
    for (auto [i, sum] : llvm::enumerate(sums.registers))
      if (sum) {
        Value part[] = {toMemory(builder, loc, sum, stored, false)};
        storeWords(builder, loc,
                   address(to, offsetOf(0, sums.map.getOffset(i))), part);
      }
    distributor.wait();
    for (auto [i, sum] : llvm::enumerate(sums.registers)) {
      if (!sum)
        continue;
      Value all;
      for (int64_t row = 0; row < shape[0]; ++row) {
        Value part[1];
        loadWords(builder, loc,
                  address(from, offsetOf(row, sums.map.getOffset(i))), stored,
                  part);
        part[0] = fromMemory(builder, loc, part[0], wide);
        all = all ? combine(all, part[0]) : part[0];
      }
      sum = all;
    }
  }

  TileDistributor &distributor;
  OpBuilder &builder;
  Location loc;
  pl::ReduceOp op;
  int64_t axis;
  Type element, wide;
};

} // namespace

RegisterTile tegula::reduceRegisters(TileDistributor &distributor,
                                     pl::ReduceOp op, RegisterTile tile,
                                     const ElementMap &result) {
  return ThreadReduction(distributor, op).run(std::move(tile), result);
}
