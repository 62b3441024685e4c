// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/MatmulFunctions.h"

#include "tegula/backends/cpu/threads/ParallelWork.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

func::FuncOp MatmulFunctions::make(StringRef name, StringRef arguments,
                                   Body body) {
  if (auto made = module.lookupSymbol<func::FuncOp>(name))
    return made;
  OpBuilder builder(module.getContext());
  // No line of the source is it; who calls it tells which one it is for.
  Location loc = FileLineColLoc::get(module.getContext(), "<matmul>", 1, 1);
  SmallVector<Type> types;
  for (char kind : arguments)
    types.push_back(kind == 'p'
                        ? Type(LLVM::LLVMPointerType::get(module.getContext()))
                        : Type(builder.getIndexType()));
  // Before the kernels, none of which this is.
  builder.setInsertionPointToStart(module.getBody());
  auto function = func::FuncOp::create(builder, loc, name,
                                       builder.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(module.getContext(), LLVM::Linkage::Internal));
  builder.setInsertionPointToStart(function.addEntryBlock());
  VectorCode code(builder, loc);
  body(code, function.getArguments());
  func::ReturnOp::create(builder, loc);
  return function;
}

namespace tegula {

/// A part of the columns and of the inner axis.
struct MatmulBlock {
  BlockChoice choice;
  MatmulSizes sizes;
  /// Addresses of the first elements, of what the block has of each.
  Value lhs, rhs, sum, sumRow, panels, strip, offsets;
  Value columns, inner;
  /// An i1: the accumulator starts here, from zero.
  Value isFirst;
  /// How far in rhs the block after this one is.
  Value next;
};

} // namespace tegula

namespace {

/// What of rhs is prefetched while a tile is computed, as far as it is read
/// where it lies: a line of the next block at each step, all of its lines by
/// the first tiles of this one; or, if these are too few, what this one reads
/// soon.
struct RhsPrefetch {
  RhsPrefetch(VectorCode &code, const MatmulVariant &variant,
              const MatmulBlock &block, Value strips)
      : code(code), variant(variant), next(block.next) {
    Value columns = block.columns;
    lines = code.add(code.quotient(columns, variant.getLanes()), 1);
    panels = code.quotient(code.add(columns, variant.getPanel() - 1),
                           variant.getPanel());
    isPlain = code.inverse(block.choice.packs);
    isNextBlock = code.isAtLeast(code.sub(code.mul(strips, panels), lines), 0);
    soon = code.mul(block.sizes.rhsInner, prefetchSteps);
    apart = code.select(isNextBlock, code.number(0),
                        code.number(variant.getLanes()));
  }

  /// For the tile of that strip which starts at that column of the block.
  void choose(Value strip, Value column) {
    Value tile = code.add(code.mul(strip, panels),
                          code.quotient(column, variant.getPanel()));
    Value toNextBlock =
        code.add(next, code.sub(code.mul(tile, variant.getLanes()), column));
    Value distance = code.select(isNextBlock, toNextBlock, soon);
    Value most = code.select(isNextBlock, lines, panels);
    Value isWanted =
        code.both(isPlain, code.isAtLeast(code.sub(most, tile), 1));
    prefetchDistance = code.select(isWanted, distance, code.number(0));
  }

  static constexpr int64_t prefetchSteps = 16;

