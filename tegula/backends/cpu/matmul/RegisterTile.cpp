// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of accumulators that stays in registers along the whole inner axis.

#include "tegula/backends/cpu/matmul/MatmulFunctions.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The arguments of a tile, and its accumulators row by row.
struct TileCode {
  VectorCode &code;
  const MatmulVariant &variant;
  int64_t rows, vectors;
  Value lhs, lhsRow, lhsInner, rhs, rhsRow, sum, sumRow;
  /// How many rows there are: fewer, maybe, than the tile has, but so many.
  Value count;
  int64_t least;
  Value inner, columns, kept, prefetchDistance, apart, offsets;
  /// Where rows of lhs start, and where accumulators lie.
  SmallVector<Value> lhsRows = {}, addresses = {};

  /// What is beyond the last row is that row again.
  Value rowOf(int64_t row) {
    Value index = code.number(row);
    return row < least ? index
                       : code.min(index, code.sub(count, code.number(1)));
  }

  Value sumAt(int64_t row, int64_t vector) {
    Value start = code.mul(sumRow, rowOf(row));
    return code.at(sum, variant.sum,
                   code.add(start, vector * variant.getLanes()));
  }

  /// The mask of the last vector, or of any if less is `wanted`.
  Value maskOf(int64_t vector, Value wanted) {
    Value left = code.sub(wanted, code.number(vector * variant.getLanes()));
    return code.mask(variant.getVector(), left);
  }

  void emit() {
    for (int64_t row = 0; row < rows; ++row)
      lhsRows.push_back(code.mul(lhsRow, rowOf(row)));
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t vector = 0; vector < vectors; ++vector)
        addresses.push_back(sumAt(row, vector));
    // Memory of accumulators is prefetched while they are computed.
    for (Value address : addresses)
      code.prefetchForStore(address);
    VectorCode::Carried sums = starts();
    Value last = maskOf(vectors - 1, columns);
    code.loop(
        code.number(0), inner, 1, sums,
        [&](Value k, VectorCode::Carried &partial) { step(k, last, partial); });
    sums = code.choose(
        code.isEqual(kept, 0), [&] { return sums; },
        [&] { return addTo(sums); });
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t vector = 0; vector < vectors; ++vector) {
        Value result = sums[row * vectors + vector];
        Value address = addresses[row * vectors + vector];
        if (vector + 1 < vectors)
          code.store(result, address);
        else
          code.store(result, address, last);
      }
  }

  VectorCode::Carried starts() {
    VectorCode::Carried sums;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value offset = code.number(vector * variant.getLanes());
      sums.push_back(variant.hasOffset()
                         ? code.load(Type(variant.getVector()),
                                     code.at(offsets, variant.sum, offset))
                         : code.zero(variant.getVector()));
    }
    for (int64_t index = vectors; index < rows * vectors; ++index)
      sums.push_back(sums[index % vectors]);
    return sums;
  }

  /// The accumulators and what is in memory.
  VectorCode::Carried addTo(const VectorCode::Carried &sums) {
    SmallVector<Value> masks;
    for (int64_t vector = 0; vector < vectors; ++vector)
      masks.push_back(maskOf(vector, kept));
    VectorCode::Carried totals;
    for (auto [index, sum] : llvm::enumerate(sums)) {
      Value before = code.load(variant.getVector(), addresses[index],
                               masks[index % vectors]);
      totals.push_back(code.sum(before, sum));
    }
    return totals;
  }

  /// One step is not unrolled: with two, operands are read so early that
  /// accumulators no longer fit in registers.
  void step(Value k, Value last, VectorCode::Carried &partial) {
    Value start = code.mul(k, rhsRow);
    Value prefetched = code.add(start, prefetchDistance);
    SmallVector<Value> panel;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value distance = code.mul(apart, vector);
      code.prefetch(
          code.at(rhs, variant.getPacked(), code.add(prefetched, distance)));
      Value offset = code.add(start, vector * variant.getLanes());
      Value address = code.at(rhs, variant.getPacked(), offset);
      bool isLast = vector + 1 == vectors;
      panel.push_back(
          isLast ? code.load(variant.getPackedVector(), address, last)
                 : code.load(Type(variant.getPackedVector()), address));
    }
    Value column = code.mul(k, lhsInner);
    for (int64_t row = 0; row < rows; ++row) {
      Value offset = code.add(lhsRows[row], column);
      Value operand = code.load(variant.getPacked(),
                                code.at(lhs, variant.getPacked(), offset));
      Value broadcast = code.broadcast(variant.getPackedVector(), operand);
      for (int64_t vector = 0; vector < vectors; ++vector) {
        Value &element = partial[row * vectors + vector];
        element = variant.multiplyAdd(code, broadcast, panel[vector], element);
      }
    }
  }
};

} // namespace

/// The rows of the next smaller tile; none if there is no smaller one.
static int64_t getSmallerTile(const MatmulVariant &variant, int64_t rows) {
  int64_t least = getLeastTile(variant);
  return rows == least ? 0 : std::max(least, rows - 2);
}

func::FuncOp MatmulFunctions::getTile(int64_t rows, int64_t vectors) {
  std::string name =
      variant.getName(("tile" + Twine(rows) + "x" + Twine(vectors)).str());
  return make(name, "pnnpnpnnnnnnnp", [&](VectorCode &code, ValueRange given) {
    TileCode{code,
             variant,
             rows,
             vectors,
             given[0],
             given[1],
             given[2],
             given[3],
             given[4],
             given[5],
             given[6],
             given[7],
             getSmallerTile(variant, rows) + 1,
             given[8],
             given[9],
             given[10],
             given[11],
             given[12],
             given[13]}
        .emit();
  });
}

void MatmulFunctions::emitRows(VectorCode &code, ValueRange given,
                               int64_t vectors) {
  if (vectors == variant.options.matmul.vectors)
    emitRowsAtOnce(code, given, vectors, variant.options.matmul.rows);
  else
    emitChunkedRows(code, given, vectors);
}

/// The smallest tile that has as many.
void MatmulFunctions::emitRowsAtOnce(VectorCode &code, ValueRange given,
                                     int64_t vectors, int64_t rows) {
  int64_t smaller = getSmallerTile(variant, rows);
  auto multiply = [&] { code.call(getTile(rows, vectors), given); };
  if (!smaller)
    return multiply();
  code.branch(code.isAtLeast(given[7], smaller + 1), multiply,
              [&] { emitRowsAtOnce(code, given, vectors, smaller); });
}

/// The last few columns are few: two tiles do for them.
void MatmulFunctions::emitChunkedRows(VectorCode &code, ValueRange given,
                                      int64_t vectors) {
  Value lhs = given[0], lhsRow = given[1], sum = given[5], sumRow = given[6];
  int64_t most = variant.options.matmul.rows, least = getLeastTile(variant);
  Value rows = given[7];
  auto inParts = [&] {
    code.loop(rows, least, [&](Value row) {
      SmallVector<Value> part(given);
      part[0] = code.at(lhs, variant.getPacked(), code.mul(row, lhsRow));
      part[5] = code.at(sum, variant.sum, code.mul(row, sumRow));
      part[7] = code.min(code.sub(rows, row), code.number(least));
      code.call(getTile(least, vectors), part);
    });
  };
  code.branch(
      code.isAtLeast(rows, getSmallerTile(variant, most) + 1),
      [&] { code.call(getTile(most, vectors), given); }, inParts);
}
