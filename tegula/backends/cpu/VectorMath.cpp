// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions of vectors: calls of glibc's vector math library.

#include "tegula/backends/NarrowFloats.h"
#include "tegula/backends/cpu/Passes.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <numeric>

namespace tegula {
#define GEN_PASS_DEF_CPUVECTORMATH
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// The library's name for the function of `lanes` elements: the letter says
/// the width of the registers, v one operand.
static std::string libraryName(StringRef function, unsigned numOperands,
                               Type element, int64_t lanes) {
  int64_t bits = lanes * element.getIntOrFloatBitWidth();
  char width = bits == 512 ? 'e' : bits == 256 ? 'd' : 'b';
  return ("_ZGV" + Twine(width) + "N" + Twine(lanes) +
          std::string(numOperands, 'v') + "_" + function +
          (element.isF32() ? "f" : ""))
      .str();
}

static LLVM::LLVMFuncOp declare(Operation *user, StringRef name, Type type,
                                unsigned numOperands) {
  auto module = user->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), name,
      LLVM::LLVMFunctionType::get(type, SmallVector<Type>(numOperands, type)));
  // Nothing is read or written, so equal calls are made once.
  function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
      builder.getContext(), LLVM::ModRefInfo::NoModRef,
      LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
      LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
      LLVM::ModRefInfo::NoModRef));
  return function;
}

namespace {

/// One register of the vector at a time is handed to the library.
template <typename MathOp> struct CallVectorLibrary : OpRewritePattern<MathOp> {
  CallVectorLibrary(MLIRContext *context, StringRef function,
                    unsigned vectorBits)
      : OpRewritePattern<MathOp>(context), function(function),
        vectorBits(vectorBits) {}

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() != 1 ||
        !isa<Float32Type, Float64Type>(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "not a vector of f32 or f64");
    Type element = type.getElementType();
    int64_t lanes = std::min<int64_t>(
        type.getNumElements(), vectorBits / element.getIntOrFloatBitWidth());
    int64_t bits = lanes * element.getIntOrFloatBitWidth();
    if (bits < 128 || type.getNumElements() % lanes != 0)
      return rewriter.notifyMatchFailure(op, "too short for a register");
    LLVM::LLVMFuncOp routine =
        declare(op, libraryName(function, op->getNumOperands(), element, lanes),
                VectorType::get(lanes, element), op->getNumOperands());
    Value result;
    for (int64_t start = 0; start < type.getNumElements(); start += lanes) {
      Value part = callPart(rewriter, op, routine, start, lanes);
      result = result ? join(rewriter, op.getLoc(), result, part) : part;
    }
    rewriter.replaceOp(op, result);
    return success();
  }

  static Value callPart(PatternRewriter &rewriter, MathOp op,
                        LLVM::LLVMFuncOp routine, int64_t start,
                        int64_t lanes) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      SmallVector<int64_t> places(lanes);
      std::iota(places.begin(), places.end(), start);
      bool isWhole =
          cast<VectorType>(operand.getType()).getNumElements() == lanes;
      operands.push_back(
          isWhole ? operand
                  : vector::ShuffleOp::create(rewriter, op.getLoc(), operand,
                                              operand, places)
                        .getResult());
    }
    return LLVM::CallOp::create(rewriter, op.getLoc(), routine, operands)
        .getResult();
  }

  static Value join(PatternRewriter &rewriter, Location loc, Value first,
                    Value second) {
    int64_t count = cast<VectorType>(first.getType()).getNumElements() +
                    cast<VectorType>(second.getType()).getNumElements();
    SmallVector<int64_t> places(count);
    std::iota(places.begin(), places.end(), 0);
    return vector::ShuffleOp::create(rewriter, loc, first, second, places);
  }

  std::string function;
  unsigned vectorBits;
};

/// LLVM has no intrinsic for this one: a scalar goes to the C library.
struct CallScalarErf : OpRewritePattern<math::ErfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ErfOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isa<Float32Type, Float64Type>(type))
      return rewriter.notifyMatchFailure(op, "not a scalar f32 or f64");
    LLVM::LLVMFuncOp routine =
        declare(op, type.isF32() ? "erff" : "erf", type, 1);
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, routine, op.getOperand());
    return success();
  }
};

struct CpuVectorMathPass : tegula::impl::CpuVectorMathBase<CpuVectorMathPass> {
  using Parent = tegula::impl::CpuVectorMathBase<CpuVectorMathPass>;
  using Parent::Parent;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    auto add = [&](auto op, StringRef function) {
      patterns.add<CallVectorLibrary<decltype(op)>>(&getContext(), function,
                                                    vectorBits);
    };
    add(math::ExpOp(), "exp");
    add(math::LogOp(), "log");
    add(math::SinOp(), "sin");
    add(math::CosOp(), "cos");
    add(math::TanhOp(), "tanh");
    add(math::ErfOp(), "erf");
    add(math::PowFOp(), "pow");
    patterns.add<CallScalarErf>(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    populateNarrowFloatPatterns(patterns);
    arith::populateExpandBFloat16Patterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
