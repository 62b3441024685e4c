// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/MatmulHeuristics.h"

using namespace mlir;
using namespace tegula;

/// Bytes of a row of accumulators, or of the inner axis of a strip.
static constexpr int64_t depthBytes = 4096, widthBytes = 2048;

/// Groups of narrow elements are done with sooner than they are prefetched.
static int64_t depthOf(const MatmulVariant &variant) {
  return depthBytes / variant.getAccBytes() / (variant.getGroup() > 1 ? 2 : 1);
}

static int64_t widthOf(const MatmulVariant &variant) {
  return llvm::alignDown(widthBytes / variant.getAccBytes(),
                         variant.getPanel());
}

int64_t tegula::getPanelRoom(const MatmulVariant &variant) {
  return depthOf(variant) * widthOf(variant) + getPanelSlack(variant);
}

int64_t tegula::getPanelSlack(const MatmulVariant &variant) {
  return variant.getLanes() * variant.getPanel();
}

int64_t tegula::getStripRoom(const MatmulVariant &variant) {
  int64_t rows = llvm::alignTo(variant.options.matmul.rows, variant.getLanes());
  return 2 * depthOf(variant) * rows + rows * 64;
}

int64_t tegula::getLeastTile(const MatmulVariant &variant) {
  return (variant.options.matmul.rows + 1) / 2;
}

int64_t tegula::getMostColumns(const MatmulVariant &variant) {
  return widthOf(variant);
}

int64_t tegula::getStreamWidth(const MatmulVariant &variant) {
  return 16384 / variant.getAccBytes();
}

/// The decision as it is asked for, else what `bySize` says.
static Value decide(VectorCode &code, Decision decision,
                    function_ref<Value()> bySize) {
  if (decision == Decision::BySize)
    return bySize();
  return code.constant(decision == Decision::Always);
}

/// What is left of the bytes from one row to the next beyond a multiple.
static Value pitchBeyond(VectorCode &code, const OperandType &operand,
                         Value row, int64_t multiple) {
  Value pitch =
      code.mul(row, std::max(1u, operand.element.getIntOrFloatBitWidth() / 8));
  return code.sub(pitch, code.roundDown(pitch, multiple));
}

/// Panels are read from fewer pages and sets of the cache than what lies apart,
/// which pays if many rows read them.
static Value wantsPanels(VectorCode &code, const MatmulVariant &variant,
                         const MatmulSizes &sizes) {
  Value isWide = code.isAtLeast(sizes.columns, 64);
  Value elements = code.mul(sizes.inner, sizes.columns);
  Value isLarge = code.isAtLeast(elements, 5 << 17);
  Value isTall = code.isAtLeast(sizes.rows, 384);
  return code.both(code.both(isWide, isTall), isLarge);
}

static Value wantsStrips(VectorCode &code, const MatmulSizes &sizes) {
  Value isWide = code.isAtLeast(sizes.columns, 64);
  Value isDeep = code.isAtLeast(sizes.inner, 64);
  Value isTall = code.isAtLeast(sizes.rows, 4);
  Value isStrided = code.inverse(code.isEqual(sizes.lhsInner, 1));
  return code.both(code.both(isWide, isDeep), code.both(isTall, isStrided));
}

/// True unless pairs are contiguous, whole, in all rows of the lhs.
static Value splitsPairs(VectorCode &code, const MatmulSizes &sizes) {
  auto isOdd = [&](Value number) {
    return code.isEqual(code.sub(number, code.roundDown(number, 2)), 1);
  };
  return code.either(code.either(isOdd(sizes.inner), isOdd(sizes.lhsRow)),
                     code.inverse(code.isEqual(sizes.lhsInner, 1)));
}

BlockChoice tegula::chooseBlocks(VectorCode &code, const MatmulVariant &variant,
                                 const MatmulSizes &sizes) {
  const MatmulTuning &options = variant.options.tuning;
  BlockChoice choice;
  choice.packs = decide(code, options.packs,
                        [&] { return wantsPanels(code, variant, sizes); });
  Value isScattered = code.inverse(code.isEqual(sizes.rhsColumn, 1));
  choice.packs = code.either(choice.packs, isScattered);
  choice.copies =
      decide(code, options.copies, [&] { return wantsStrips(code, sizes); });
  if (variant.isWidened(variant.rhs))
    choice.packs = code.constant(true);
  if (variant.getGroup() == 2)
    choice.copies = code.either(choice.copies, splitsPairs(code, sizes));
  else if (variant.isWidened(variant.lhs))
    choice.copies = code.constant(true);

  int64_t depth = depthOf(variant) * variant.getGroup(),
          width = widthOf(variant);
  Value isNarrow = code.isAtMost(sizes.columns, width / 4);
  Value packedDepth =
      code.select(isNarrow, code.number(2 * depth), code.number(depth));
  // What is read in place is read again from the next cache for each strip.
  Value plainDepth = code.number(depth + depth / 4);
  int64_t plainWidth =
      std::max(variant.getPanel(),
               int64_t(llvm::alignDown(width / 8, variant.getPanel())));
  choice.depth = code.select(choice.packs, packedDepth, plainDepth);
  choice.width =
      code.select(choice.packs, code.number(width), code.number(plainWidth));
  return choice;
}

