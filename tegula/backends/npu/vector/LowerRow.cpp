// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/npu/vector/LowerRow.h"

#include "tegula/backends/NarrowFloats.h"
#include "tegula/backends/NarrowFloatsAsIntegers.h"
#include "tegula/backends/math/ExpandMath.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace tegula;

void tegula::registerRowDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  scf::SCFDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

/// Mathematical functions  ->  polynomials; narrow floats  ->  FP32
static LogicalResult expandMath(ModuleOp row) {
  RewritePatternSet patterns(row.getContext());
  MathTarget target;
  target.knowsLargeAngles = false;
  populateMathExpansions(patterns, target);
  // Values come from elsewhere. This takes about as long as what is exact,
  // which LLVM makes two loops of.
  math::populateExpansionPatterns(patterns, {"powf"});
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  populateNarrowFloatPatterns(patterns);
  arith::populateExpandBFloat16Patterns(patterns);
  return applyPatternsGreedily(row, std::move(patterns));
}

static LogicalResult convertToLLVM(ModuleOp row) {
  MLIRContext *context = row.getContext();
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  populateNarrowFloatsAsIntegers(converter, patterns);
  populateSCFToControlFlowConversionPatterns(patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  return applyFullConversion(row, target, std::move(patterns));
}

Error tegula::lowerRow(ModuleOp row) {
  std::string message;
  uint64_t thread = llvm::get_threadid();
  // That a region has no code is no mistake in the kernel; other threads may
  // have such.
  ScopedDiagnosticHandler handler(row.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (llvm::get_threadid() != thread)
                                      return failure();
                                    if (message.empty())
                                      message = diagnostic.str();
                                    return success();
                                  });
  if (succeeded(expandMath(row)) && succeeded(convertToLLVM(row)))
    return Error::success();
  return makeError("it has no code for RISC-V vectors: {0}", message);
}
