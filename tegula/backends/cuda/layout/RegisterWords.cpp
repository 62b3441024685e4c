// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/RegisterWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

static constexpr unsigned wordBits = 32;

static Value constant(OpBuilder &builder, Location loc, Type type,
                      int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

static Value toBits(OpBuilder &builder, Location loc, Value element) {
  if (!isa<FloatType>(element.getType()))
    return element;
  return arith::BitcastOp::create(
      builder, loc,
      builder.getIntegerType(element.getType().getIntOrFloatBitWidth()),
      element);
}

static Value fromBits(OpBuilder &builder, Location loc, Value bits,
                      Type element) {
  if (bits.getType() == element)
    return bits;
  return arith::BitcastOp::create(builder, loc, element, bits);
}

Value tegula::takePart(OpBuilder &builder, Location loc, Value word,
                       Type element, unsigned bit) {
  Type narrow = builder.getIntegerType(element.getIntOrFloatBitWidth());
  if (bit)
    word = arith::ShRUIOp::create(builder, loc, word,
                                  constant(builder, loc, word.getType(), bit));
  if (narrow != word.getType())
    word = arith::TruncIOp::create(builder, loc, narrow, word);
  return fromBits(builder, loc, word, element);
}

void tegula::loadWords(OpBuilder &builder, Location loc, Value address,
                       Type element, MutableArrayRef<Value> elements) {
  unsigned bits = element.getIntOrFloatBitWidth();
  unsigned all = bits * elements.size();
  unsigned each = std::clamp(all, bits, std::max(bits, wordBits));
  unsigned count = all / each;
  Type word = builder.getIntegerType(each);
  Type type = count > 1 ? Type(VectorType::get({count}, word)) : word;
  Value loaded = LLVM::LoadOp::create(builder, loc, type, address, all / 8);
  for (auto [position, value] : llvm::enumerate(elements)) {
    unsigned bit = position * bits;
    Value own = loaded;
    if (count > 1)
      own = LLVM::ExtractElementOp::create(
          builder, loc, loaded,
          constant(builder, loc, builder.getI32Type(), bit / each));
    value = takePart(builder, loc, own, element, bit % each);
  }
}

void tegula::storeWords(OpBuilder &builder, Location loc, Value address,
                        ArrayRef<Value> elements) {
  unsigned bits = elements.front().getType().getIntOrFloatBitWidth();
  unsigned all = bits * elements.size();
  unsigned each = std::clamp(all, bits, std::max(bits, wordBits));
  unsigned perWord = each / bits, count = all / each;
  Type word = builder.getIntegerType(each);
  SmallVector<Value> words;
  for (size_t first = 0; first < elements.size(); first += perWord) {
    Value sum;
    for (unsigned i = 0; i < perWord; ++i) {
      Value part = toBits(builder, loc, elements[first + i]);
      if (part.getType() != word)
        part = arith::ExtUIOp::create(builder, loc, word, part);
      if (i)
        part = arith::ShLIOp::create(builder, loc, part,
                                     constant(builder, loc, word, i * bits));
      sum = sum ? arith::OrIOp::create(builder, loc, sum, part).getResult()
                : part;
    }
    words.push_back(sum);
  }
  Value stored = words.front();
  if (count > 1) {
    stored =
        LLVM::PoisonOp::create(builder, loc, VectorType::get({count}, word));
    for (auto [position, part] : llvm::enumerate(words))
      stored = LLVM::InsertElementOp::create(
          builder, loc, stored, part,
          constant(builder, loc, builder.getI32Type(), int64_t(position)));
  }
  LLVM::StoreOp::create(builder, loc, stored, address, all / 8);
}

/// Two numbers of FP32 rounded to 16 bits, by one instruction.
static Value roundPair(OpBuilder &builder, Location loc, arith::TruncFOp low,
                       arith::TruncFOp high) {
  Value pair = LLVM::PoisonOp::create(
      builder, loc, VectorType::get({2}, builder.getF32Type()));
  for (auto [i, part] : llvm::enumerate(ValueRange{low.getIn(), high.getIn()}))
    pair = LLVM::InsertElementOp::create(
        builder, loc, pair, part,
        constant(builder, loc, builder.getI32Type(), int64_t(i)));
  pair = arith::TruncFOp::create(builder, loc,
                                 VectorType::get({2}, low.getType()), pair);
  pair = arith::BitcastOp::create(
      builder, loc, VectorType::get({2}, builder.getI16Type()), pair);
  return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), pair);
}

Value tegula::packWord(OpBuilder &builder, Location loc,
                       ArrayRef<Value> elements) {
  Type word = builder.getI32Type();
  auto isRounded = [](Value value) {
    auto rounded = value.getDefiningOp<arith::TruncFOp>();
    return rounded && rounded.getIn().getType().isF32();
  };
  if (elements.size() == 2 && llvm::all_of(elements, isRounded))
    return roundPair(builder, loc, elements[0].getDefiningOp<arith::TruncFOp>(),
                     elements[1].getDefiningOp<arith::TruncFOp>());
  Value sum;
  for (auto [i, element] : llvm::enumerate(elements)) {
    Value part = toBits(builder, loc, element);
    unsigned bits = part.getType().getIntOrFloatBitWidth();
    if (bits < wordBits)
      part = arith::ExtUIOp::create(builder, loc, word, part);
    if (i)
      part = arith::ShLIOp::create(
          builder, loc, part, constant(builder, loc, word, int64_t(i * bits)));
    sum =
        sum ? arith::OrIOp::create(builder, loc, sum, part).getResult() : part;
  }
  return sum;
}

void tegula::emitInstruction(OpBuilder &builder, Location loc, StringRef text,
                             StringRef operands, ValueRange values) {
  LLVM::InlineAsmOp::create(builder, loc, TypeRange(), values, text, operands,
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            LLVM::AsmDialectAttr(), ArrayAttr());
}
