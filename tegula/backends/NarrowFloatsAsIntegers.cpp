// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/NarrowFloatsAsIntegers.h"

#include "tegula/ir/interpreter/EightBitFloat.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

static bool isStoredAsInteger(Type element) {
  return element.isBF16() || pl::isEightBitFloat(element);
}

namespace {

struct NarrowFloatConstant : ConvertOpToLLVMPattern<arith::ConstantOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isStoredAsInteger(getElementTypeOrSelf(op.getType())))
      return rewriter.notifyMatchFailure(op, "not held as an integer");
    Type type = getTypeConverter()->convertType(op.getType());
    auto bitsOf = [&](const APFloat &number) {
      return rewriter.getIntegerAttr(getElementTypeOrSelf(type),
                                     number.bitcastToAPInt());
    };
    TypedAttr bits;
    if (auto number = dyn_cast<FloatAttr>(op.getValue()))
      bits = bitsOf(number.getValue());
    else if (auto splat = dyn_cast<SplatElementsAttr>(op.getValue()))
      bits = DenseElementsAttr::get(
          cast<VectorType>(type),
          Attribute(bitsOf(splat.getSplatValue<APFloat>())));
    else
      return rewriter.notifyMatchFailure(op, "not one number");
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(op, type, bits);
    return success();
  }
};

/// Bits are bits already.
struct NarrowFloatBitcast : ConvertOpToLLVMPattern<arith::BitcastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(arith::BitcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (adaptor.getIn().getType() != type)
      return rewriter.notifyMatchFailure(op, "changes the type");
    rewriter.replaceOp(op, adaptor.getIn());
    return success();
  }
};

} // namespace

void tegula::populateNarrowFloatsAsIntegers(LLVMTypeConverter &converter,
                                            RewritePatternSet &patterns) {
  converter.addConversion([](BFloat16Type type) -> Type {
    return IntegerType::get(type.getContext(), 16);
  });
  converter.addConversion([](VectorType type) -> std::optional<Type> {
    Type element = type.getElementType();
    if (!isStoredAsInteger(element))
      return std::nullopt;
    return type.clone(
        IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth()));
  });
  patterns.add<NarrowFloatConstant, NarrowFloatBitcast>(converter,
                                                        /*benefit=*/2);
}
