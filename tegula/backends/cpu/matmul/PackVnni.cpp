// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of narrow operands in groups: neighbours along the inner axis lie in
// one lane, as instructions take them that multiply and add up several.

#include "tegula/backends/cpu/matmul/MatmulFunctions.h"
#include "tegula/backends/cpu/matmul/TransposeBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

static Value groupsOf(VectorCode &code, const MatmulVariant &variant,
                      Value inner) {
  int64_t group = variant.getGroup();
  return code.quotient(code.add(inner, group - 1), group);
}

/// Where the first group of a column lies in panels of so many groups.
static Value columnIn(VectorCode &code, const MatmulVariant &variant,
                      Value column, Value groups) {
  Value first = code.roundDown(column, variant.getPanel());
  return code.add(code.mul(first, groups), code.sub(column, first));
}

namespace {

/// Rows are contiguous: elements of a group of rows change places.
struct RowPacking {
  VectorCode &code;
  const MatmulVariant &variant;
  Value rhs, rhsInner, panels, inner, columns;
  int64_t group = variant.getGroup(), lanes = variant.getLanes();
  Type stored = variant.getStored(variant.rhs);
  VectorType narrow = VectorType::get(lanes, stored);

  void emit() {
    int64_t panel = variant.getPanel();
    Value groups = groupsOf(code, variant, inner);
    code.loop(inner, group, [&](Value k) {
      Value row = code.mul(code.quotient(k, group), panel);
      SmallVector<Value> rows = rowMasks(k);
      Value isWhole = code.isAtLeast(code.sub(inner, k), group);
      code.loop(columns, panel, [&](Value column) {
        Value groupOffset = code.add(row, code.mul(column, groups));
        Value isFull = code.isAtLeast(code.sub(columns, column), panel);
        code.branch(
            code.both(isWhole, isFull),
            [&] { pack(k, column, groupOffset, {}); },
            [&] { pack(k, column, groupOffset, rows); });
      });
    });
  }

  /// For each row of the group, all lanes if it is there and none if not.
  SmallVector<Value> rowMasks(Value k) {
    auto lanesOfRow = VectorType::get(lanes, code.builder.getI1Type());
    SmallVector<Value> masks;
    for (int64_t step = 0; step < group; ++step) {
      Value left = code.sub(inner, code.add(k, step));
      masks.push_back(code.broadcast(lanesOfRow, code.isAtLeast(left, 1)));
    }
    return masks;
  }

  /// One group of the panel. There are no masks if all of it is there.
  void pack(Value k, Value column, Value groupOffset, ArrayRef<Value> rows) {
    for (int64_t start = 0; start < variant.getPanel(); start += lanes) {
      Value first = code.add(column, start);
      SmallVector<Value> masks;
      Value inColumns =
          rows.empty() ? Value() : code.mask(narrow, code.sub(columns, first));
      for (Value row : rows)
        masks.push_back(code.both(row, inColumns));
      Value to =
          code.at(panels, variant.getPacked(), code.add(groupOffset, start));
      code.store(join(k, first, masks), to);
    }
  }

  /// Element c of row r goes to position r of group c.
  Value join(Value k, Value column, ArrayRef<Value> masks) {
    SmallVector<Value> parts;
    Value last = code.sub(inner, code.number(1));
    for (int64_t step = 0; step < group; ++step) {
      Value index = code.add(k, step);
      // A mask without lanes keeps a load from failing, but where it would the
      // processor takes a hundred nanoseconds to find out.
      if (!masks.empty())
        index = code.min(index, last);
      Value from =
          code.at(rhs, stored, code.add(code.mul(index, rhsInner), column));
      parts.push_back(masks.empty() ? code.load(Type(narrow), from)
                                    : code.load(narrow, from, masks[step]));
    }
    while (parts.size() > 2) {
      SmallVector<Value> longer;
      for (size_t part = 0; part < parts.size(); part += 2)
        longer.push_back(concatenate(parts[part], parts[part + 1]));
      parts = std::move(longer);
    }
    Value joined = group == 4 ? joinFours(concatenate(parts[0], parts[1]))
                              : interleave(parts[0], parts[1]);
    return code.reinterpret(joined, variant.getPackedVector());
  }