  VectorCode &code;
  const MatmulVariant &variant;
  Value next, lines, panels, isPlain, isNextBlock, soon;
  /// The prefetch distance of the first line, and how far behind it others are.
  Value prefetchDistance, apart;
};

/// Where a block reads operands: where they lie, or in copies.
struct BlockOperands {
  BlockOperands(VectorCode &code, const MatmulVariant &variant,
                const MatmulBlock &block, Value groups) {
    const MatmulSizes &sizes = block.sizes;
    const BlockChoice &choice = block.choice;
    rhs = code.select(choice.packs, block.panels, block.rhs);
    rhsRow = code.select(choice.packs, code.number(variant.getPanel()),
                         sizes.rhsInner);
    perColumn = code.select(choice.packs, groups, code.number(1));
    // Copies of contiguous columns have such themselves.
    Value isAcross =
        variant.getGroup() > 1
            ? code.constant(false)
            : code.both(code.isEqual(sizes.lhsRow, 1),
                        code.inverse(code.isEqual(sizes.lhsInner, 1)));
    pitch = code.select(isAcross,
                        code.number(llvm::alignTo(variant.options.matmul.rows,
                                                  variant.getLanes())),
                        code.add(code.roundUp(groups, 16), 16));
    Value one = code.number(1);
    Value copiedRow = code.select(isAcross, one, pitch);
    Value copiedInner = code.select(isAcross, pitch, one);
    // Groups that are read in place are contiguous.
    Value givenRow = code.quotient(sizes.lhsRow, variant.getGroup());
    lhsRow = code.select(choice.copies, copiedRow, givenRow);
    lhsInner = code.select(choice.copies, copiedInner, sizes.lhsInner);
  }

  Value rhs, rhsRow, perColumn;
  /// Of a copied strip.
  Value pitch;
  Value lhsRow, lhsInner;
};

} // namespace

void MatmulFunctions::emitBlock(VectorCode &code, const MatmulBlock &block) {
  const MatmulSizes &sizes = block.sizes;
  const BlockChoice &choice = block.choice;
  int64_t panel = variant.getPanel(), most = variant.options.matmul.rows;
  assert(most >= 2 && "strips have pairs of rows");
  code.branch(choice.packs, [&] {
    code.call(getPack(), {block.rhs, sizes.rhsInner, sizes.rhsColumn,
                          block.panels, block.inner, block.columns});
  });
  Value groups = code.quotient(code.add(block.inner, variant.getGroup() - 1),
                               variant.getGroup());
  if (variant.hasOffset())
    code.call(getOffsets(),
              {block.panels, groups, block.columns, block.offsets});
  BlockOperands operands(code, variant, block, groups);
  Value one = code.number(1);
  // Strips differ by two rows at most, and have pairs of them but at the end.
  Value pairs = code.quotient(code.add(sizes.rows, 1), 2);
  Value strips = code.quotient(code.add(pairs, most / 2 - 1), most / 2);
  Value least = code.quotient(pairs, code.max(strips, one));
  Value longer = code.sub(pairs, code.mul(strips, least));
  RhsPrefetch prefetch(code, variant, block, strips);
  code.loop(strips, 1, [&](Value index) {
    Value row =
        code.mul(code.add(code.mul(index, least), code.min(index, longer)), 2);
    Value isLonger = code.isAtLeast(code.sub(longer, index), 1);
    Value size = code.mul(code.select(isLonger, code.add(least, 1), least), 2);
    Value rows = code.min(size, code.sub(sizes.rows, row));
    Value given =
        variant.at(code, variant.lhs, block.lhs, code.mul(row, sizes.lhsRow));
    code.branch(choice.copies, [&] {
      code.call(getCopy(), {given, sizes.lhsRow, sizes.lhsInner, block.strip,
                            operands.pitch, rows, block.inner});
    });
    Value lhs = code.select(choice.copies, block.strip, given);
    code.loop(block.columns, panel, [&](Value column) {
      Value left =
          code.min(code.sub(block.columns, column), code.number(panel));
      Value kept = code.select(block.isFirst, code.number(0), left);
      Value offset = code.add(code.mul(row, block.sumRow), column);
      prefetch.choose(index, column);
      SmallVector<Value> arguments = {
          lhs,
          operands.lhsRow,
          operands.lhsInner,
          code.at(operands.rhs, variant.getPacked(),
                  code.mul(column, operands.perColumn)),
          operands.rhsRow,
          code.at(block.sum, variant.sum, offset),
          block.sumRow,
          rows,
          groups,
          left,
          kept,
          prefetch.prefetchDistance,
          prefetch.apart,
          code.at(block.offsets, variant.sum, column)};
      emitTiles(code, arguments, left);
    });
  });
}

