// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three or four rows: tiles are wider than others, so that more of each row of
// the right factor is read at once, on fewer pages.

#include "tegula/backends/cpu/product/ProductFunctions.h"

using namespace mlir;
using namespace tegula;

/// What is read so many steps later is fetched.
static constexpr int64_t stepsAhead = 4;

void ProductFunctions::emitWideTile(VectorCode &code, ValueRange tile,
                                    Value rows, int64_t most) {
  int64_t vectors = getWidePanel(form) / form.getLanes();
  auto multiply = [&] { code.call(getTile(most, vectors), tile); };
  if (most == getLeastWideRows())
    return multiply();
  code.branch(code.isEqual(rows, most), multiply,
              [&] { emitWideTile(code, tile, rows, most - 1); });
}

func::FuncOp ProductFunctions::getWideTiles() {
  return makeProduct("wide_tiles", [&](VectorCode &code, ValueRange given) {
    Value lhs = given[0], rhs = given[3], rhsInner = given[4], sum = given[6];
    Value rows = given[8], inner = given[10], adds = given[12];
    int64_t panel = getWidePanel(form);
    Value whole = code.roundDown(given[9], panel), width = code.number(panel);
    Value kept = code.select(code.isEqual(adds, 0), code.number(0), width);
    code.loop(whole, panel, [&](Value column) {
      Value to = code.at(sum, form.sum, column);
      emitWideTile(
          code,
          {lhs, given[1], given[2], form.at(code, form.rhs, rhs, column),
           rhsInner, to, given[7], inner, width, kept,
           code.mul(rhsInner, stepsAhead), code.number(form.getLanes()), to},
          rows, getMostWideRows(form));
    });
    Value left = code.sub(given[9], whole);
    code.branch(code.isAtLeast(left, 1), [&] {
      SmallVector<Value> last(given);
      last[3] = form.at(code, form.rhs, rhs, whole);
      last[6] = code.at(sum, form.sum, whole);
      last[9] = left;
      code.call(getBlocked(), last);
    });
  });
}
