// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of the sum that stays in registers while the inner axis is walked.

#include "tegula/backends/cpu/product/ProductFunctions.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The arguments of a tile, and its sums row by row.
struct TileCode {
  VectorCode &code;
  const ProductForm &form;
  int64_t rows, vectors;
  Value lhs, lhsRow, lhsInner, rhs, rhsRow, sum, sumRow;
  Value inner, columns, kept, ahead, apart, offsets;
  /// Where rows of lhs start, and where sums lie.
  SmallVector<Value> lhsRows = {}, places = {};

  Value sumAt(int64_t row, int64_t vector) {
    Value place = code.add(code.mul(sumRow, row), vector * form.getLanes());
    return code.at(sum, form.sum, place);
  }

  /// The mask of the last vector, or of any if less is `wanted`.
  Value maskOf(int64_t vector, Value wanted) {
    Value left = code.sub(wanted, code.number(vector * form.getLanes()));
    return code.mask(form.getVector(), left);
  }

  void emit() {
    for (int64_t row = 0; row < rows; ++row)
      lhsRows.push_back(code.mul(lhsRow, row));
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t vector = 0; vector < vectors; ++vector)
        places.push_back(sumAt(row, vector));
    // Memory of sums is fetched while they are computed.
    for (Value place : places)
      code.prefetchForStore(place);
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
        Value place = places[row * vectors + vector];
        if (vector + 1 < vectors)
          code.store(result, place);
        else
          code.store(result, place, last);
      }
  }

  VectorCode::Carried starts() {
    VectorCode::Carried sums;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value place = code.number(vector * form.getLanes());
      sums.push_back(form.hasOffset()
                         ? code.load(Type(form.getVector()),
                                     code.at(offsets, form.sum, place))
                         : code.zero(form.getVector()));
    }
    for (int64_t index = vectors; index < rows * vectors; ++index)
      sums.push_back(sums[index % vectors]);
    return sums;
  }

  /// The sums and what is in memory.
  VectorCode::Carried addTo(const VectorCode::Carried &sums) {
    SmallVector<Value> masks;
    for (int64_t vector = 0; vector < vectors; ++vector)
      masks.push_back(maskOf(vector, kept));
    VectorCode::Carried totals;
    for (auto [index, sum] : llvm::enumerate(sums)) {
      Value before =
          code.load(form.getVector(), places[index], masks[index % vectors]);
      totals.push_back(code.sum(before, sum));
    }
    return totals;
  }

  /// One step is not unrolled: with two, factors are read so early that sums
  /// no longer fit in registers.
  void step(Value k, Value last, VectorCode::Carried &partial) {
    Value start = code.mul(k, rhsRow);
    Value fetched = code.add(start, ahead);
    SmallVector<Value> panel;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value distance = code.mul(apart, vector);
      code.prefetch(
          code.at(rhs, form.getPacked(), code.add(fetched, distance)));
      Value place = code.add(start, vector * form.getLanes());
      Value address = code.at(rhs, form.getPacked(), place);
      bool isLast = vector + 1 == vectors;
      panel.push_back(isLast
                          ? code.load(form.getPackedVector(), address, last)
                          : code.load(Type(form.getPackedVector()), address));
    }
    Value column = code.mul(k, lhsInner);
    for (int64_t row = 0; row < rows; ++row) {
      Value place = code.add(lhsRows[row], column);
      Value factor =
          code.load(form.getPacked(), code.at(lhs, form.getPacked(), place));
      Value spread = code.spread(form.getPackedVector(), factor);
      for (int64_t vector = 0; vector < vectors; ++vector) {
        Value &element = partial[row * vectors + vector];
        element = form.multiplyAdd(code, spread, panel[vector], element);
      }
    }
  }
};

} // namespace

func::FuncOp ProductFunctions::getTile(int64_t rows, int64_t vectors) {
  std::string name =
      form.getName(("tile" + Twine(rows) + "x" + Twine(vectors)).str());
  return make(name, "pnnpnpnnnnnnp", [&](VectorCode &code, ValueRange given) {
    TileCode{code,     form,     rows,      vectors,   given[0], given[1],
             given[2], given[3], given[4],  given[5],  given[6], given[7],
             given[8], given[9], given[10], given[11], given[12]}
        .emit();
  });
}

func::FuncOp ProductFunctions::getRows(int64_t vectors) {
  std::string name = form.getName(("rows" + Twine(vectors)).str());
  return make(name, "pnnpnpnnnnnnnp", [&](VectorCode &code, ValueRange given) {
    if (vectors == form.options.matmul.vectors)
      emitRowsAtOnce(code, given, vectors, form.options.matmul.rows);
    else
      emitRowsInParts(code, given, vectors);
  });
}

/// A tile for each number of rows.
void ProductFunctions::emitRowsAtOnce(VectorCode &code, ValueRange given,
                                      int64_t vectors, int64_t rows) {
  SmallVector<Value> arguments(given);
  arguments.erase(arguments.begin() + 7);
  auto multiply = [&] { code.call(getTile(rows, vectors), arguments); };
  if (rows == 1)
    return multiply();
  code.branch(code.isEqual(given[7], rows), multiply,
              [&] { emitRowsAtOnce(code, given, vectors, rows - 1); });
}

/// The last few columns are few: some tiles do for them, whole ones first.
void ProductFunctions::emitRowsInParts(VectorCode &code, ValueRange given,
                                       int64_t vectors) {
  Value lhs = given[0], lhsRow = given[1], sum = given[5], sumRow = given[6];
  Value done = code.number(0), rows = given[7];
  for (int64_t size = form.options.matmul.rows; size > 0; size /= 2) {
    Value end = code.add(done, code.roundDown(code.sub(rows, done), size));
    code.loop(done, end, code.number(size), [&](Value row) {
      SmallVector<Value> arguments(given);
      arguments.erase(arguments.begin() + 7);
      arguments[0] = code.at(lhs, form.getPacked(), code.mul(row, lhsRow));
      arguments[5] = code.at(sum, form.sum, code.mul(row, sumRow));
      code.call(getTile(size, vectors), arguments);
    });
    done = end;
  }
}
