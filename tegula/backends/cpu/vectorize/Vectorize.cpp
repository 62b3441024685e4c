// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// linalg.generic on memory -> loops over vectors.

#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cpu/vectorize/GenericNest.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tegula {
#define GEN_PASS_DEF_CPUVECTORIZE
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CpuVectorizePass : tegula::impl::CpuVectorizeBase<CpuVectorizePass> {
  using Parent = tegula::impl::CpuVectorizeBase<CpuVectorizePass>;
  using Parent::Parent;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> generics;
    getOperation().walk(
        [&](linalg::GenericOp generic) { generics.push_back(generic); });
    for (linalg::GenericOp generic : generics) {
      if (generic.getNumDpsInits() != 1) {
        generic.emitOpError("is not of a kind the CPU back end makes");
        return signalPassFailure();
      }
      GenericNest(generic, vectorBits).emit();
    }
    getOperation().walk([](Operation *op) {
      if (!isa<cpu::StreamOp, cpu::UncachedOp>(op))
        return;
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    });
  }
};

} // namespace
