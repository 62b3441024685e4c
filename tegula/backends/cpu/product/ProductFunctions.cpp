// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/product/ProductFunctions.h"

#include "tegula/backends/cpu/ParallelWork.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

func::FuncOp ProductFunctions::make(StringRef name, StringRef arguments,
                                    Body body) {
  if (auto made = module.lookupSymbol<func::FuncOp>(name))
    return made;
  OpBuilder builder(module.getContext());
  // No line of the source is it; who calls it tells which one it is for.
  Location loc = FileLineColLoc::get(module.getContext(), "<product>", 1, 1);
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
struct ProductBlock {
  BlockChoice choice;
  ProductSizes sizes;
  /// Addresses of the first elements, of what the block has of each.
  Value lhs, rhs, sum, sumRow, panels, strip, offsets;
  Value columns, inner;
  /// An i1: the sum starts here, from zero.
  Value isFirst;
};

} // namespace tegula

void ProductFunctions::emitBlock(VectorCode &code, const ProductBlock &block) {
  const ProductSizes &sizes = block.sizes;
  const BlockChoice &choice = block.choice;
  int64_t panel = form.getPanel(), most = form.options.matmul.rows;
  code.branch(choice.packs, [&] {
    code.call(getPack(), {block.rhs, sizes.rhsInner, sizes.rhsColumn,
                          block.panels, block.inner, block.columns});
  });
  Value groups = code.quotient(code.add(block.inner, form.getGroup() - 1),
                               form.getGroup());
  if (form.hasOffset())
    code.call(getOffsets(),
              {block.panels, groups, block.columns, block.offsets});
  Value rhs = code.select(choice.packs, block.panels, block.rhs);
  Value rhsRow = code.select(choice.packs, code.number(panel), sizes.rhsInner);
  Value perColumn = code.select(choice.packs, groups, code.number(1));
  // Copies of contiguous columns have such themselves.
  Value isAcross =
      form.getGroup() > 1
          ? code.constant(false)
          : code.both(code.isEqual(sizes.lhsRow, 1),
                      code.inverse(code.isEqual(sizes.lhsInner, 1)));
  Value pitch =
      code.select(isAcross, code.number(llvm::alignTo(most, form.getLanes())),
                  code.add(code.roundUp(groups, 16), 16));
  Value one = code.number(1);
  Value copiedRow = code.select(isAcross, one, pitch);
  Value copiedInner = code.select(isAcross, pitch, one);
  // Groups that are read in place lie side by side.
  Value givenRow = code.quotient(sizes.lhsRow, form.getGroup());
  Value lhsRow = code.select(choice.copies, copiedRow, givenRow);
  Value lhsInner = code.select(choice.copies, copiedInner, sizes.lhsInner);
  code.loop(sizes.rows, most, [&](Value row) {
    Value rows = code.min(code.sub(sizes.rows, row), code.number(most));
    Value given =
        form.at(code, form.lhs, block.lhs, code.mul(row, sizes.lhsRow));
    code.branch(choice.copies, [&] {
      code.call(getCopy(), {given, sizes.lhsRow, sizes.lhsInner, block.strip,
                            pitch, rows, block.inner});
    });
    Value lhs = code.select(choice.copies, block.strip, given);
    Value isRead = code.both(code.isEqual(row, 0), code.inverse(choice.packs));
    Value ahead =
        code.select(isRead, code.mul(sizes.rhsInner, 16), code.number(0));
    code.loop(block.columns, panel, [&](Value column) {
      Value left =
          code.min(code.sub(block.columns, column), code.number(panel));
      Value kept = code.select(block.isFirst, code.number(0), left);
      Value place = code.add(code.mul(row, block.sumRow), column);
      SmallVector<Value> arguments = {
          lhs,
          lhsRow,
          lhsInner,
          code.at(rhs, form.getPacked(), code.mul(column, perColumn)),
          rhsRow,
          code.at(block.sum, form.sum, place),
          block.sumRow,
          rows,
          groups,
          left,
          kept,
          ahead,
          code.at(block.offsets, form.sum, column)};
      code.branch(
          code.isAtMost(left, form.getLanes()),
          [&] { code.call(getRows(1), arguments); },
          [&] { code.call(getRows(form.options.matmul.vectors), arguments); });
    });
  });
}