  Value interleave(Value first, Value second) {
    SmallVector<int64_t> order;
    for (int64_t groupOffset = 0; groupOffset < 2 * lanes; ++groupOffset)
      order.push_back(groupOffset % 2 * lanes + groupOffset / 2);
    return vector::ShuffleOp::create(code.builder, code.loc, first, second,
                                     order);
  }

  /// Four rows one after the other: words of four elements change places, and
  /// then elements in sixteen. LLVM makes one instruction or two of it, and a
  /// dozen of one step for all.
  Value joinFours(Value rows) {
    auto permute = [&](Value vector, int64_t count,
                       function_ref<int64_t(int64_t)> from) -> Value {
      auto order =
          llvm::to_vector(llvm::map_range(llvm::seq<int64_t>(count), from));
      return vector::ShuffleOp::create(code.builder, code.loc, vector, vector,
                                       order);
    };
    int64_t words = lanes / group;
    Value inWords =
        permute(code.reinterpret(rows, variant.getPackedVector()), lanes,
                [&](int64_t to) { return to % group * words + to / group; });
    return permute(code.reinterpret(inWords, rows.getType()), lanes * group,
                   [&](int64_t to) {
                     return llvm::alignDown(to, group * group) +
                            to % group * group + to / group % group;
                   });
  }

  /// The elements of one vector, then those of the other.
  Value concatenate(Value first, Value second) {
    int64_t count = cast<VectorType>(first.getType()).getNumElements();
    auto order = llvm::to_vector(llvm::seq<int64_t>(2 * count));
    return vector::ShuffleOp::create(code.builder, code.loc, first, second,
                                     order);
  }
};

} // namespace

void MatmulFunctions::packGroups(VectorCode &code, ValueRange given) {
  Value rhsInner = given[1], rhsColumn = given[2];
  auto byRows = [&] {
    RowPacking{code, variant, given[0], rhsInner, given[3], given[4], given[5]}
        .emit();
  };
  code.branch(code.isEqual(rhsColumn, 1), byRows, [&] {
    code.branch(
        code.isEqual(rhsInner, 1), [&] { packGroupsOfColumns(code, given); },
        [&] { packGroupsByElement(code, given); });
  });
}

/// Columns are contiguous: groups lie there already, and change places. What is
/// beyond the ends is treated as in packColumns.
void MatmulFunctions::packGroupsOfColumns(VectorCode &code, ValueRange given) {
  Value rhs = given[0], rhsColumn = given[2], panels = given[3];
  Value inner = given[4], columns = given[5];
  int64_t panel = variant.getPanel(), lanes = variant.getLanes();
  int64_t group = variant.getGroup();
  Type stored = variant.getStored(variant.rhs);
  auto narrow = VectorType::get(lanes * group, stored);
  Value groups = groupsOf(code, variant, inner);
  Value last = code.sub(columns, code.number(1));
  code.loop(columns, lanes, [&](Value column) {
    Value groupOffset = columnIn(code, variant, column, groups);
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
        block.push_back(code.reinterpret(elements, variant.getPackedVector()));
      }
      transposeBlock(code, block);
      Value to = code.add(groupOffset, code.mul(first, panel));
      for (int64_t lane = 0; lane < lanes; ++lane)
        code.store(block[lane], code.at(panels, variant.getPacked(),
                                        code.add(to, lane * panel)));
    });
  });
}

