// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls of one row or two with an rhs whose rows are read from end
// to end, some of them at a time.

#include "tegula/backends/cpu/matmul/MatmulFunctions.h"

using namespace mlir;
using namespace tegula;

/// What is read where something was stored just before, but for whole pages,
/// waits for that. So accumulators lie elsewhere in a page than what is read
/// with them.
static constexpr int64_t pageBytes = 4096;

/// Rows that share sets of the nearest cache are read so many at a time.
static constexpr int64_t prefetchDepth = 8;

static Value remainder(VectorCode &code, Value number, int64_t of) {
  return code.sub(number, code.roundDown(number, of));
}

namespace {

/// Adds a few rows of rhs to accumulators of some columns, for one row of lhs
/// or two.
struct StreamCode {
  VectorCode &code;
  const MatmulVariant &variant;
  int64_t rows;
  Value lhs, lhsRow, lhsInner, rhs, rhsRow, sum, sumRow, inner;
  /// An i1: accumulators start from zero.
  Value replaces;
  /// Memory for partial sums.
  Value room;
  /// The columns that are summed up, and where the first vector of them would
  /// begin if vectors of rhs were aligned.
  Value from = {}, to = {}, base = {};
  /// The prefetch distance of rows of rhs; null if they are
  /// not.
  Value prefetchDistance = {};
  /// Partial sums of each row, as far before as column 0 would be.
  SmallVector<Value> partials = {};

  int64_t getElementBytes() const {
    return variant.getStored(variant.rhs).getIntOrFloatBitWidth() / 8;
  }
  int64_t getVectorBytes() const {
    return variant.getLanes() * getElementBytes();
  }

  /// The prefetch distance of each row, if it is read a line at a time: far
  /// enough for the last cache, whose rows the hardware does not prefetch that
  /// begin at the same offset in a page, and no further: it does better with
  /// those from memory.
  Value choosePrefetchDistance() {
    Value bytes = code.mul(code.mul(inner, rhsRow), getElementBytes());
    // Of larger ones too much is in memory.
    return code.select(code.isAtMost(bytes, variant.options.leastStreamed),
                       code.number(128), code.number(0));
  }

  /// The columns in [from, to) are next.
  void enter(Value first, Value last) {
    from = first;
    to = last;
    Value start =
        code.addressAsNumber(variant.at(code, variant.rhs, rhs, from));
    int64_t bytes = getVectorBytes();
    Value before =
        code.quotient(remainder(code, start, bytes), getElementBytes());
    base = code.sub(from, before);
    Value distance = remainder(
        code,
        code.sub(code.add(start, pageBytes / 4), code.addressAsNumber(room)),
        pageBytes);
    Value offset = code.quotient(distance, variant.getAccBytes());
    int64_t pitch =
        getStreamWidth(variant) + pageBytes / 2 / variant.getAccBytes();
    partials.clear();
    for (int64_t row = 0; row < rows; ++row)
      partials.push_back(code.at(
          room, variant.sum, code.sub(code.add(offset, row * pitch), from)));
  }

  /// From row `k` of rhs on, `depth` rows.
  void emit(Value k, int64_t depth) {
    SmallVector<Value> operands;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t step = 0; step < depth; ++step)
        operands.push_back(operandOf(row, code.add(k, step)));
    int64_t lanes = variant.getLanes();
    // Long vectors have masks at no cost; of a single row one loop does.
    if (depth == 1 || variant.options.vectorBits >= 512)
      return code.loop(base, to, code.number(lanes), [&](Value start) {
        Value column = code.max(start, from);
        Value end = code.min(code.add(start, lanes), to);
        Value mask = code.mask(variant.getVector(), code.sub(end, column));
        addRows(k, column, mask, operands);
      });
    Value whole = code.add(from, code.roundDown(code.sub(to, from), lanes));
    code.loop(from, whole, code.number(lanes),
              [&](Value column) { addRows(k, column, Value(), operands); });
    code.loop(whole, to, code.number(lanes), [&](Value column) {
      Value mask = code.mask(variant.getVector(), code.sub(to, column));
      addRows(k, column, mask, operands);
    });
  }

