// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Few rows and a large rhs: tiles are wider than others, so that more
// of each of its rows is read at once, on fewer pages.

#include "tegula/backends/cpu/matmul/MatmulFunctions.h"

using namespace mlir;
using namespace tegula;

namespace {

/// What is read so many steps later is prefetched.
constexpr int64_t prefetchSteps = 6;

/// All rows, some columns as many as a wide tile has, and chunks of the inner
/// axis that stay in the cache while strips of rows read them.
struct WideColumns {
  VectorCode &code;
  const MatmulVariant &variant;
  func::FuncOp tile;
  Value lhs, lhsRow, lhsInner, rhs, rhsInner, sum, sumRow, rows, inner, adds;

  void emit(Value depth) {
    code.loop(code.number(0), inner, depth, [&](Value k) {
      code.loop(rows, getLeastTile(variant),
                [&](Value row) { emitTile(k, row, depth); });
    });
  }

  void emitTile(Value k, Value row, Value depth) {
    Value width = code.number(getWidePanel(variant)), none = code.number(0);
    Value from = code.add(code.mul(row, lhsRow), code.mul(k, lhsInner));
    Value to = code.at(sum, variant.sum, code.mul(row, sumRow));
    Value isFirst = code.both(code.isEqual(k, 0), code.isEqual(adds, 0));
    Value prefetchDistance = code.select(
        code.isEqual(row, 0), code.mul(rhsInner, prefetchSteps), none);
    code.call(tile, {variant.at(code, variant.lhs, lhs, from), lhsRow, lhsInner,
                     variant.at(code, variant.rhs, rhs, code.mul(k, rhsInner)),
                     rhsInner, to, sumRow,
                     code.min(code.sub(rows, row),
                              code.number(getLeastTile(variant))),
                     code.min(code.sub(inner, k), depth), width,
                     code.select(isFirst, none, width), prefetchDistance,
                     code.number(variant.getLanes()), to});
  }
};

} // namespace

func::FuncOp MatmulFunctions::getWideTiles() {
  return makeMatmul("wide_tiles", [&](VectorCode &code, ValueRange given) {
    Value rhs = given[3], sum = given[6], columns = given[9];
    int64_t panel = getWidePanel(variant);
    Value whole = code.roundDown(columns, panel);
    Value isOneStrip = code.isAtMost(given[8], getLeastTile(variant));
    Value depth =
        code.select(isOneStrip, given[10], code.number(getWideDepth(variant)));
    code.loop(whole, panel, [&](Value column) {
      WideColumns{code,
                  variant,
                  getTile(getLeastTile(variant), panel / variant.getLanes()),
                  given[0],
                  given[1],
                  given[2],
                  variant.at(code, variant.rhs, rhs, column),
                  given[4],
                  code.at(sum, variant.sum, column),
                  given[7],
                  given[8],
                  given[10],
                  given[12]}
          .emit(depth);
    });
    Value left = code.sub(columns, whole);
    code.branch(code.isAtLeast(left, 1), [&] {
      SmallVector<Value> last(given);
      last[3] = variant.at(code, variant.rhs, rhs, whole);
      last[6] = code.at(sum, variant.sum, whole);
      last[9] = left;
      code.call(getBlocked(), last);
    });
  });
}
