// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of operands, in the order in which tiles read them.

#include "tegula/backends/cpu/matmul/MatmulFunctions.h"
#include "tegula/backends/cpu/matmul/TransposeBlock.h"

using namespace mlir;
using namespace tegula;

/// Rows are read from end to end, so that the hardware prefetches.
void MatmulFunctions::packRows(VectorCode &code, ValueRange given) {
  Value rhs = given[0], rhsInner = given[1], panels = given[3];
  Value inner = given[4], columns = given[5];
  int64_t panel = variant.getPanel(), lanes = variant.getLanes();
  code.loop(inner, 1, [&](Value k) {
    Value start = code.mul(k, rhsInner);
    Value offset = code.mul(k, panel);
    auto move = [&](Value column, int64_t vector) {
      Value from = code.add(code.add(start, column), vector * lanes);
      Value to =
          code.add(code.add(offset, code.mul(column, inner)), vector * lanes);
      Value left = code.sub(columns, code.add(column, vector * lanes));
      Value elements = variant.loadVector(
          code, variant.rhs, variant.at(code, variant.rhs, rhs, from),
          code.mask(variant.getVector(), left));
      code.store(elements, code.at(panels, variant.sum, to));
    };
    code.loop(columns, panel, [&](Value column) {
      for (int64_t vector = 0; vector < panel / lanes; ++vector)
        move(column, vector);
    });
  });
}

/// Columns are contiguous: squares of them are transposed in registers. What
/// is beyond the last column is that column again; what is beyond the inner
/// axis lies where the next panel is written later.
void MatmulFunctions::packColumns(VectorCode &code, ValueRange given) {
  Value rhs = given[0], rhsColumn = given[2], panels = given[3];
  Value inner = given[4], columns = given[5];
  int64_t panel = variant.getPanel(), lanes = variant.getLanes();
  Value last = code.sub(columns, code.number(1));
  code.loop(columns, lanes, [&](Value column) {
    Value first = code.roundDown(column, panel);
    Value offset = code.add(code.mul(first, inner), code.sub(column, first));
    SmallVector<Value> starts;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      Value index = code.min(code.add(column, lane), last);
      starts.push_back(
          variant.at(code, variant.rhs, rhs, code.mul(index, rhsColumn)));
    }
    code.loop(inner, lanes, [&](Value k) {
      Value mask = code.mask(variant.getVector(), code.sub(inner, k));
      SmallVector<Value> block;
      for (Value start : starts)
        block.push_back(variant.loadVector(
            code, variant.rhs, variant.at(code, variant.rhs, start, k), mask));
      transposeBlock(code, block);
      Value to = code.add(offset, code.mul(k, panel));
      for (int64_t lane = 0; lane < lanes; ++lane)
        code.store(block[lane],
                   code.at(panels, variant.sum, code.add(to, lane * panel)));
    });
  });
}

void MatmulFunctions::packElements(VectorCode &code, ValueRange given) {
  Value rhs = given[0], rhsInner = given[1], rhsColumn = given[2];
  Value panels = given[3], inner = given[4], columns = given[5];
  int64_t panel = variant.getPanel();
  code.loop(columns, 1, [&](Value column) {
    Value first = code.roundDown(column, panel);
    Value offset = code.add(code.mul(first, inner), code.sub(column, first));
    code.loop(inner, 1, [&](Value k) {
      Value from = code.add(code.mul(k, rhsInner), code.mul(column, rhsColumn));
      Value to = code.add(offset, code.mul(k, panel));
      code.store(variant.loadElement(code, variant.rhs,
                                     variant.at(code, variant.rhs, rhs, from)),
                 code.at(panels, variant.sum, to));
    });
  });
}

func::FuncOp MatmulFunctions::getPack() {
  auto pack = [&](VectorCode &code, ValueRange given) {
    if (variant.getGroup() > 1)
      return packGroups(code, given);
    auto byColumns = [&] {
      code.branch(
          code.isEqual(given[1], 1), [&] { packColumns(code, given); },
          [&] { packElements(code, given); });
    };
    code.branch(
        code.isEqual(given[2], 1), [&] { packRows(code, given); }, byColumns);
  };
  return make(variant.getName("pack"), "pnnpnn", pack);
}

/// Copies `count` elements side by side.
static void copyVectors(VectorCode &code, const MatmulVariant &variant,
                        Value from, Value to, Value count) {
  code.loop(count, variant.getLanes(), [&](Value element) {
    Value mask = code.mask(variant.getVector(), code.sub(count, element));
    Value elements = variant.loadVector(
        code, variant.lhs, variant.at(code, variant.lhs, from, element), mask);
    code.store(elements, code.at(to, variant.sum, element), mask);
  });
}

/// With contiguous columns of the operand, the strip has such, too.
func::FuncOp MatmulFunctions::getCopy() {
  return make(
      variant.getName("copy"), "pnnpnnn",
      [&](VectorCode &code, ValueRange given) {
        if (variant.getGroup() > 1)
          return copyGroups(code, given);
        Value lhs = given[0], lhsRow = given[1], lhsInner = given[2];
        Value strip = given[3], pitch = given[4], rows = given[5],
              inner = given[6];
        auto rowAt = [&](Value row) { return code.mul(row, lhsRow); };
        auto copyRows = [&] {
          code.loop(rows, 1, [&](Value row) {
            copyVectors(
                code, variant, variant.at(code, variant.lhs, lhs, rowAt(row)),
                code.at(strip, variant.sum, code.mul(row, pitch)), inner);
          });
        };
        auto copyColumns = [&] {
          code.loop(inner, 1, [&](Value k) {
            Value start = code.mul(k, lhsInner);
            copyVectors(code, variant,
                        variant.at(code, variant.lhs, lhs, start),
                        code.at(strip, variant.sum, code.mul(k, pitch)), rows);
          });
        };
        auto copyElements = [&] {
          code.loop(rows, 1, [&](Value row) {
            code.loop(inner, 1, [&](Value k) {
              Value from = code.add(rowAt(row), code.mul(k, lhsInner));
              Value to = code.add(code.mul(row, pitch), k);
              code.store(
                  variant.loadElement(code, variant.lhs,
                                      variant.at(code, variant.lhs, lhs, from)),
                  code.at(strip, variant.sum, to));
            });
          });
        };
        code.branch(code.isEqual(lhsInner, 1), copyRows, [&] {
          code.branch(code.isEqual(lhsRow, 1), copyColumns, copyElements);
        });
      });
}
