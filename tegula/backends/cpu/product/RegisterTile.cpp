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
  Value inner, columns, kept, ahead, offsets;
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
    VectorCode::Carried sums = code.choose(
        code.isEqual(kept, 0), [&] { return starts(/*isFresh=*/true); },
        [&] { return starts(/*isFresh=*/false); });
    Value last = maskOf(vectors - 1, columns);
    code.loop(
        code.number(0), inner, 1, sums,
        [&](Value k, VectorCode::Carried &partial) { step(k, last, partial); });
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

  /// What sums start from, which is what is in memory unless they are fresh.
  VectorCode::Carried starts(bool isFresh) {
    SmallVector<Value> before, masks;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value place = code.number(vector * form.getLanes());
      before.push_back(form.hasOffset()
                           ? code.load(Type(form.getVector()),
                                       code.at(offsets, form.sum, place))
                           : code.zero(form.getVector()));
      if (!isFresh)
        masks.push_back(maskOf(vector, kept));
    }
    VectorCode::Carried sums;
    for (int64_t index = 0; index < rows * vectors; ++index) {
      Value start = before[index % vectors];
      if (!isFresh) {
        Value sum =
            code.load(form.getVector(), places[index], masks[index % vectors]);
        start = form.hasOffset() ? code.sum(sum, start) : sum;
      }
      sums.push_back(start);
    }
    return sums;
  }

  /// One step is not unrolled: with two, factors are read so early that sums
  /// no longer fit in registers.
  void step(Value k, Value last, VectorCode::Carried &partial) {
    Value start = code.mul(k, rhsRow);
    SmallVector<Value> panel;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value place = code.add(start, vector * form.getLanes());
      code.prefetch(code.at(rhs, form.getPacked(), code.add(place, ahead)));
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
  return make(name, "pnnpnpnnnnnp", [&](VectorCode &code, ValueRange given) {
    TileCode{code,     form,     rows,      vectors,  given[0], given[1],
             given[2], given[3], given[4],  given[5], given[6], given[7],
             given[8], given[9], given[10], given[11]}
        .emit();
  });
}

/// As many whole tiles as fit, then smaller ones. The last few columns are one
/// vector wide; fewer forms do for them.
static SmallVector<int64_t> tilesOfRows(int64_t most, int64_t vectors) {
  SmallVector<int64_t> sizes = {most};
  for (int64_t size : {8, 4, 2, 1})
    if (size < most && (vectors > 1 || size == 4 || size == 1))
      sizes.push_back(size);
  return sizes;
}

func::FuncOp ProductFunctions::getRows(int64_t vectors) {
  std::string name = form.getName(("rows" + Twine(vectors)).str());
  return make(name, "pnnpnpnnnnnnp", [&](VectorCode &code, ValueRange given) {
    Value lhs = given[0], lhsRow = given[1], sum = given[5], sumRow = given[6];
    Value done = code.number(0), rows = given[7];
    for (int64_t size : tilesOfRows(form.options.matmul.rows, vectors)) {
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
  });
}
