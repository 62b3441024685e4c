// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Few rows and a large rhs: tiles are wider than others, so that more
// of each of its rows is read at once, on fewer pages.

#include "tegula/backends/cpu/matmul/MatmulFunctions.h"

using namespace mlir;
using namespace tegula;

namespace {

/// What is read so many steps later is fetched.
constexpr int64_t stepsAhead = 6;

/// All rows, some columns as many as a wide tile has, and pieces of the inner
/// axis that stay in the cache while strips of rows read them.
struct WideColumns {
  VectorCode &code;
  const MatmulForm &form;
  func::FuncOp tile;
  Value lhs, lhsRow, lhsInner, rhs, rhsInner, sum, sumRow, rows, inner, adds;

  void emit(Value depth) {
    code.loop(code.number(0), inner, depth, [&](Value k) {
      code.loop(rows, getLeastTile(form),
                [&](Value row) { emitTile(k, row, depth); });
    });
  }

  void emitTile(Value k, Value row, Value depth) {
    Value width = code.number(getWidePanel(form)), none = code.number(0);
    Value from = code.add(code.mul(row, lhsRow), code.mul(k, lhsInner));
    Value to = code.at(sum, form.sum, code.mul(row, sumRow));
    Value isFirst = code.both(code.isEqual(k, 0), code.isEqual(adds, 0));
    Value ahead =
        code.select(code.isEqual(row, 0), code.mul(rhsInner, stepsAhead), none);
    code.call(tile,
              {form.at(code, form.lhs, lhs, from), lhsRow, lhsInner,
               form.at(code, form.rhs, rhs, code.mul(k, rhsInner)), rhsInner,
               to, sumRow,
               code.min(code.sub(rows, row), code.number(getLeastTile(form))),
               code.min(code.sub(inner, k), depth), width,
               code.select(isFirst, none, width), ahead,
               code.number(form.getLanes()), to});
  }
};

} // namespace

func::FuncOp MatmulFunctions::getWideTiles() {
  return makeMatmul("wide_tiles", [&](VectorCode &code, ValueRange given) {
    Value rhs = given[3], sum = given[6], columns = given[9];
    int64_t panel = getWidePanel(form);
    Value whole = code.roundDown(columns, panel);
    Value isOneStrip = code.isAtMost(given[8], getLeastTile(form));
    Value depth =
        code.select(isOneStrip, given[10], code.number(getWideDepth(form)));
    code.loop(whole, panel, [&](Value column) {
      WideColumns{code,
                  form,
                  getTile(getLeastTile(form), panel / form.getLanes()),
                  given[0],
                  given[1],
                  given[2],
                  form.at(code, form.rhs, rhs, column),
                  given[4],
                  code.at(sum, form.sum, column),
                  given[7],
                  given[8],
                  given[10],
                  given[12]}
          .emit(depth);
    });
    Value left = code.sub(columns, whole);
    code.branch(code.isAtLeast(left, 1), [&] {
      SmallVector<Value> last(given);
      last[3] = form.at(code, form.rhs, rhs, whole);
      last[6] = code.at(sum, form.sum, whole);
      last[9] = left;
      code.call(getBlocked(), last);
    });
  });
}
