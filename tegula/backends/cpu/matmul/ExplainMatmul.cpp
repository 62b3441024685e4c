// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/ExplainMatmul.h"

#include "tegula/backends/cpu/matmul/MatmulHeuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tegula;
using llvm::formatv;

namespace {

/// Formulas whose values are numbers, in a function that nobody runs.
class KnownSizes {
public:
  KnownSizes(const MatmulVariant &variant, const MatmulExtents &extents)
      : variant(variant), extents(extents), builder(variant.sum.getContext()),
        loc(builder.getUnknownLoc()), module(ModuleOp::create(builder, loc)),
        code(startFunction(), loc) {
    auto known = [&](int64_t number) { return code.number(number); };
    lhs = stridesOf(extents.lhs, extents.transposeLhs, extents.rows,
                    extents.inner);
    OperandStrides rhs = stridesOf(extents.rhs, extents.transposeRhs,
                                   extents.inner, extents.columns);
    sizes = {known(extents.rows), known(extents.columns), known(extents.inner),
             known(lhs.row),      known(lhs.column),      known(rhs.row),
             known(rhs.column)};
  }

  std::string explain(int64_t threads) {
    if (isTrue(takesDots(code, variant, sizes)))
      return formatv("multiplies rows with each column along the inner axis, "
                     "for there are few columns: {0}",
                     extents.columns);
    if (isTrue(streamsRows(code, variant, sizes)) ||
        isTrue(streamsShortRows(code, variant, sizes)))
      return formatv("reads the rhs once, row by row, for there are "
                     "few rows: {0}",
                     extents.rows);
    if (isTrue(takesDotsOfColumns(code, variant, sizes)))
      return formatv("multiplies rows with columns in place, for there are "
                     "few rows: {0}",
                     extents.rows);
    if (isTrue(takesWideTiles(code, variant, sizes)))
      return formatv("reads {0} columns of the rhs at a time, for "
                     "there are few rows: {1}; {2}",
                     getWidePanel(variant), extents.rows,
                     explainChunks(threads));
    return explainBlocks() + "; " + explainChunks(threads);
  }

private:
  /// Of an operand as it is multiplied, with so many rows and columns.
  static OperandStrides stridesOf(std::optional<OperandStrides> given,
                                  bool isTransposed, int64_t rows,
                                  int64_t columns) {
    OperandStrides strides =
        given.value_or(OperandStrides{isTransposed ? rows : columns, 1});
    if (isTransposed)
      std::swap(strides.row, strides.column);
    return strides;
  }

  OpBuilder &startFunction() {
    builder.setInsertionPointToStart(module->getBody());
    auto function = func::FuncOp::create(builder, loc, "sizes",
                                         builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    return builder;
  }

  int64_t numberOf(Value value) {
    APInt number;
    bool isKnown = matchPattern(value, m_ConstantInt(&number));
    assert(isKnown && "formulas of numbers fold");
    (void)isKnown;
    return number.getBitWidth() == 1 ? number.getZExtValue()
                                     : number.getSExtValue();
  }
  bool isTrue(Value condition) { return numberOf(condition) != 0; }

  std::string explainBlocks() {
    BlockChoice choice = chooseBlocks(code, variant, sizes);
    int64_t strip = variant.options.matmul.rows;
    int64_t strips = llvm::divideCeil(extents.rows, strip);
    std::string right = formatv(
        "{0}: {1} x {2} is read by {3} strips of up to {4} rows",
        isTrue(choice.packs) ? "packs the rhs" : "reads the rhs where it lies",
        extents.inner, extents.columns, strips, strip);
    int64_t bytes = lhs.row * variant.lhs.element.getIntOrFloatBitWidth() / 8;
    std::string layout =
        lhs.column == 1 ? formatv("its rows are {0} bytes apart", bytes).str()
        : lhs.row == 1
            ? std::string("it lies column by column")
            : formatv("its columns lie {0} elements apart", lhs.column).str();
    std::string left =
        formatv("{0}: {1}",
                isTrue(choice.copies) ? "copies the lhs"
                                      : "reads the lhs where it lies",
                layout);
    int64_t last =
        extents.columns - numberOf(columnsOfTiles(code, variant, sizes));
    std::string rest =
        last
            ? formatv("; multiplies rows with the last {0} along the inner "
                      "axis",
                      last == 1 ? "column" : formatv("{0} columns", last).str())
                  .str()
            : "";
    return formatv("{0}; {1}; blocks of {2} columns, {3} deep{4}", right, left,
                   std::min(extents.columns, numberOf(choice.width)),
                   std::min(extents.inner, numberOf(choice.depth)), rest);
  }

  std::string explainChunks(int64_t threads) {
    ChunkChoice choice = chooseChunks(
        code, variant, sizes, [&](Value) { return code.number(threads); });
    int64_t down = numberOf(choice.ofRows);
    int64_t across = numberOf(choice.ofColumns);
    if (down * across == 1)
      return threads == 1 ? "one thread"
                          : "one thread, for there is too little";
    if (down > 1 && across > 1)
      return formatv("{0} threads share {1} chunks of the rows and {2} of the "
                     "columns",
                     down * across, down, across);
    return formatv("{0} threads share the {1}", down * across,
                   across > 1 ? "columns" : "rows");
  }

  const MatmulVariant &variant;
  const MatmulExtents &extents;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  VectorCode code;
  OperandStrides lhs;
  MatmulSizes sizes;
};

} // namespace

std::string tegula::explainMatmul(const MatmulVariant &variant,
                                  const MatmulExtents &extents,
                                  int64_t threads) {
  MLIRContext *context = variant.sum.getContext();
  context->loadDialect<arith::ArithDialect, func::FuncDialect>();
  return KnownSizes(variant, extents).explain(threads);
}
