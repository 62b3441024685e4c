// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/emit/StoredMatmul.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/ir/interpreter/EightBitFloat.h"

using namespace tegula;
using namespace mlir;

/// True for a matmul, and for a sum of them from a loop or a
/// branch.
static bool isMatmul(Value tile, unsigned depth = 0) {
  Operation *op = tile.getDefiningOp();
  if (!op || depth > 8)
    return false;
  if (isa<pl::MatmulOp>(op))
    return true;
  unsigned number = llvm::cast<OpResult>(tile).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return isMatmul(loop.getYieldedValues()[number], depth + 1);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return isMatmul(branch.thenYield().getOperand(number), depth + 1) ||
           isMatmul(branch.elseYield().getOperand(number), depth + 1);
  return isa<pl::RelaxOp, pl::ReshapeOp, pl::WindowOp, pl::WithExtentsOp>(op) &&
         isMatmul(op->getOperand(0), depth + 1);
}

Value tegula::storedMatmul(Emitter &emitter, Location loc, Value tile,
                           Type element) {
  bool isNarrower = pl::getElementOrSelf(tile.getType()).isF32() &&
                    pl::isNarrowFloat(element) && !pl::isEightBitFloat(element);
  if (!isNarrower || !isMatmul(tile))
    return tile;
  return emitter.elementwise
      .cast(loc, Object(tile), element, pl::Rounding::Rint)
      .asValue();
}