/// As many vectors as hold the columns.
void MatmulFunctions::emitTiles(VectorCode &code, ValueRange arguments,
                                Value columns, int64_t vectors) {
  auto multiply = [&] { emitRows(code, arguments, vectors); };
  if (vectors == variant.options.matmul.vectors)
    return multiply();
  code.branch(code.isAtMost(columns, vectors * variant.getLanes()), multiply,
              [&] { emitTiles(code, arguments, columns, vectors + 1); });
}

/// How far in rhs the block after that of `column` and `k` is; 0 for the last.
static Value nextBlock(VectorCode &code, const MatmulSizes &sizes, Value width,
                       Value depth, Value column, Value k) {
  Value below = code.mul(depth, sizes.rhsInner);
  Value rightBlock =
      code.sub(code.mul(width, sizes.rhsColumn), code.mul(k, sizes.rhsInner));
  auto isBefore = [&](Value offset, Value step, Value end) {
    return code.isAtLeast(code.sub(end, code.add(offset, step)), 1);
  };
  Value next = code.select(isBefore(column, width, sizes.columns), rightBlock,
                           code.number(0));
  return code.select(isBefore(k, depth, sizes.inner), below, next);
}

func::FuncOp MatmulFunctions::getBlocked() {
  return make(
      variant.getName("blocked"), "pnnpnnpnnnnpn",
      [&](VectorCode &code, ValueRange given) {
        Value lhs = given[0], rhs = given[3], sum = given[6], sumRow = given[7];
        MatmulSizes sizes = {given[8], given[9], given[10], given[1],
                             given[2], given[4], given[5]};
        BlockChoice choice = chooseBlocks(code, variant, sizes);
        Value strip = given[11];
        Value offsets =
            code.at(strip, variant.sum, code.number(getStripRoom(variant)));
        Value panels =
            code.at(offsets, variant.sum, code.number(getMostColumns(variant)));
        Value replaces = code.isEqual(given[12], 0);
        // Chunks of the inner axis are about equal. There is at least one,
        // which sets the accumulator to zero if it is empty.
        Value one = code.number(1);
        Value atLeastOne =
            code.select(code.isAtLeast(sizes.inner, 1), sizes.inner, one);
        Value chunks = code.quotient(
            code.add(atLeastOne, code.sub(choice.depth, one)), choice.depth);
        Value even =
            code.quotient(code.add(atLeastOne, code.sub(chunks, one)), chunks);
        Value depth = code.roundUp(even, 4);
        code.loop(
            code.number(0), sizes.columns, choice.width, [&](Value column) {
              code.loop(code.number(0), atLeastOne, depth, [&](Value k) {
                Value there = code.add(code.mul(k, sizes.rhsInner),
                                       code.mul(column, sizes.rhsColumn));
                emitBlock(
                    code,
                    {choice, sizes,
                     variant.at(code, variant.lhs, lhs,
                                code.mul(k, sizes.lhsInner)),
                     variant.at(code, variant.rhs, rhs, there),
                     code.at(sum, variant.sum, column), sumRow, panels, strip,
                     offsets,
                     code.min(code.sub(sizes.columns, column), choice.width),
                     code.min(code.sub(sizes.inner, k), depth),
                     code.both(code.isEqual(k, 0), replaces),
                     nextBlock(code, sizes, choice.width, depth, column, k)});
              });
            });
      });
}

int64_t MatmulFunctions::getRoom(const MatmulVariant &variant) {
  return getStripRoom(variant) + getMostColumns(variant) +
         getPanelRoom(variant);
}

int64_t MatmulFunctions::getRoom(const MatmulVariant &variant, int64_t columns,
                                 int64_t inner) {
  int64_t panels = llvm::alignTo(columns, variant.getPanel()) * inner +
                   getPanelSlack(variant);
  return getStripRoom(variant) + getMostColumns(variant) +
         std::min(panels, getPanelRoom(variant));
}

