// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/CodeWeight.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/ADT/StringSwitch.h"

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

std::optional<RowWork> tegula::rowWorkOf(LLVM::CallOp call) {
  // What an element takes, in quarters of an instruction.
  int64_t quarters =
      llvm::StringSwitch<int64_t>(call.getCallee().value_or(""))
          .Cases({routine::tegulaSortRows, routine::tegulaSortRuns}, 24)
          .Case(routine::tegulaMergeRuns, 40)
          .Case(routine::tegulaArgReduce, 1)
          .Case(routine::tegulaScanRows, 2)
          .Cases({routine::tegulaPickRows, routine::tegulaPutRows}, 6)
          .Case(routine::tegulaAddRows, 8)
          .Cases({routine::tegulaCopyRows, routine::tegulaTransposeRows}, 4)
          .Default(0);
  if (quarters == 0)
    return std::nullopt;
  auto numberAt = [&](unsigned position) {
    Value number = call.getOperand(position);
    auto cast = number.getDefiningOp<arith::IndexCastOp>();
    return cast ? cast.getIn() : number;
  };
  if (call.getCallee() == routine::tegulaCopyRows ||
      call.getCallee() == routine::tegulaTransposeRows)
    return RowWork{{numberAt(2), numberAt(3)}, quarters};
  return RowWork{{numberAt(2)}, quarters};
}

/// Reports never happen in a call that matters.
static int64_t timeOfCall(StringRef callee) {
  return callee == routine::tegulaReportError ? 0 : 24;
}

int64_t tegula::timeOf(Operation &op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return timeOfCall(call.getCallee().value_or(""));
  if (isRepeatable(&op) || op.hasTrait<OpTrait::IsTerminator>())
    return 0;
  bool isLong = isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op);
  return isLong ? 10 : 1;
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
