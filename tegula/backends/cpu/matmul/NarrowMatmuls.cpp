// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls with few rows of a few columns, and with a few columns: each element
// of the large operand is used so seldom that reading it is most of what takes
// time.

#include "tegula/backends/cpu/matmul/MatmulFunctions.h"
#include "tegula/backends/cpu/matmul/TransposeBlock.h"

using namespace mlir;
using namespace tegula;

namespace {

/// All accumulators of a few columns stay in registers.
struct ShortStreamCode {
  VectorCode &code;
  const MatmulVariant &variant;
  Value lhs, lhsInner, rhs, rhsRow, sum, columns, inner, replaces;

  void emit(Value column, int64_t vectors) {
    VectorType vector = variant.getVector();
    VectorCode::Carried sums;
    SmallVector<Value> masks, addresses;
    for (int64_t part = 0; part < vectors; ++part) {
      Value start = code.add(column, part * variant.getLanes());
      masks.push_back(code.mask(vector, code.sub(columns, start)));
      addresses.push_back(code.at(sum, variant.sum, start));
      Value before = code.load(vector, addresses.back(), masks.back());
      sums.push_back(code.select(replaces, code.zero(vector), before));
    }
    code.loop(code.number(0), inner, 1, sums,
              [&](Value k, VectorCode::Carried &partial) {
                add(k, column, masks, partial);
              });
    for (int64_t part = 0; part < vectors; ++part)
      code.store(sums[part], addresses[part], masks[part]);
  }

  void add(Value k, Value column, ArrayRef<Value> masks,
           VectorCode::Carried &partial) {
    Value offset = variant.at(code, variant.lhs, lhs, code.mul(k, lhsInner));
    Value operand = code.broadcast(
        variant.getVector(), variant.loadElement(code, variant.lhs, offset));
    Value row = code.add(code.mul(k, rhsRow), column);
    for (auto [part, mask] : llvm::enumerate(masks)) {
      Value from = code.add(row, part * variant.getLanes());
      Value elements = variant.loadVector(
          code, variant.rhs, variant.at(code, variant.rhs, rhs, from), mask);
      partial[part] = code.multiplyAdd(operand, elements, partial[part]);
    }
  }
};

} // namespace

func::FuncOp MatmulFunctions::getShortStream() {
  constexpr int64_t vectors = 4;
  auto emit = [&](VectorCode &code, ValueRange given) {
    ShortStreamCode stream{
        code,     variant,  given[0], given[1], given[2],
        given[3], given[5], given[6], given[7], code.isEqual(given[8], 0)};
    code.loop(given[6], vectors * variant.getLanes(),
              [&](Value column) { stream.emit(column, vectors); });
  };
  return make(variant.getName("short_stream"), "pnpnnpnnn", emit);
}

/// So many rows are multiplied with a column at a time.
static constexpr int64_t rows = 4;

func::FuncOp MatmulFunctions::getDots() {
  return make(
      variant.getName("dots"), "pnppnn",
      [&](VectorCode &code, ValueRange given) {
        Value lhs = given[0], lhsRow = given[1], column = given[2];
        Value sum = given[3], sumRow = given[4], inner = given[5];
        VectorType vector = variant.getVector();
        int64_t lanes = variant.getLanes();
        auto add = [&](Value k, int64_t delta, Value mask, Value *sums) {
          Value at = code.add(k, delta);
          Value address = code.at(column, variant.sum, at);
          Value operand = mask ? code.load(vector, address, mask)
                               : code.load(Type(vector), address);
          for (int64_t row = 0; row < rows; ++row) {
            Value offset = code.add(code.mul(lhsRow, row), at);
            Value elements = variant.loadVector(
                code, variant.lhs, variant.at(code, variant.lhs, lhs, offset),
                mask);
            sums[row] = code.multiplyAdd(elements, operand, sums[row]);
          }
        };
        VectorCode::Carried sums(2 * rows, code.zero(vector));
        Value whole = code.roundDown(inner, 2 * lanes);
        code.loop(code.number(0), whole, 2 * lanes, sums,
                  [&](Value k, VectorCode::Carried &partial) {
                    add(k, 0, Value(), partial.data());
                    add(k, lanes, Value(), partial.data() + rows);
                  });
        code.loop(whole, inner, lanes, sums,
                  [&](Value k, VectorCode::Carried &partial) {
                    add(k, 0, code.mask(vector, code.sub(inner, k)),
                        partial.data());
                  });
        for (int64_t row = 0; row < rows; ++row)
          code.store(code.sumOfLanes(code.sum(sums[row], sums[rows + row])),
                     code.at(sum, variant.sum, code.mul(sumRow, row)));
      });
}

