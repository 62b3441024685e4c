// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of narrow factors in groups: neighbours along the inner axis lie in
// one lane, as instructions take them that multiply and add up several.

#include "tegula/backends/cpu/product/ProductFunctions.h"
#include "tegula/backends/cpu/product/TransposeBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

static Value groupsOf(VectorCode &code, const ProductForm &form, Value inner) {
  int64_t group = form.getGroup();
  return code.quotient(code.add(inner, group - 1), group);
}

/// Where the first group of a column lies in panels of so many groups.
static Value columnIn(VectorCode &code, const ProductForm &form, Value column,
                      Value groups) {
  Value first = code.roundDown(column, form.getPanel());
  return code.add(code.mul(first, groups), code.sub(column, first));
}

/// Rows are contiguous: elements of a group of rows are joined.
void ProductFunctions::packGroups(VectorCode &code, ValueRange given) {
  Value rhs = given[0], rhsInner = given[1], rhsColumn = given[2];
  Value panels = given[3], inner = given[4], columns = given[5];
  int64_t panel = form.getPanel(), lanes = form.getLanes();
  int64_t group = form.getGroup();
  Type stored = form.getStored(form.rhs);
  auto narrow = VectorType::get(lanes, stored);
  Value groups = groupsOf(code, form, inner);
  auto join = [&](Value k, Value column, ArrayRef<Value> masks) {
    Value joined;
    for (int64_t step = 0; step < group; ++step) {
      Value row = code.add(k, step);
      Value from = code.add(code.mul(row, rhsInner), column);
      Value elements =
          code.load(narrow, code.at(rhs, stored, from), masks[step]);
      Value wide = arith::ExtUIOp::create(code.builder, code.loc,
                                          form.getPackedVector(), elements);
      if (step > 0)
        wide = code.shiftLeft(wide, step * stored.getIntOrFloatBitWidth());
      joined = joined ? code.join(joined, wide) : wide;
    }
    return joined;
  };
  auto masksFor = [&](Value k, Value count) {
    SmallVector<Value> masks;
    for (int64_t step = 0; step < group; ++step) {
      Value left = code.sub(inner, code.add(k, step));
      Value isThere = code.isAtLeast(left, 1);
      masks.push_back(
          code.mask(narrow, code.select(isThere, count, code.number(0))));
    }
    return masks;
  };
  auto packRows = [&] {
    code.loop(inner, group, [&](Value k) {
      Value row = code.mul(code.quotient(k, group), panel);
      auto place = [&](Value column, int64_t vector) {
        Value to =
            code.add(code.add(row, code.mul(column, groups)), vector * lanes);
        return code.at(panels, form.getPacked(), to);
      };
      code.loop(columns, panel, [&](Value column) {
        for (int64_t vector = 0; vector < panel / lanes; ++vector) {
          Value start = code.add(column, vector * lanes);
          code.store(join(k, start, masksFor(k, code.sub(columns, start))),
                     place(column, vector));
        }
      });
    });
  };
  code.branch(code.isEqual(rhsColumn, 1), packRows, [&] {
    code.branch(
        code.isEqual(rhsInner, 1), [&] { packGroupsOfColumns(code, given); },
        [&] { packGroupsByElement(code, given); });
  });
}

/// Columns are contiguous: groups lie there already, and change places. What is
/// beyond the ends is treated as in packColumns.
void ProductFunctions::packGroupsOfColumns(VectorCode &code, ValueRange given) {
  Value rhs = given[0], rhsColumn = given[2], panels = given[3];
  Value inner = given[4], columns = given[5];
  int64_t panel = form.getPanel(), lanes = form.getLanes();
  int64_t group = form.getGroup();
  Type stored = form.getStored(form.rhs);
  auto narrow = VectorType::get(lanes * group, stored);
  Value groups = groupsOf(code, form, inner);
  Value last = code.sub(columns, code.number(1));
  code.loop(columns, lanes, [&](Value column) {
    Value place = columnIn(code, form, column, groups);
    SmallVector<Value> starts;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      Value index = code.min(code.add(column, lane), last);
      starts.push_back(code.at(rhs, stored, code.mul(index, rhsColumn)));
    }
    code.loop(groups, lanes, [&](Value first) {
      Value k = code.mul(first, group);
      Value mask = code.mask(narrow, code.sub(inner, k));
      SmallVector<Value> block;
      for (Value start : starts) {
        Value elements = code.load(narrow, code.at(start, stored, k), mask);
        block.push_back(code.reinterpret(elements, form.getPackedVector()));
      }
      transposeBlock(code, block);
      Value to = code.add(place, code.mul(first, panel));
      for (int64_t lane = 0; lane < lanes; ++lane)
        code.store(block[lane], code.at(panels, form.getPacked(),
                                        code.add(to, lane * panel)));
    });
  });
}

