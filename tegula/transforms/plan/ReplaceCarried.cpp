// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/ReplaceCarried.h"

using namespace mlir;
using namespace tegula;

bool tegula::readsCarried(Fusion &fusion, Value tile, ValueRange carried,
                          Value inPlace) {
  return fusion.anyLeaf(tile, [&](Value leaf, bool isMoved) {
    return llvm::is_contained(carried, leaf) && (leaf != inPlace || isMoved);
  });
}

/// True if computing `tile` reads `argument` at other indices than it writes.
static bool readsMoved(Fusion &fusion, Value tile, Value argument,
                       bool isMoved) {
  return fusion.anyLeaf(
      tile,
      [&](Value leaf, bool leafIsMoved) {
        return leaf == argument && leafIsMoved;
      },
      isMoved);
}

/// What is put into `argument` itself may be computed from what it replaces; in
/// another tile that is there before it is read.
static bool canInsertInPlace(Fusion &fusion, pl::InsertOp insert,
                             Value argument) {
  if (insert.getTarget() == argument)
    return !fusion.readsElsewhere(insert, argument);
  return !readsMoved(fusion, insert.getTarget(), argument, /*isMoved=*/false) &&
         !readsMoved(fusion, insert.getSource(), argument, /*isMoved=*/true);
}

/// A matmul reads its accumulator in place, and its operands all over.
static bool canComputeInPlace(Fusion &fusion, Operation *op, Value argument) {
  if (auto insert = dyn_cast<pl::InsertOp>(op))
    return canInsertInPlace(fusion, insert, argument);
  auto matmul = dyn_cast<pl::MatmulOp>(op);
  return llvm::none_of(op->getOperands(), [&](Value operand) {
    bool isMoved =
        isa<pl::ReduceOp>(op) || (matmul && operand != matmul.getAcc());
    return isa<pl::TileType>(operand.getType()) &&
           readsMoved(fusion, operand, argument, isMoved);
  });
}

bool tegula::canReplaceCarried(Fusion &fusion, Value argument, Value next) {
  Operation *op = next.getDefiningOp();
  Block *body = cast<BlockArgument>(argument).getOwner();
  if (!op || op->getBlock() != body || fusion.isVirtual(op) ||
      !isa<pl::MatmulOp, pl::ReduceOp, pl::InsertOp,
           pl::ElementwiseOpInterface>(op))
    return false;
  const Fusion::Readers readers = fusion.getReaders(argument);
  return llvm::all_of(readers, [&](Operation *reader) {
    Operation *ancestor = body->findAncestorOpInBlock(*reader);
    return ancestor == op ? canComputeInPlace(fusion, op, argument)
                          : ancestor->isBeforeInBlock(op);
  });
}
