// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/MatmulRegisters.h"

using namespace mlir;
using namespace tegula;

SmallVector<int64_t> MatmulRegisters::listOffsets(const ElementMap &map,
                                                  unsigned axis, int64_t size) {
  SmallVector<int64_t> found;
  for (int64_t i = 0; i < map.getNumRegisters(); ++i) {
    int64_t offset = map.getOffset(i)[axis];
    if (!map.isUnused(i) && offset % size == 0 &&
        !llvm::is_contained(found, offset))
      found.push_back(offset);
  }
  return found;
}

int64_t MatmulRegisters::find(const ElementMap &map, int64_t row,
                              int64_t column) {
  auto wrap = [&](int64_t coordinate, unsigned axis) {
    int64_t reach = 0;
    for (const auto *bits : {&map.registers, &map.lanes, &map.warps})
      for (const Coordinate &step : *bits)
        reach |= step[axis];
    return coordinate & reach;
  };
  return *map.findRegister({wrap(row, 0), wrap(column, 1)});
}

Value MatmulRegisters::take(int64_t row, int64_t column) const {
  Value found = tile.registers[find(tile.map, row, column)];
  return found ? found
               : arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(element));
}

int64_t MatmulRegisters::getEach() const {
  constexpr int64_t wordBits = 32;
  return wordBits / element.getIntOrFloatBitWidth();
}

/// Tensor cores leave the last bits of what is not rounded away.
static Value roundToTf32(OpBuilder &builder, Location loc, Value word) {
  Type type = word.getType();
  Value made =
      LLVM::InlineAsmOp::create(
          builder, loc,
          LLVM::LLVMStructType::getLiteral(builder.getContext(), type), word,
          "cvt.rna.tf32.f32 $0, $1;", "=r,r", /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr(), ArrayAttr())
          .getResult(0);
  return LLVM::ExtractValueOp::create(builder, loc, made, ArrayRef<int64_t>{0});
}

Value MatmulRegisters::takeWord(int64_t row, int64_t column,
                                bool isAlongRow) const {
  SmallVector<Value> elements;
  for (int64_t i = 0; i < getEach(); ++i)
    elements.push_back(
        take(isAlongRow ? row : row + i, isAlongRow ? column + i : column));
  Value word = packWord(builder, loc, elements);
  return element.isF32() ? roundToTf32(builder, loc, word) : word;
}

SmallVector<Value> MatmulRegisters::takeLhs(int64_t row, int64_t inner) const {
  SmallVector<Value> words;
  for (int64_t half : {int64_t(0), getDepth() / 2})
    for (int64_t below : {0, 8})
      words.push_back(takeWord(row + below, inner + half, true));
  return words;
}

SmallVector<Value> MatmulRegisters::takeRhs(int64_t inner,
                                            int64_t column) const {
  return {takeWord(inner, column, false),
          takeWord(inner + getDepth() / 2, column, false)};
}
