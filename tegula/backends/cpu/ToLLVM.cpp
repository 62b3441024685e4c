// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that is left -> the LLVM dialect, in one conversion.

#include "tegula/backends/cpu/Passes.h"
#include "tegula/ir/EightBitFloat.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorTransforms.h"

namespace tegula {
#define GEN_PASS_DEF_CPUTOLLVM
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// BF16 values and 8-bit floats are only moved by now; as integers that takes
/// no more than moves, while LLVM takes vectors of BF16 apart on machines
/// without instructions for them, and knows no 8-bit floats.
static bool isHeldAsInteger(Type element) {
  return element.isBF16() || pl::isEightBitFloat(element);
}

struct NarrowFloatConstant : ConvertOpToLLVMPattern<arith::ConstantOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isHeldAsInteger(getElementTypeOrSelf(op.getType())))
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

struct CpuToLLVMPass : tegula::impl::CpuToLLVMBase<CpuToLLVMPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LLVMTypeConverter converter(context);
    converter.addConversion([](BFloat16Type type) -> Type {
      return IntegerType::get(type.getContext(), 16);
    });
    converter.addConversion([](VectorType type) -> std::optional<Type> {
      Type element = type.getElementType();
      if (!isHeldAsInteger(element))
        return std::nullopt;
      return type.clone(
          IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth()));
    });
    RewritePatternSet patterns(context);
    patterns.add<NarrowFloatConstant, NarrowFloatBitcast>(converter,
                                                          /*benefit=*/2);
    // A mask counts the lanes of one vector; 32 bits halve its comparison.
    vector::populateVectorMaskMaterializationPatterns(
        patterns, /*force32BitVectorIndices=*/true);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    SymbolTableCollection symbols;
    populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
    populateOpenMPToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    configureOpenMPToLLVMConversionLegality(target, converter);
    if (failed(
            applyFullConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