void ProductFunctions::packGroupsByElement(VectorCode &code, ValueRange given) {
  Value rhs = given[0], rhsInner = given[1], rhsColumn = given[2];
  Value panels = given[3], inner = given[4], columns = given[5];
  int64_t panel = form.getPanel(), group = form.getGroup();
  Type stored = form.getStored(form.rhs);
  Value groups = groupsOf(code, form, inner);
  code.loop(columns, 1, [&](Value column) {
    Value place = columnIn(code, form, column, groups);
    code.loop(groups, 1, [&](Value index) {
      Value to = code.add(place, code.mul(index, panel));
      Value start = code.mul(index, group);
      Value left = code.min(code.sub(inner, start), code.number(group));
      code.store(code.zero(form.getPacked()),
                 code.at(panels, form.getPacked(), to));
      code.loop(left, 1, [&](Value step) {
        Value k = code.add(start, step);
        Value from =
            code.add(code.mul(k, rhsInner), code.mul(column, rhsColumn));
        code.store(
            code.load(stored, code.at(rhs, stored, from)),
            code.at(panels, stored, code.add(code.mul(to, group), step)));
      });
    });
  });
}

func::FuncOp ProductFunctions::getOffsets() {
  return make(
      form.getName("offsets"), "pnnp", [&](VectorCode &code, ValueRange given) {
        Value panels = given[0], groups = given[1], columns = given[2];
        auto bytes = VectorType::get(form.getLanes() * form.getGroup(),
                                     form.getStored(form.rhs));
        Value offset = arith::ConstantOp::create(
            code.builder, code.loc,
            DenseElementsAttr::get(bytes, APInt(8, 0x80)));
        code.loop(columns, form.getLanes(), [&](Value column) {
          Value place = columnIn(code, form, column, groups);
          VectorCode::Carried sums = {code.zero(form.getVector())};
          code.loop(code.number(0), groups, 1, sums,
                    [&](Value index, VectorCode::Carried &partial) {
                      Value from =
                          code.add(place, code.mul(index, form.getPanel()));
                      Value elements =
                          code.load(Type(form.getPackedVector()),
                                    code.at(panels, form.getPacked(), from));
                      partial[0] =
                          form.multiplyAdd(code, offset, elements, partial[0]);
                    });
          code.store(sums[0], code.at(given[3], form.sum, column));
        });
      });
}

/// Rows of the strip are groups, the last one filled up with zeros.
void ProductFunctions::copyGroups(VectorCode &code, ValueRange given) {
  Value lhs = given[0], lhsRow = given[1], lhsInner = given[2];
  Value strip = given[3], pitch = given[4], rows = given[5], inner = given[6];
  int64_t group = form.getGroup(), lanes = form.getLanes();
  Type stored = form.getStored(form.lhs);
  auto narrow = VectorType::get(lanes * group, stored);
  Value groups = groupsOf(code, form, inner);
  auto shifted = [&](Value elements) -> Value {
    if (!form.hasOffset())
      return elements;
    Type type = elements.getType();
    APInt bit(8, 0x80);
    TypedAttr offset =
        isa<VectorType>(type)
            ? TypedAttr(DenseElementsAttr::get(cast<VectorType>(type), bit))
            : TypedAttr(code.builder.getIntegerAttr(type, bit));
    return arith::XOrIOp::create(
        code.builder, code.loc, elements,
        arith::ConstantOp::create(code.builder, code.loc, offset));
  };
  auto copyRow = [&](Value row) {
    Value from = code.at(lhs, stored, code.mul(row, lhsRow));
    Value to = code.at(strip, form.getPacked(), code.mul(row, pitch));
    code.loop(groups, lanes, [&](Value start) {
      Value k = code.mul(start, group);
      Value elements = code.load(narrow, code.at(from, stored, k),
                                 code.mask(narrow, code.sub(inner, k)));
      code.store(code.reinterpret(shifted(elements), form.getPackedVector()),
                 code.at(to, form.getPacked(), start));
    });
  };
  auto copyElements = [&](Value row) {
    Value first = code.mul(row, pitch);
    code.loop(groups, 1, [&](Value index) {
      code.store(code.zero(form.getPacked()),
                 code.at(strip, form.getPacked(), code.add(first, index)));
    });
    code.loop(inner, 1, [&](Value k) {
      Value from = code.add(code.mul(row, lhsRow), code.mul(k, lhsInner));
      Value element = shifted(code.load(stored, code.at(lhs, stored, from)));
      code.store(element,
                 code.at(strip, stored, code.add(code.mul(first, group), k)));
    });
  };
  code.loop(rows, 1, [&](Value row) {
    code.branch(
        code.isEqual(lhsInner, 1), [&] { copyRow(row); },
        [&] { copyElements(row); });
  });
}
