// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/TurnScratch.h"

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

/// What the first turn asks for, before the loop; null if that is not known
/// there. A loop without turns asks for nothing.
static Value emitBytesOfFirstTurn(OpBuilder &builder, scf::ForOp turns,
                                  Value bytes) {
  Location loc = turns.getLoc();
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return turns.getRegion().isAncestor(op->getParentRegion());
  };
  auto isRepeatable = [&](Operation *op) {
    return op->getBlock() == turns.getBody() && op->getNumRegions() == 0 &&
           isPure(op);
  };
  if (failed(getBackwardSlice(bytes, &slice, options)) ||
      !llvm::all_of(slice, isRepeatable))
    return {};
  IRMapping first;
  first.map(turns.getInductionVar(), turns.getLowerBound());
  for (Operation *op : slice)
    builder.clone(*op, first);
  Value hasTurns =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            turns.getLowerBound(), turns.getUpperBound());
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 64);
  return arith::SelectOp::create(builder, loc, hasTurns,
                                 first.lookupOrDefault(bytes), none);
}

/// mark = push 0; ...; pop mark, around all that a turn does.
static LLVM::CallOp findMark(scf::ForOp turns) {
  Operation *last = turns.getBody()->getTerminator()->getPrevNode();
  if (!last || !calls(*last, "tegulaScratchPop"))
    return {};
  auto mark = last->getOperand(0).getDefiningOp<LLVM::CallOp>();
  return mark && mark->getBlock() == turns.getBody() &&
                 calls(*mark, "tegulaScratchPush")
             ? mark
             : LLVM::CallOp();
}

/// True if a turn may take more scratch memory and leave it to the mark to give
/// it back.
static bool needsMark(scf::ForOp turns, LLVM::CallOp mark) {
  auto mayTake = [&](Operation *op) {
    if (isa<func::CallOp>(op))
      return true;
    return isa<LLVM::CallOp>(op) && op != mark &&
           !llvm::is_contained(mark->getUsers(), op) &&
           !calls(*op, "tegulaReportError");
  };
  return turns
      .walk([&](Operation *op) {
        return mayTake(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Takes the memory that the turns take by the call, if it is known how much.
static bool takeBefore(scf::ForOp turns, LLVM::CallOp call) {
  bool isKnown =
      llvm::none_of(call.getOperands().drop_front(), [&](Value operand) {
        return turns.getRegion().isAncestor(operand.getParentRegion());
      });
  OpBuilder builder(turns);
  Value bytes = isKnown
                    ? emitBytesOfFirstTurn(builder, turns, call.getOperand(0))
                    : Value();
  if (!bytes)
    return false;
  call->moveBefore(turns);
  call->setOperand(0, bytes);
  return true;
}

void tegula::takeScratchOnce(scf::ForOp turns) {
  LLVM::CallOp mark = findMark(turns);
  if (!mark)
    return;
  Operation *pop = turns.getBody()->getTerminator()->getPrevNode();
  OpBuilder builder(turns);
  auto outer = cast<LLVM::CallOp>(builder.clone(*mark));
  bool isTaken = false;
  for (auto call :
       llvm::make_early_inc_range(turns.getBody()->getOps<LLVM::CallOp>()))
    if (call->hasAttr(shrinkingAttrName) && takeBefore(turns, call))
      isTaken = true;
  if (!isTaken)
    return outer.erase();
  builder.setInsertionPointAfter(turns);
  IRMapping marks;
  marks.map(mark.getResult(), outer.getResult());
  builder.clone(*pop, marks);
  if (!needsMark(turns, mark)) {
    pop->erase();
    mark.erase();
  }
}