func::FuncOp ProductFunctions::getBlocked() {
  return make(
      form.getName("blocked"), "pnnpnnpnnnnpn",
      [&](VectorCode &code, ValueRange given) {
        Value lhs = given[0], rhs = given[3], sum = given[6], sumRow = given[7];
        ProductSizes sizes = {given[8], given[9], given[10], given[1],
                              given[2], given[4], given[5]};
        BlockChoice choice = chooseBlocks(code, form, sizes);
        Value strip = given[11];
        Value offsets =
            code.at(strip, form.sum, code.number(getStripRoom(form)));
        Value panels =
            code.at(offsets, form.sum, code.number(getMostColumns(form)));
        Value replaces = code.isEqual(given[12], 0);
        // Pieces of the inner axis are about equal. There is at least one,
        // which sets the sum to zero if it is empty.
        Value one = code.number(1);
        Value atLeastOne =
            code.select(code.isAtLeast(sizes.inner, 1), sizes.inner, one);
        Value pieces = code.quotient(
            code.add(atLeastOne, code.sub(choice.depth, one)), choice.depth);
        Value even =
            code.quotient(code.add(atLeastOne, code.sub(pieces, one)), pieces);
        Value depth = code.roundUp(even, 4);
        code.loop(
            code.number(0), sizes.columns, choice.width, [&](Value column) {
              code.loop(code.number(0), atLeastOne, depth, [&](Value k) {
                Value there = code.add(code.mul(k, sizes.rhsInner),
                                       code.mul(column, sizes.rhsColumn));
                emitBlock(
                    code,
                    {choice, sizes,
                     form.at(code, form.lhs, lhs, code.mul(k, sizes.lhsInner)),
                     form.at(code, form.rhs, rhs, there),
                     code.at(sum, form.sum, column), sumRow, panels, strip,
                     offsets,
                     code.min(code.sub(sizes.columns, column), choice.width),
                     code.min(code.sub(sizes.inner, k), depth),
                     code.both(code.isEqual(k, 0), replaces)});
              });
            });
      });
}

int64_t ProductFunctions::getRoom(const ProductForm &form) {
  return getStripRoom(form) + getMostColumns(form) + getPanelRoom(form);
}

int64_t ProductFunctions::getRoom(const ProductForm &form, int64_t columns,
                                  int64_t inner) {
  int64_t panels =
      llvm::alignTo(columns, form.getPanel()) * inner + getPanelSlack(form);
  return getStripRoom(form) + getMostColumns(form) +
         std::min(panels, getPanelRoom(form));
}

void ProductFunctions::emitForRows(VectorCode &code, ValueRange given,
                                   func::FuncOp function) {
  code.loop(given[8], 1, [&](Value row) {
    code.call(function,
              {form.at(code, form.lhs, given[0], code.mul(row, given[1])),
               given[2], given[3], given[4], given[5],
               code.at(given[6], form.sum, code.mul(row, given[7])), given[9],
               given[10], given[12]});
  });
}

/// What rows and columns are too many for goes to the next.
void ProductFunctions::emitTileProduct(VectorCode &code, ValueRange given) {
  ProductSizes sizes = {given[8], given[9], given[10], given[1],
                        given[2], given[4], given[5]};
  auto blocked = [&] { code.call(getBlocked(), given); };
  auto streamed = [&] { emitForRows(code, given, getShortStream()); };
  auto dotted = [&] { emitDotsOfColumns(code, given); };
  code.branch(takesDotsOfColumns(code, form, sizes), dotted, [&] {
    code.branch(streamsShortRows(code, form, sizes), streamed, blocked);
  });
}

void ProductFunctions::emitProduct(VectorCode &code, ValueRange given) {
  ProductSizes sizes = {given[8], given[9], given[10], given[1],
                        given[2], given[4], given[5]};
  auto streamed = [&] { emitForRows(code, given, getStream()); };
  Value hasElements =
      code.both(code.isAtLeast(sizes.rows, 1), code.isAtLeast(sizes.inner, 1));
  Value isFlat = code.both(hasElements, streamsRows(code, form, sizes));
  Value isThin =
      code.both(takesDots(code, form, sizes), code.isEqual(given[12], 0));
  code.branch(
      isThin, [&] { code.call(getNarrow(), given.drop_back()); },
      [&] {
        code.branch(isFlat, streamed, [&] { emitWide(code, given, sizes); });
      });
}

/// The last few columns, and then the others.
void ProductFunctions::emitWide(VectorCode &code, ValueRange given,
                                const ProductSizes &sizes) {
  Value replaces = code.isEqual(given[12], 0);
  Value whole =
      code.select(replaces, columnsOfTiles(code, form, sizes), sizes.columns);
  Value left = code.sub(sizes.columns, whole);
  code.branch(code.isAtLeast(left, 1), [&] {
    SmallVector<Value> last(given.drop_back());
    last[3] = form.at(code, form.rhs, given[3], code.mul(whole, given[5]));
    last[6] = code.at(given[6], form.sum, whole);
    last[9] = left;
    code.call(getNarrow(), last);
  });
  SmallVector<Value> others(given);
  others[9] = whole;
  emitTileProduct(code, others);
}

func::FuncOp ProductFunctions::makeProduct(StringRef name, Body body) {
  func::FuncOp function = make(form.getName(name), "pnnpnnpnnnnpn", body);
  OpBuilder builder(function);
  function->setAttr(workAttrName,
                    builder.getDenseI64ArrayAttr({form.getLanes(), 8, 9, 10}));
  return function;
}

func::FuncOp ProductFunctions::getProduct() {
  return makeProduct("product", [&](VectorCode &code, ValueRange given) {
    emitProduct(code, given);
  });
}

func::FuncOp ProductFunctions::getTileProduct() {
  return makeProduct("tile_product", [&](VectorCode &code, ValueRange given) {
    emitTileProduct(code, given);
  });
}
