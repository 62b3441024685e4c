// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/ElementWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tegula;

/// Lanes take several passes for these.
static bool isSpecial(Operation *op) {
  if (isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FmaOp,
          math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
          math::TruncOp>(op))
    return false;
  return isa<math::MathDialect>(op->getDialect()) ||
         isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
             arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp>(op);
}

/// Constants and places cost nothing.
static bool isFree(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<linalg::YieldOp, linalg::IndexOp, arith::IndexCastOp>(op);
}

/// A guess for routines that are called: elements are read, compared, written.
static constexpr int64_t guessedOps = 8;

/// Something that takes longer names it.
static void addOp(Operation &op, ElementWork &work) {
  if (isFree(&op))
    return;
  ++(isSpecial(&op) ? work.specials : work.ops);
  if (isSpecial(&op) || work.name.empty() || work.specials == 0)
    work.name = op.getName().stripDialect().str();
}

std::vector<ElementWork> tegula::listWork(Region &region) {
  std::vector<ElementWork> loops;
  region.walk([&](linalg::GenericOp loop) {
    ElementWork &work = loops.emplace_back();
    for (Operation &op : *loop.getBody())
      addOp(op, work);
    work.isCopy = work.ops + work.specials == 0;
    work.combinesRows =
        loop.getNumLoops() > 0 &&
        loop.getIteratorTypesArray().back() == utils::IteratorType::reduction;
  });
  return loops;
}

ElementWork tegula::addWork(ArrayRef<ElementWork> loops) {
  ElementWork sum;
  if (loops.empty()) {
    sum.ops = guessedOps;
    sum.name = "routine";
    return sum;
  }
  sum.isCopy = true;
  for (const ElementWork &work : loops) {
    if (work.specials > 0 || sum.specials == 0)
      sum.name = work.name.empty() ? sum.name : work.name;
    sum.ops += work.ops;
    sum.specials += work.specials;
    sum.isCopy &= work.isCopy;
    sum.combinesRows |= work.combinesRows;
  }
  if (sum.isCopy) {
    sum.name = "copy";
    sum.ops = 1;
  }
  return sum;
}
