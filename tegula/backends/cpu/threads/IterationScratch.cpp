// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/threads/IterationScratch.h"

#include "tegula/backends/codegen/memory/TensorMemory.h"
#include "tegula/support/Routines.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

static bool calls(Operation &op, StringRef name) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == name;
}

/// What the first iteration asks for, before the loop; null if that is not
/// known there. A loop without iterations asks for nothing.
static Value emitBytesOfFirstIteration(OpBuilder &builder, scf::ForOp loop,
                                       Value bytes) {
  Location loc = loop.getLoc();
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return loop.getRegion().isAncestor(op->getParentRegion());
  };
  auto isRepeatable = [&](Operation *op) {
    return op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
           isPure(op);
  };
  if (failed(getBackwardSlice(bytes, &slice, options)) ||
      !llvm::all_of(slice, isRepeatable))
    return {};
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  for (Operation *op : slice)
    builder.clone(*op, first);
  Value hasIterations =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 64);
  return arith::SelectOp::create(builder, loc, hasIterations,
                                 first.lookupOrDefault(bytes), none);
}

/// mark = push 0; ...; pop mark, around all that an iteration does.
static LLVM::CallOp findMark(scf::ForOp loop) {
  Operation *last = loop.getBody()->getTerminator()->getPrevNode();
  if (!last || !calls(*last, routine::tegulaScratchPop))
    return {};
  auto mark = last->getOperand(0).getDefiningOp<LLVM::CallOp>();
  return mark && mark->getBlock() == loop.getBody() &&
                 calls(*mark, routine::tegulaScratchPush)
             ? mark
             : LLVM::CallOp();
}

/// True if an iteration may take more scratch memory and leave it to the mark
/// to give it back.
static bool needsMark(scf::ForOp loop, LLVM::CallOp mark) {
  auto mayTake = [&](Operation *op) {
    if (isa<func::CallOp>(op))
      return true;
    return isa<LLVM::CallOp>(op) && op != mark &&
           !llvm::is_contained(mark->getUsers(), op) &&
           !calls(*op, routine::tegulaReportError);
  };
  return loop
      .walk([&](Operation *op) {
        return mayTake(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Takes the memory that the iterations take by the call, if it is known how
/// much.
static bool takeBefore(scf::ForOp loop, LLVM::CallOp call) {
  bool isKnown =
      llvm::none_of(call.getOperands().drop_front(), [&](Value operand) {
        return loop.getRegion().isAncestor(operand.getParentRegion());
      });
  OpBuilder builder(loop);
  Value bytes =
      isKnown ? emitBytesOfFirstIteration(builder, loop, call.getOperand(0))
              : Value();
  if (!bytes)
    return false;
  call->moveBefore(loop);
  call->setOperand(0, bytes);
  return true;
}

void tegula::takeScratchOnce(scf::ForOp loop) {
  LLVM::CallOp mark = findMark(loop);
  if (!mark)
    return;
  Operation *pop = loop.getBody()->getTerminator()->getPrevNode();
  OpBuilder builder(loop);
  auto outer = cast<LLVM::CallOp>(builder.clone(*mark));
  bool isTaken = false;
  for (auto call :
       llvm::make_early_inc_range(loop.getBody()->getOps<LLVM::CallOp>()))
    if (call->hasAttr(shrinkingAttrName) && takeBefore(loop, call))
      isTaken = true;
  if (!isTaken)
    return outer.erase();
  builder.setInsertionPointAfter(loop);
  IRMapping marks;
  marks.map(mark.getResult(), outer.getResult());
  builder.clone(*pop, marks);
  if (!needsMark(loop, mark)) {
    pop->erase();
    mark.erase();
  }
}