/// One or two rows, and rows of the rhs that are contiguous.
static Value isFlat(VectorCode &code, const MatmulSizes &sizes) {
  return code.both(code.isAtMost(sizes.rows, 2),
                   code.isEqual(sizes.rhsColumn, 1));
}

Value tegula::streamsRows(VectorCode &code, const MatmulVariant &variant,
                          const MatmulSizes &sizes) {
  Value wanted = decide(code, variant.options.tuning.narrow, [&] {
    return code.isAtLeast(sizes.columns, 8 * variant.getLanes() + 1);
  });
  return code.both(isFlat(code, sizes), wanted);
}

Value tegula::streamsShortRows(VectorCode &code, const MatmulVariant &variant,
                               const MatmulSizes &sizes) {
  Value wanted = decide(code, variant.options.tuning.narrow, [&] {
    return code.both(code.isAtLeast(sizes.columns, variant.getLanes()),
                     code.isAtMost(sizes.columns, 8 * variant.getLanes()));
  });
  return code.both(isFlat(code, sizes), wanted);
}

Value tegula::spreadsOverSets(VectorCode &code, const MatmulVariant &variant,
                              Value row) {
  return code.isAtLeast(pitchBeyond(code, variant.rhs, row, 2048), 64);
}

Value tegula::takesDots(VectorCode &code, const MatmulVariant &variant,
                        const MatmulSizes &sizes) {
  Value isThin = code.isAtMost(sizes.columns, 4);
  Value isContiguous = code.isEqual(sizes.lhsInner, 1);
  // The columns are kept where panels would be.
  Value fits = code.isAtMost(sizes.inner, getPanelRoom(variant) / 4);
  Value wanted = decide(code, variant.options.tuning.narrow, [&] {
    return code.isAtLeast(sizes.inner, variant.getLanes());
  });
  Value isTall = code.isAtLeast(sizes.rows, 4);
  return code.both(code.both(isThin, isTall),
                   code.both(isContiguous, code.both(fits, wanted)));
}

/// A tile spends an instruction on each row and group of the inner axis however
/// few columns it has. Dots spend as much on each vector along the inner axis,
/// and some more to gather columns and to add up lanes.
Value tegula::columnsOfTiles(VectorCode &code, const MatmulVariant &variant,
                             const MatmulSizes &sizes) {
  // Fours are multiplied one by one in dots.
  if (variant.getGroup() > 2)
    return sizes.columns;
  Value whole = code.roundDown(sizes.columns, variant.getLanes());
  Value left = code.sub(sizes.columns, whole);
  Value wanted = decide(code, variant.options.tuning.narrow, [&] {
    Value perRow = code.add(code.quotient(sizes.inner, variant.getLanes()), 8);
    Value dots = code.mul(left, code.mul(perRow, variant.getGroup()));
    Value tiles = code.quotient(sizes.inner, variant.getGroup());
    Value isTall = code.isAtLeast(sizes.rows, 16);
    return code.both(isTall, code.isAtLeast(code.sub(tiles, dots), 0));
  });
  Value isThin = code.both(code.isAtMost(left, 4), code.isAtLeast(left, 1));
  Value isTall = code.isAtLeast(sizes.rows, 4);
  Value isContiguous = code.isEqual(sizes.lhsInner, 1);
  Value fits = code.isAtMost(sizes.inner, getPanelRoom(variant) / 4);
  Value hasTiles = code.isAtLeast(whole, 1);
  Value takes = code.both(
      code.both(isThin, isTall),
      code.both(code.both(isContiguous, fits), code.both(hasTiles, wanted)));
  return code.select(takes, whole, sizes.columns);
}

