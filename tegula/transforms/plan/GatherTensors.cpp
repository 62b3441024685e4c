// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/GatherTensors.h"

#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRankOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Gathers the tensors of one block.
class TensorGatherer {
public:
  explicit TensorGatherer(Block &block) : block(block) {}

  void run() {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto made = dyn_cast<pl::CreateTensorOp>(op);
      if (!made || made->hasAttr(pl::sharedAttrName)) {
        if (!last)
          ready.insert(&op);
      } else if (!last) {
        first = last = made;
      } else if (computeSizesBefore(made)) {
        made->moveAfter(last);
        last = made;
      }
    }
  }

private:
  /// Longer computations stay where they are.
  static constexpr unsigned mostDepth = 64;

  bool computeSizesBefore(pl::CreateTensorOp made) {
    llvm::SetVector<Operation *> needed;
    for (Value size : made.getSizes())
      if (!collect(size, needed, mostDepth))
        return false;
    for (Operation *op : needed) {
      op->moveBefore(first);
      ready.insert(op);
    }
    return true;
  }

  /// Adds what has to move so that the value is there before the first tensor.
  bool collect(Value value, llvm::SetVector<Operation *> &needed,
               unsigned depth) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block || ready.contains(op) ||
        needed.contains(op))
      return true;
    if (depth == 0 || op->getNumRegions() != 0 || !isPure(op))
      return false;
    for (Value operand : op->getOperands())
      if (!collect(operand, needed, depth - 1))
        return false;
    needed.insert(op);
    return true;
  }

  Block &block;
  pl::CreateTensorOp first, last;
  /// Ops of the block before the first tensor.
  DenseSet<Operation *> ready;
};

} // namespace

void tegula::gatherTensors(func::FuncOp function) {
  function.walk([](Block *block) { TensorGatherer(*block).run(); });
}
