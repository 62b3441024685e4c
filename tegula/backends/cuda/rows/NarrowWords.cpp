// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/NarrowWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

Type NarrowWords::wordOf(Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits == 16 ? Type(builder.getIntegerType(bits)) : element;
}

Value NarrowWords::fromWord(Value word, Type element) {
  if (word.getType() == element)
    return word;
  return arith::BitcastOp::create(builder, loc, element, word);
}

Value NarrowWords::halfOf(Value word, Type element, bool isHigh) {
  Value low =
      isHigh ? arith::ShRUIOp::create(builder, loc, word, math.constant(16))
                   .getResult()
             : word;
  Value bits = arith::TruncIOp::create(builder, loc, wordOf(element), low);
  Value made = fromWord(bits, element);
  halves[made] = {word, isHigh};
  return made;
}

Value NarrowWords::widen(Value element) {
  auto found = halves.find(element);
  if (found == halves.end())
    return {};
  const Half &half = found->second;
  Value bits =
      half.isHigh
          ? math.both(half.word,
                      math.constant(static_cast<int32_t>(0xffff0000)))
          : arith::ShLIOp::create(builder, loc, half.word, math.constant(16))
                .getResult();
  return arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
}

SmallVector<Value> NarrowWords::partsOf(Value vector) {
  SmallVector<Value> parts;
  for (int64_t i = 0, e = cast<VectorType>(vector.getType()).getNumElements();
       i < e; ++i)
    parts.push_back(
        LLVM::ExtractElementOp::create(builder, loc, vector, math.constant(i)));
  return parts;
}

Value NarrowWords::packPair(Value low, Value high) {
  auto lowRounded = low.getDefiningOp<arith::TruncFOp>();
  auto highRounded = high.getDefiningOp<arith::TruncFOp>();
  bool areRounded = lowRounded && highRounded &&
                    lowRounded.getIn().getType().isF32() &&
                    highRounded.getIn().getType().isF32();
  auto join = [&](Value first, Value second) -> Value {
    Value pair = LLVM::PoisonOp::create(builder, loc,
                                        VectorType::get({2}, first.getType()));
    for (auto [i, part] : llvm::enumerate(ValueRange{first, second}))
      pair = LLVM::InsertElementOp::create(builder, loc, pair, part,
                                           math.constant(int64_t(i)));
    return pair;
  };
  Value pair;
  if (areRounded) {
    pair = arith::TruncFOp::create(
        builder, loc, VectorType::get({2}, low.getType()),
        join(lowRounded.getIn(), highRounded.getIn()));
    pair = arith::BitcastOp::create(
        builder, loc, VectorType::get({2}, wordOf(low.getType())), pair);
  } else {
    pair = join(toWord(low), toWord(high));
  }
  return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), pair);
}