void MatmulFunctions::emitForRows(VectorCode &code, ValueRange given,
                                  func::FuncOp function) {
  code.loop(given[8], 1, [&](Value row) {
    code.call(function,
              {variant.at(code, variant.lhs, given[0], code.mul(row, given[1])),
               given[2], given[3], given[4], given[5],
               code.at(given[6], variant.sum, code.mul(row, given[7])),
               given[9], given[10], given[12]});
  });
}

/// What rows and columns are too many for goes to the next.
void MatmulFunctions::emitTileMatmul(VectorCode &code, ValueRange given) {
  MatmulSizes sizes = {given[8], given[9], given[10], given[1],
                       given[2], given[4], given[5]};
  auto blocked = [&] {
    if (!hasWideTiles(variant))
      return code.call(getBlocked(), given);
    code.branch(
        takesWideTiles(code, variant, sizes),
        [&] { code.call(getWideTiles(), given); },
        [&] { code.call(getBlocked(), given); });
  };
  auto streamed = [&] { emitForRows(code, given, getShortStream()); };
  auto dotted = [&] { emitDotsOfColumns(code, given); };
  code.branch(takesDotsOfColumns(code, variant, sizes), dotted, [&] {
    code.branch(streamsShortRows(code, variant, sizes), streamed, blocked);
  });
}

void MatmulFunctions::emitMatmul(VectorCode &code, ValueRange given) {
  MatmulSizes sizes = {given[8], given[9], given[10], given[1],
                       given[2], given[4], given[5]};
  auto streamed = [&] {
    code.branch(
        code.isEqual(sizes.rows, 1), [&] { code.call(getStream(1), given); },
        [&] { code.call(getStream(2), given); });
  };
  Value hasElements =
      code.both(code.isAtLeast(sizes.rows, 1), code.isAtLeast(sizes.inner, 1));
  Value isFlat = code.both(hasElements, streamsRows(code, variant, sizes));
  Value isThin =
      code.both(takesDots(code, variant, sizes), code.isEqual(given[12], 0));
  code.branch(
      isThin, [&] { code.call(getNarrow(), given.drop_back()); },
      [&] {
        code.branch(isFlat, streamed, [&] { emitWide(code, given, sizes); });
      });
}

/// The last few columns, and then the others.
void MatmulFunctions::emitWide(VectorCode &code, ValueRange given,
                               const MatmulSizes &sizes) {
  Value replaces = code.isEqual(given[12], 0);
  Value whole = code.select(replaces, columnsOfTiles(code, variant, sizes),
                            sizes.columns);
  Value left = code.sub(sizes.columns, whole);
  code.branch(code.isAtLeast(left, 1), [&] {
    SmallVector<Value> last(given.drop_back());
    last[3] =
        variant.at(code, variant.rhs, given[3], code.mul(whole, given[5]));
    last[6] = code.at(given[6], variant.sum, whole);
    last[9] = left;
    code.call(getNarrow(), last);
  });
  SmallVector<Value> others(given);
  others[9] = whole;
  emitTileMatmul(code, others);
}

func::FuncOp MatmulFunctions::makeMatmul(StringRef name, Body body) {
  func::FuncOp function = make(variant.getName(name), "pnnpnnpnnnnpn", body);
  OpBuilder builder(function);
  function->setAttr(workAttrName, builder.getDenseI64ArrayAttr(
                                      {variant.getLanes(), 8, 9, 10}));
  return function;
}

func::FuncOp MatmulFunctions::getMatmul() {
  return makeMatmul("matmul", [&](VectorCode &code, ValueRange given) {
    emitMatmul(code, given);
  });
}

func::FuncOp MatmulFunctions::getTileMatmul() {
  return makeMatmul("tile_matmul", [&](VectorCode &code, ValueRange given) {
    emitTileMatmul(code, given);
  });
}
