// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/rows/RowMatmuls.h"

#include "tegula/ir/MemoryAccess.h"
#include "tegula/transforms/matmul/AccumulatorLoop.h"
#include "tegula/transforms/matmul/MatmulLoops.h"
#include "tegula/transforms/matmul/MatmulTypes.h"
#include "tegula/transforms/matmul/TensorWindow.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

static constexpr const char *secondMatmul =
    "the tensor-core path takes one matmul per loop; this is the second";
static constexpr const char *matmulIsLate =
    "rows are summed up before the matmul, or an operand is written";

bool RowMatmuls::agree(RowExtent &known, Value tensor, unsigned axis) {
  RowExtent extent = RowExtent::of(tensor, axis);
  if (!known)
    known = extent;
  return extent && known == extent;
}

bool RowMatmuls::visitMatmul(pl::MatmulIntoOp op) {
  unsigned leftRows = 1 - op.getLhsInner();
  unsigned rightColumns = 1 - op.getRhsInner();
  auto left = dyn_cast<BlockArgument>(op.getLhs());
  auto right = dyn_cast<BlockArgument>(op.getRhs());
  if (program.matmul)
    return reject(secondMatmul);
  if (!isParameter(left) || !isParameter(right))
    return reject("an operand is another part of a tensor than all of it");
  if (program.hasReductions || stored.contains(left) || stored.contains(right))
    return reject(matmulIsLate);
  Type element = pl::getElementOrSelf(left.getType());
  if (element != pl::getElementOrSelf(right.getType()) ||
      !isMultipliedAs(element, op.getAccumulatorType()))
    return reject("tuned matmul code takes operands of BF16, FP16, "
                  "FP32 and FP8, and of INT8 and UINT8, both of one type");
  if (isOne(left, leftRows) || isOne(right, rightColumns) ||
      !agree(rows, left, leftRows) || !agree(columns, right, rightColumns))
    return reject("the extents of the matmul are not those of what is written, "
                  "or one is 1");
  program.matmul = {left,
                    right,
                    op.getTransposeLhs(),
                    op.getTransposeRhs(),
                    op.getPrecision(),
                    nullptr};
  accumulators = op.getTarget();
  return true;
}

bool RowMatmuls::readsAccumulators(Value view) const {
  return accumulators && rootOfView(view) == accumulators;
}

bool RowMatmuls::visitAccumulatorWindow(pl::SliceOp slice) {
  for (unsigned axis : {0, 1}) {
    const AxisLoop &cut = axis == 0 ? rowCut : columnCut;
    Value offset = slice.getOffsets()[axis], size = slice.getSizes()[axis];
    if (cut ? offset != cut.variable || !isOfCut(cut, size)
            : !isZero(offset) ||
                  !(RowExtent::of(size) == findExtent(accumulators, axis)))
      return false;
  }
  windows[slice.getResult()] = {BlockArgument(), columnCut.variable};
  return true;
}

bool RowMatmuls::visitAccumulators(pl::LoadOp load) {
  auto window = windows.find(load.getSource());
  bool isPart = window == windows.end()
                    ? !rowCut && !columnCut
                    : window->second.part == columnCut.variable;
  if (!isPart || isVectors.value_or(false) || program.hasReductions)
    return reject(matmulIsLate);
  if (program.matmul->accumulators)
    return reject(secondMatmul);
  if (rowCut)
    isVectors = false;
  hasAccesses = true;
  program.matmul->accumulators = load;
  return add(load, {true, true});
}

bool RowMatmuls::isMatmulRead() {
  return !program.matmul || program.matmul->accumulators ||
         reject("nothing is computed from its matmul");
}

// What else there may be.

bool RowMatmuls::visitScalarLoop(scf::ForOp loop) {
  if (!addCarriedExtents(loop))
    return reject("the accumulator becomes shorter in the loop");
  ofIterations.insert_range(loop.getResults());
  return true;
}

bool RowMatmuls::isOfScalars(scf::ForOp loop) {
  auto isScalarOp = [](Operation &op) {
    return op.getNumRegions() == 0 && isPure(&op) &&
           llvm::none_of(op.getOperandTypes(), llvm::IsaPred<pl::TileType>);
  };
  return llvm::all_of(loop.getResultTypes(), llvm::IsaPred<IndexType>) &&
         llvm::all_of(loop.getBody()->without_terminator(), isScalarOp);
}

bool RowMatmuls::isOnlySize(Operation *op) {
  return op->getNumResults() == 1 &&
         op->getResult(0).getType().isIntOrIndex() && isPure(op) &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<pl::CreateTensorOp>(user) || isOnlySize(user);
         });
}

// Why a kernel has no such part.

bool RowMatmuls::hasMatmul(scf::ForOp loop) {
  return findSecondMatmul(loop) || AccumulatorLoop::isLikely(loop);
}

bool RowMatmuls::rejectMatmul(pl::MatmulOp op) {
  return reject(program.matmul ? secondMatmul : MatmulLoops::explain(op));
}

bool RowMatmuls::rejectMatmulLoop(scf::ForOp loop) {
  if (Operation *second = findSecondMatmul(loop))
    return rejection.reject(secondMatmul, second);
  std::optional<AccumulatorLoop> found = AccumulatorLoop::find(loop);
  return found
             ? rejectMatmul(found->matmul)
             : reject("the loop carries more than the accumulator of a matmul");
}

bool RowMatmuls::rejectReduction() {
  return reject(program.matmul->accumulators ? "rows of a matmul are summed up"
                                             : matmulIsLate);
}
