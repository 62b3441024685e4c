// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/chunks/CodeWeight.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tegula;

/// Loops over vectors have a body and an end under a mask, and several vectors
/// in flight where they reduce.
static int64_t weightOfGeneric(linalg::GenericOp generic) {
  int64_t body = generic.getBody()->getOperations().size();
  int64_t operands = generic->getNumOperands();
  int64_t copies = generic.getNumReductionLoops() ? 6 : 2;
  return 20 * generic.getNumLoops() + copies * (body + 3 * operands);
}

int64_t tegula::weightOf(Operation &op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return weightOfGeneric(generic);
  int64_t weight = isa<memref::ReinterpretCastOp>(op) ? 10 : 1;
  for (Region &region : op.getRegions())
    for (Block &block : region)
      weight += 4 + weightOf(block);
  return weight;
}

int64_t tegula::weightOf(Block &block) {
  int64_t weight = 0;
  for (Operation &op : block)
    weight += weightOf(op);
  return weight;
}

bool tegula::isRepeatable(Operation *op) {
  return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                isa<memref::ReinterpretCastOp, UnrealizedConversionCastOp,
                    LLVM::InsertValueOp, LLVM::PoisonOp, LLVM::ZeroOp>(op));
}

bool tegula::isPlainScalar(Type type) {
  return isa<IndexType, LLVM::LLVMPointerType>(type) ||
         (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64);
}