void MatmulFunctions::packGroupsByElement(VectorCode &code, ValueRange given) {
  Value rhs = given[0], rhsInner = given[1], rhsColumn = given[2];
  Value panels = given[3], inner = given[4], columns = given[5];
  int64_t panel = variant.getPanel(), group = variant.getGroup();
  Type stored = variant.getStored(variant.rhs);
  Value groups = groupsOf(code, variant, inner);
  code.loop(columns, 1, [&](Value column) {
    Value groupOffset = columnIn(code, variant, column, groups);
    code.loop(groups, 1, [&](Value index) {
      Value to = code.add(groupOffset, code.mul(index, panel));
      Value start = code.mul(index, group);
      Value left = code.min(code.sub(inner, start), code.number(group));
      code.store(code.zero(variant.getPacked()),
                 code.at(panels, variant.getPacked(), to));
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

func::FuncOp MatmulFunctions::getOffsets() {
  return make(
      variant.getName("offsets"), "pnnp",
      [&](VectorCode &code, ValueRange given) {
        Value panels = given[0], groups = given[1], columns = given[2];
        auto bytes = VectorType::get(variant.getLanes() * variant.getGroup(),
                                     variant.getStored(variant.rhs));
        Value offset = arith::ConstantOp::create(
            code.builder, code.loc,
            DenseElementsAttr::get(bytes, APInt(8, 0x80)));
        // Several accumulators at once, for each takes long to add to.
        int64_t vectors = variant.options.matmul.vectors;
        constexpr int64_t iterations = 2;
        auto add = [&](Value groupOffset, Value index, int64_t iteration,
                       VectorCode::Carried &partial) {
          Value row = code.mul(code.add(index, iteration), variant.getPanel());
          for (int64_t part = 0; part < vectors; ++part) {
            Value from =
                code.add(code.add(groupOffset, row), part * variant.getLanes());
            Value elements =
                code.load(Type(variant.getPackedVector()),
                          code.at(panels, variant.getPacked(), from));
            Value &sum = partial[iteration * vectors + part];
            sum = variant.multiplyAdd(code, offset, elements, sum);
          }
        };
        code.loop(columns, variant.getPanel(), [&](Value column) {
          Value groupOffset = code.mul(column, groups);
          VectorCode::Carried sums(iterations * vectors,
                                   code.zero(variant.getVector()));
          Value whole = code.roundDown(groups, iterations);
          code.loop(code.number(0), whole, iterations, sums,
                    [&](Value index, VectorCode::Carried &partial) {
                      for (int64_t iteration = 0; iteration < iterations;
                           ++iteration)
                        add(groupOffset, index, iteration, partial);
                    });
          code.loop(whole, groups, 1, sums,
                    [&](Value index, VectorCode::Carried &partial) {
                      add(groupOffset, index, 0, partial);
                    });
          for (int64_t part = 0; part < vectors; ++part) {
            Value to = code.add(column, part * variant.getLanes());
            Value total = code.sum(sums[part], sums[vectors + part]);
            Value taken = arith::SubIOp::create(
                code.builder, code.loc, code.zero(variant.getVector()), total);
            code.store(taken, code.at(given[3], variant.sum, to));
          }
        });
      });
}

/// Rows of the strip are groups, the last one filled up with zeros.
void MatmulFunctions::copyGroups(VectorCode &code, ValueRange given) {
  Value lhs = given[0], lhsRow = given[1], lhsInner = given[2];
  Value strip = given[3], pitch = given[4], rows = given[5], inner = given[6];
  int64_t group = variant.getGroup(), lanes = variant.getLanes();
  Type stored = variant.getStored(variant.lhs);
  auto narrow = VectorType::get(lanes * group, stored);
  Value groups = groupsOf(code, variant, inner);
  auto shifted = [&](Value elements) -> Value {
    if (!variant.hasOffset())
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
    Value to = code.at(strip, variant.getPacked(), code.mul(row, pitch));
    auto put = [&](Value elements, Value k) {
      code.store(code.reinterpret(shifted(elements), variant.getPackedVector()),
                 code.at(to, stored, k));
    };
    Value whole = code.roundDown(inner, lanes * group);
    code.loop(whole, lanes * group, [&](Value k) {
      put(code.load(Type(narrow), code.at(from, stored, k)), k);
    });
    code.branch(code.isAtLeast(code.sub(inner, whole), 1), [&] {
      put(code.load(narrow, code.at(from, stored, whole),
                    code.mask(narrow, code.sub(inner, whole))),
          whole);
    });
  };
  auto copyElements = [&](Value row) {
    Value first = code.mul(row, pitch);
    code.loop(groups, 1, [&](Value index) {
      code.store(code.zero(variant.getPacked()),
                 code.at(strip, variant.getPacked(), code.add(first, index)));
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
