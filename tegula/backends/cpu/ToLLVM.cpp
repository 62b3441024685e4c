// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that is left -> the LLVM dialect, in one conversion.

#include "tegula/backends/NarrowFloatsAsIntegers.h"
#include "tegula/backends/cpu/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
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

struct CpuToLLVMPass : tegula::impl::CpuToLLVMBase<CpuToLLVMPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LLVMTypeConverter converter(context);
    RewritePatternSet patterns(context);
    populateNarrowFloatsAsIntegers(converter, patterns);
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
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    if (failed(
            applyFullConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    removeCasts();
  }

private:
  /// Those between a type and what it was converted to cancel each other.
  void removeCasts() {
    SmallVector<UnrealizedConversionCastOp> casts, remaining;
    getOperation().walk(
        [&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts, &remaining);
    for (UnrealizedConversionCastOp cast : remaining) {
      cast.emitOpError("is left of the conversion");
      signalPassFailure();
    }
  }
};

} // namespace
