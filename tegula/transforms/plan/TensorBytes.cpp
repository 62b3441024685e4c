// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/TensorBytes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tegula;

/// What tensors begin at multiples of.
static constexpr int64_t alignment = 64;

static std::optional<int64_t> bytesOf(pl::CreateTensorOp tensor,
                                      pl::SizeEvaluation &evaluation) {
  pl::TensorViewType type = tensor.getResult().getType();
  int64_t bits = type.getElementType().isInteger(1)
                     ? 8
                     : type.getElementType().getIntOrFloatBitWidth();
  for (Value size : tensor.getSizes()) {
    std::optional<int64_t> extent = evaluation.evaluate(size);
    if (!extent)
      return std::nullopt;
    bits *= std::max<int64_t>(0, *extent);
  }
  return llvm::alignTo((bits + 7) / 8, alignment);
}

static bool isInLoop(Operation *op) {
  for (Operation *around = op->getParentOp(); around;
       around = around->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp, pl::ParallelOp>(around))
      return true;
  return false;
}

TensorBytes tegula::measureTensors(const TensorPlan &plan,
                                   pl::SizeEvaluation &evaluation) {
  TensorBytes total;
  for (const auto &[first, group] : plan.getGroups()) {
    if (isInLoop(first))
      continue;
    for (const TensorSlot &slot : group.slots) {
      int64_t most = 0;
      for (pl::CreateTensorOp tensor : slot) {
        std::optional<int64_t> bytes = bytesOf(tensor, evaluation);
        total.isKnown &= bytes.has_value();
        total.apart += bytes.value_or(0);
        most = std::max(most, bytes.value_or(0));
      }
      total.tensors += slot.size();
      total.shared += most;
      ++total.slots;
    }
  }
  return total;
}