namespace {

/// Some rows with some columns, as many pairs as a vector has lanes, all
/// contiguous: each pair has a vector of partial sums, and these become
/// lanes of one.
struct BlockOfDots {
  VectorCode &code;
  const MatmulVariant &variant;
  int64_t rows;
  Value lhs, lhsRow, rhs, rhsColumn, sum, sumRow, columns, inner, replaces;

  int64_t getWidth() const { return variant.getLanes() / rows; }

  void emit(Value column) {
    VectorCode::Carried sums(variant.getLanes(),
                             code.zero(variant.getVector()));
    // What is beyond the last column is that column again.
    SmallVector<Value> heads, starts;
    for (int64_t row = 0; row < rows; ++row)
      heads.push_back(
          variant.at(code, variant.lhs, lhs, code.mul(lhsRow, row)));
    Value last = code.sub(columns, code.number(1));
    for (int64_t offset = 0; offset < getWidth(); ++offset) {
      Value index = code.min(code.add(column, offset), last);
      starts.push_back(
          variant.at(code, variant.rhs, rhs, code.mul(index, rhsColumn)));
    }
    // Of one row so much of a column is read at once that the hardware
    // prefetches.
    int64_t unroll = rows == 1 ? 2 : 1;
    code.loop(code.number(0), inner, unroll * getStep(), sums,
              [&](Value k, VectorCode::Carried &partial) {
                add(k, unroll, heads, starts, partial);
              });
    Value all = sumOfEach(code, sums);
    for (int64_t row = 0; row < rows; ++row)
      store(all, row, column);
  }

  /// The accumulators of a row, added to what was there or not.
  void store(Value all, int64_t row, Value column) {
    auto part = VectorType::get(getWidth(), variant.sum);
    auto lanes = llvm::to_vector(
        llvm::seq<int64_t>(row * getWidth(), (row + 1) * getWidth()));
    Value sums =
        vector::ShuffleOp::create(code.builder, code.loc, all, all, lanes);
    Value mask = code.mask(part, code.sub(columns, column));
    Value address =
        code.at(sum, variant.sum, code.add(code.mul(sumRow, row), column));
    Value before = code.load(part, address, mask);
    before = code.select(replaces, code.zero(part), before);
    code.store(code.sum(before, sums), address, mask);
  }

  /// Pairs are multiplied as stored; fours may need an offset.
  bool hasPairs() const { return variant.getGroup() == 2; }
  int64_t getStep() const {
    return variant.getLanes() * (hasPairs() ? variant.getGroup() : 1);
  }

  Value load(const OperandType &operand, Value address, Value mask) {
    if (!hasPairs())
      return variant.loadVector(code, operand, address, mask);
    auto narrow = VectorType::get(getStep(), variant.getStored(operand));
    return code.reinterpret(code.load(narrow, address, mask),
                            variant.getPackedVector());
  }

  /// From `k` on so many vectors along the inner axis.
  void add(Value k, int64_t count, ArrayRef<Value> heads,
           ArrayRef<Value> starts, VectorCode::Carried &partial) {
    SmallVector<Value> offsets, operands, masks;
    auto lanes = VectorType::get(getStep(), code.builder.getI1Type());
    for (int64_t step = 0; step < count; ++step) {
      offsets.push_back(code.add(k, step * getStep()));
      masks.push_back(code.mask(lanes, code.sub(inner, offsets.back())));
      for (Value head : heads)
        operands.push_back(load(
            variant.lhs, variant.at(code, variant.lhs, head, offsets.back()),
            masks.back()));
    }
    for (auto [column, start] : llvm::enumerate(starts))
      for (int64_t step = 0; step < count; ++step) {
        Value elements = load(
            variant.rhs, variant.at(code, variant.rhs, start, offsets[step]),
            masks[step]);
        for (int64_t row = 0; row < rows; ++row) {
          Value &total = partial[row * getWidth() + column];
          Value operand = operands[step * rows + row];
          total = hasPairs()
                      ? variant.multiplyAdd(code, operand, elements, total)
                      : code.multiplyAdd(operand, elements, total);
        }
      }
  }
};

} // namespace