Value tegula::takesDotsOfColumns(VectorCode &code, const MatmulVariant &variant,
                                 const MatmulSizes &sizes) {
  // Pairs are multiplied so fast that copies pay sooner; fours are multiplied
  // one by one here.
  bool hasPairs = variant.getGroup() == 2;
  int64_t mostRows = hasPairs ? 20 : variant.getGroup() > 2 ? 4 : 28;
  Value isFlat = code.isAtMost(sizes.rows, mostRows);
  Value isContiguous = code.both(code.isEqual(sizes.rhsInner, 1),
                                 code.isEqual(sizes.lhsInner, 1));
  Value wanted = decide(code, variant.options.tuning.narrow, [&] {
    Value isDeep = code.isAtLeast(sizes.inner, variant.getLanes());
    // Partial sums of each row are added up in the end, which short columns
    // are not worth.
    Value least = code.mul(sizes.rows, hasPairs ? 32 : 12);
    Value isWorth =
        code.either(code.isAtMost(sizes.rows, 4),
                    code.isAtLeast(code.sub(sizes.inner, least), 0));
    return code.both(isDeep, isWorth);
  });
  return code.both(code.both(isFlat, isContiguous), wanted);
}

int64_t tegula::getWidePanel(const MatmulVariant &variant) {
  return 2 * variant.getPanel();
}

int64_t tegula::getWideDepth(const MatmulVariant &variant) {
  return depthOf(variant) / 2;
}

/// Fewer rows are streamed.
static constexpr int64_t leastWideRows = 3;

bool tegula::hasWideTiles(const MatmulVariant &variant) {
  return !variant.isWidened(variant.lhs) && !variant.isWidened(variant.rhs) &&
         getLeastTile(variant) >= leastWideRows;
}

Value tegula::takesWideTiles(VectorCode &code, const MatmulVariant &variant,
                             const MatmulSizes &sizes) {
  if (!hasWideTiles(variant))
    return code.constant(false);
  auto isWithin = [&](int64_t least, int64_t most) {
    return code.both(code.isAtLeast(sizes.rows, least),
                     code.isAtMost(sizes.rows, most));
  };
  Value hasColumns = code.isAtLeast(sizes.columns, getWidePanel(variant));
  Value isContiguous = code.isEqual(sizes.rhsColumn, 1);
  Value hasSteps = code.isAtLeast(sizes.inner, 1);
  Value mayTake = code.both(code.isAtLeast(sizes.rows, leastWideRows),
                            code.both(hasColumns, isContiguous));
  // Of an operand that caches hold, tiles of more rows are as fast; and the
  // more rows there are, the less counts how it is read.
  Value wanted = decide(code, variant.options.tuning.narrow, [&] {
    int64_t strip = variant.options.matmul.rows, least = getLeastTile(variant);
    Value bytes =
        code.mul(code.mul(sizes.inner, sizes.columns), variant.getAccBytes());
    auto isLarge = [&](int64_t most, int64_t leastBytes) {
      return code.both(isWithin(strip + 1, most),
                       code.isAtLeast(bytes, leastBytes));
    };
    return code.either(
        isWithin(leastWideRows, least),
        code.either(isLarge(3 * least, 3 << 22), isLarge(3 * strip, 1 << 25)));
  });
  return code.both(code.both(mayTake, hasSteps), wanted);
}

ChunkChoice tegula::chooseChunks(VectorCode &code, const MatmulVariant &variant,
                                 const MatmulSizes &sizes,
                                 function_ref<Value(Value)> countThreads) {
  Value one = code.number(1);
  auto atLeastOne = [&](Value count) {
    return code.select(code.isAtMost(count, 1), one, count);
  };
  Value strips =
      atLeastOne(code.quotient(sizes.rows, variant.options.matmul.rows));
  Value panels = atLeastOne(code.quotient(sizes.columns, variant.getPanel()));
  // Less than a matmul of 78 cubed is not worth another thread. An element of
  // an operand takes as long to read as three to multiply.
  Value read = code.mul(code.add(sizes.rows, sizes.columns), 3);
  Value work = code.mul(code.add(code.mul(sizes.rows, sizes.columns), read),
                        sizes.inner);
  int64_t least = variant.options.leastParallelWork * 8;
  Value most = code.min(code.mul(strips, panels), code.quotient(work, least));
  Value threads =
      atLeastOne(code.min(countThreads(code.isAtLeast(most, 2)), most));
  // By columns nothing is packed twice. Threads that are left when the longer
  // side is divided divide the other one.
  Value byColumns = code.isAtLeast(code.sub(panels, strips), 0);
  auto divide = [&]() -> VectorCode::Carried {
    Value longer = code.min(threads, code.select(byColumns, panels, strips));
    Value other = code.min(code.quotient(threads, longer),
                           code.select(byColumns, strips, panels));
    return {code.select(byColumns, other, longer),
            code.select(byColumns, longer, other)};
  };
  auto leave = [&]() -> VectorCode::Carried { return {one, one}; };
  VectorCode::Carried chunks =
      code.choose(code.isAtMost(threads, 1), leave, divide);
  return {chunks[0], chunks[1]};
}
