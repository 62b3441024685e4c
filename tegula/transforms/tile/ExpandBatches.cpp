// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/ir/ops/semantics/Matmul.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/memory/TileMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {
#define GEN_PASS_DEF_EXPANDBATCHES
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;
using pl::getBatchAxis;
using pl::getBatchRank;

namespace {

/// One matmul with batch axes and the tensors its tiles are in.
class Expansion {
public:
  explicit Expansion(pl::MatmulOp op) : op(op), builder(op) {}

  void run();

private:
  pl::StoreOp findStore();
  void openLoops(Value target);
  Value matrixOf(Value tensor, ArrayRef<std::optional<unsigned>> batches);
  Value operandMatrix(Value operand, Value tensor);

  pl::MatmulOp op;
  OpBuilder builder;
  Value zero, one;
  /// The place of each batch axis of the result.
  SmallVector<Value> batchIndices;
};

} // namespace

/// The store that is all that happens to the matmul, if it writes none of the
/// operands.
pl::StoreOp Expansion::findStore() {
  if (!op->hasOneUse())
    return {};
  auto store = dyn_cast<pl::StoreOp>(*op->user_begin());
  if (!store || store->getBlock() != op->getBlock() ||
      store.getTile() != op.getResult())
    return {};
  // An operand that is not a load gets memory of its own.
  for (Value operand : op.getOperands())
    if (auto load = behindExtents(operand).getDefiningOp<pl::LoadOp>())
      if (mayShareMemory(load.getSource(), store.getTarget()))
        return {};
  return store;
}

/// Loops over the batches; the outermost may run at once.
void Expansion::openLoops(Value target) {
  Location loc = op.getLoc();
  bool isOutermost = !op->getParentOfType<pl::ParallelOp>();
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < getBatchRank(op); ++axis)
    extents.push_back(builder.createOrFold<arith::MinSIOp>(
        loc, op.reifyExtent(builder, axis),
        pl::buildExtent(builder, loc, target, axis)));
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    bool isSingle = op.getType().getDims()[axis].isExactly(1) &&
                    pl::getDims(target.getType())[axis].isExactly(1);
    if (isSingle) {
      batchIndices.push_back(zero);
    } else if (isOutermost) {
      auto loop = pl::ParallelOp::create(builder, loc, zero, extent, one);
      builder.setInsertionPointToStart(&loop.getBody().front());
      batchIndices.push_back(loop.getInductionVar());
      isOutermost = false;
    } else {
      auto loop = scf::ForOp::create(builder, loc, zero, extent, one);
      builder.setInsertionPointToStart(loop.getBody());
      batchIndices.push_back(loop.getInductionVar());
    }
  }
}

/// The last two axes of a tensor; `batches` says which batch axis of the result
/// each of the others is, if any.
Value Expansion::matrixOf(Value tensor,
                          ArrayRef<std::optional<unsigned>> batches) {
  Location loc = op.getLoc();
  SmallVector<Value> offsets, sizes;
  SmallVector<int64_t> drop;
  for (auto [axis, batch] : llvm::enumerate(batches)) {
    offsets.push_back(batch ? batchIndices[*batch] : zero);
    sizes.push_back(one);
    drop.push_back(axis);
  }
  for (unsigned axis = batches.size(); axis < batches.size() + 2; ++axis) {
    offsets.push_back(zero);
    sizes.push_back(pl::buildExtent(builder, loc, tensor, axis));
  }
  return pl::SliceOp::create(builder, loc, tensor, offsets, sizes, drop);
}

Value Expansion::operandMatrix(Value operand, Value tensor) {
  SmallVector<std::optional<unsigned>> batches(
      pl::getDims(operand.getType()).size() - 2);
  for (unsigned axis = 0; axis < getBatchRank(op); ++axis)
    if (std::optional<unsigned> own = getBatchAxis(op, operand, axis))
      batches[*own] = axis;
  Value load =
      pl::LoadOp::create(builder, op.getLoc(), matrixOf(tensor, batches));
  return pl::keepSpace(builder, operand, load);
}

void Expansion::run() {
  Location loc = op.getLoc();
  zero = arith::ConstantIndexOp::create(builder, loc, 0);
  one = arith::ConstantIndexOp::create(builder, loc, 1);
  pl::StoreOp store = findStore();
  Operation *reader = store ? store.getOperation() : op.getOperation();
  Value lhs = memoryOf(builder, op.getLhs(), reader);
  Value rhs = memoryOf(builder, op.getRhs(), reader);
  Value acc = op.getAcc() ? memoryOf(builder, op.getAcc(), reader) : Value();
  Value target =
      store ? Value(store.getTarget()) : createMemoryFor(builder, op);
  if (store)
    builder.setInsertionPoint(store);
  openLoops(target);
  Value left = operandMatrix(op.getLhs(), lhs);
  Value right = operandMatrix(op.getRhs(), rhs);
  Value sum = acc ? operandMatrix(op.getAcc(), acc) : Value();
  Value matmul = pl::MatmulOp::create(
      builder, loc, left, right, sum, op.getTransposeLhsAttr(),
      op.getTransposeRhsAttr(), op.getPrecisionAttr());
  SmallVector<std::optional<unsigned>> batches;
  for (unsigned axis = 0; axis < getBatchRank(op); ++axis)
    batches.push_back(axis);
  pl::StoreOp::create(builder, loc, matmul, matrixOf(target, batches));
  if (store) {
    store.erase();
  } else {
    builder.setInsertionPoint(op);
    Value result = pl::keepSpace(builder, op.getResult(),
                                 pl::LoadOp::create(builder, loc, target));
    op.getResult().replaceAllUsesWith(result);
  }
  op.erase();
}

namespace {

struct ExpandBatchesPass : tegula::impl::ExpandBatchesBase<ExpandBatchesPass> {
  void runOnOperation() override {
    SmallVector<pl::MatmulOp> matmuls;
    getOperation().walk([&](pl::MatmulOp op) {
      if (getBatchRank(op) > 0)
        matmuls.push_back(op);
    });
    for (pl::MatmulOp op : matmuls)
      Expansion(op).run();
  }
};

} // namespace