func::FuncOp MatmulFunctions::getBlockOfDots(int64_t rows) {
  return make(variant.getName("dots_of_" + std::to_string(rows)), "pnpnpnnnn",
              [&](VectorCode &code, ValueRange given) {
                BlockOfDots dots{code,     variant,  rows,
                                 given[0], given[1], given[2],
                                 given[3], given[4], given[5],
                                 given[6], given[7], code.isEqual(given[8], 0)};
                code.loop(given[6], dots.getWidth(),
                          [&](Value column) { dots.emit(column); });
              });
}

/// Some columns are multiplied by all rows while they are in the nearest cache.
void MatmulFunctions::emitDotsOfColumns(VectorCode &code, ValueRange given) {
  Value lhs = given[0], lhsRow = given[1], rhs = given[3], rhsColumn = given[5];
  Value sum = given[6], sumRow = given[7], rows = given[8];
  Value columns = given[9], inner = given[10];
  int64_t together = variant.getLanes() >= 16  ? 4
                     : variant.getLanes() >= 8 ? 2
                                               : 1;
  code.loop(columns, variant.getLanes(), [&](Value column) {
    Value left =
        code.min(code.sub(columns, column), code.number(variant.getLanes()));
    auto multiplyRows = [&](Value row, int64_t count) {
      Value offset = code.add(code.mul(row, sumRow), column);
      code.call(
          getBlockOfDots(count),
          {variant.at(code, variant.lhs, lhs, code.mul(row, lhsRow)), lhsRow,
           variant.at(code, variant.rhs, rhs, code.mul(column, rhsColumn)),
           rhsColumn, code.at(sum, variant.sum, offset), sumRow, left, inner,
           given[12]});
    };
    Value whole = code.roundDown(rows, together);
    if (together > 1)
      code.loop(whole, together,
                [&](Value row) { multiplyRows(row, together); });
    code.loop(together > 1 ? whole : code.number(0), rows, code.number(1),
              [&](Value row) { multiplyRows(row, 1); });
  });
}

/// Columns are copied side by side first. Rows go in groups that stay in the
/// cache while they are multiplied by each column.
func::FuncOp MatmulFunctions::getNarrow() {
  constexpr int64_t group = 8 * rows;
  return make(variant.getName("narrow"), "pnnpnnpnnnnp",
              [&](VectorCode &code, ValueRange given) {
                Value lhs = given[0], lhsRow = given[1], rhs = given[3];
                Value rhsInner = given[4], rhsColumn = given[5], sum = given[6],
                      sumRow = given[7];
                Value allRows = given[8], columns = given[9], inner = given[10];
                Value room = given[11];
                auto columnAt = [&](Value column) {
                  return code.at(room, variant.sum, code.mul(column, inner));
                };
                code.loop(columns, 1, [&](Value column) {
                  code.loop(inner, 1, [&](Value k) {
                    Value from = code.add(code.mul(k, rhsInner),
                                          code.mul(column, rhsColumn));
                    code.store(variant.loadElement(
                                   code, variant.rhs,
                                   variant.at(code, variant.rhs, rhs, from)),
                               code.at(columnAt(column), variant.sum, k));
                  });
                });
                Value last = code.sub(allRows, code.number(rows));
                code.loop(allRows, group, [&](Value first) {
                  Value end = code.min(allRows, code.add(first, group));
                  code.loop(columns, 1, [&](Value column) {
                    code.loop(first, end, code.number(rows), [&](Value start) {
                      // The last rows may be computed twice.
                      Value row = code.min(start, last);
                      Value offset = code.add(code.mul(row, sumRow), column);
                      code.call(getDots(), {variant.at(code, variant.lhs, lhs,
                                                       code.mul(row, lhsRow)),
                                            lhsRow, columnAt(column),
                                            code.at(sum, variant.sum, offset),
                                            sumRow, inner});
                    });
                  });
                });
              });
}
