// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::pl;

TypedAttr tegula::pl::toAttribute(Scalar number, Type type) {
  if (isa<FloatType>(type))
    return FloatAttr::get(type, number.getReal());
  auto bits = static_cast<uint64_t>(number.getInteger());
  return IntegerAttr::get(type, llvm::APInt(type.getIntOrFloatBitWidth(), bits,
                                            /*isSigned=*/false,
                                            /*implicitTrunc=*/true));
}

Value tegula::pl::buildNumber(OpBuilder &builder, Location loc, Scalar number,
                              Type element) {
  // The constants of an unsigned type are made from the signless one.
  Type signless = isUnsigned(element)
                      ? builder.getIntegerType(element.getIntOrFloatBitWidth())
                      : element;
  Value constant =
      arith::ConstantOp::create(builder, loc, toAttribute(number, signless));
  if (signless == element)
    return constant;
  return CastOp::create(builder, loc, element, constant, Rounding::None);
}