  Value operandOf(int64_t row, Value k) {
    Value offset = code.add(code.mul(lhsRow, row), code.mul(k, lhsInner));
    return code.broadcast(
        variant.getVector(),
        variant.loadElement(code, variant.lhs,
                            variant.at(code, variant.lhs, lhs, offset)));
  }

  /// How far behind a column what is prefetched there is. After the last column
  /// come the first ones of the rows that are next, and not what another thread
  /// has.
  Value distanceFrom(Value column) {
    Value left = code.sub(to, code.add(column, prefetchDistance));
    Value below = code.sub(code.mul(rhsRow, prefetchDepth), code.sub(to, from));
    return code.select(code.isAtLeast(left, 1), prefetchDistance,
                       code.add(prefetchDistance, below));
  }

  void addRows(Value k, Value column, Value mask, ArrayRef<Value> operands) {
    int64_t depth = operands.size() / rows;
    Value distance = prefetchDistance && depth == prefetchDepth
                         ? distanceFrom(column)
                         : Value();
    SmallVector<Value> elements;
    for (int64_t step = 0; step < depth; ++step) {
      Value row = code.mul(code.add(k, step), rhsRow);
      Value offset = code.add(row, column);
      if (distance)
        code.prefetch(
            variant.at(code, variant.rhs, rhs, code.add(offset, distance)));
      elements.push_back(variant.loadVector(
          code, variant.rhs, variant.at(code, variant.rhs, rhs, offset), mask));
    }
    Value isFirst = code.isEqual(k, 0);
    Value isLast = code.isAtMost(code.sub(inner, k), depth);
    for (int64_t row = 0; row < rows; ++row) {
      Value target = code.at(sum, variant.sum, code.mul(sumRow, row));
      Value before = code.at(code.select(isFirst, target, partials[row]),
                             variant.sum, column);
      Value after = code.at(code.select(isLast, target, partials[row]),
                            variant.sum, column);
      addTo(before, after, isFirst, mask, elements,
            operands.slice(row * depth, depth));
    }
  }

  /// Adds terms to a vector of accumulators. Few add to two, for each takes
  /// long.
  void addTo(Value before, Value after, Value isFirst, Value mask,
             ArrayRef<Value> elements, ArrayRef<Value> operands) {
    VectorType vector = variant.getVector();
    Value known = mask ? code.load(vector, before, mask)
                       : code.load(Type(vector), before);
    Value even =
        code.select(code.both(isFirst, replaces), code.zero(vector), known);
    Value odd = code.zero(vector);
    for (size_t step = 0; step < operands.size(); ++step) {
      Value &partial = step % 2 ? odd : even;
      partial = code.multiplyAdd(operands[step], elements[step], partial);
    }
    Value total = operands.size() > 1 ? code.sum(even, odd) : even;
    if (mask)
      code.store(total, after, mask);
    else
      code.store(total, after);
  }
};

} // namespace

/// Accumulators are read and written once for so many rows of rhs.
func::FuncOp MatmulFunctions::getStream(int64_t rows) {
  auto emit = [&](VectorCode &code, ValueRange given) {
    Value rhsInner = given[4], columns = given[9], inner = given[10];
    StreamCode stream{code,     variant,  rows,     given[0],
                      given[1], given[2], given[3], rhsInner,
                      given[6], given[7], inner,    code.isEqual(given[12], 0),
                      given[11]};
    if (stream.getVectorBytes() >= 64)
      stream.prefetchDistance = stream.choosePrefetchDistance();
    int64_t width = getStreamWidth(variant);
    code.loop(columns, width, [&](Value from) {
      stream.enter(from, code.min(columns, code.add(from, width)));
      Value done = code.number(0);
      auto advance = [&](Value end, int64_t depth) {
        code.loop(done, end, code.number(depth),
                  [&](Value k) { stream.emit(k, depth); });
        done = end;
      };
      if (rows == 1)
        advance(code.select(spreadsOverSets(code, variant, rhsInner),
                            code.roundDown(inner, 16), code.number(0)),
                16);
      advance(code.roundDown(inner, prefetchDepth), prefetchDepth);
      advance(inner, 1);
    });
  };
  return makeMatmul("stream" + std::to_string(rows), emit);
}
