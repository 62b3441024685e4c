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

ElementWork tegula::countWork(Region &region) {
  ElementWork work;
  std::string last;
  bool hasLoop = false;
  region.walk([&](linalg::GenericOp loop) {
    hasLoop = true;
    for (Operation &op : *loop.getBody()) {
      if (isFree(&op))
        continue;
      ++(isSpecial(&op) ? work.specials : work.ops);
      if (isSpecial(&op) || last.empty() || work.specials == 0)
        last = op.getName().stripDialect().str();
    }
  });
  if (!hasLoop) {
    work.isGuess = true;
    work.ops = guessedOps;
    work.name = "routine";
    return work;
  }
  work.isCopy = work.ops + work.specials == 0;
  work.name = work.isCopy ? "copy" : last;
  work.ops = std::max<int64_t>(work.ops, work.isCopy ? 1 : 0);
  return work;
}
