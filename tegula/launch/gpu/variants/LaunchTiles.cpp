// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls in tiles, on chips since sm_80.

#include "tegula/launch/gpu/CudaKernel.h"
#include "tegula/launch/gpu/variants/GpuTiles.h"
#include "tegula/launch/gpu/variants/OperandCopy.h"

using namespace tegula;
using namespace tegula::cuda;

namespace {

/// The operands of a call, with memory for those that are copied first.
class TileOperands {
public:
  TileOperands(const Driver &driver, Stream queue, const GpuMatmulCall &call)
      : element(call.element), type(getOperandType(element, MatmulCode::Tiles)),
        operands(call), leftCopy(driver, queue), rightCopy(driver, queue) {}

  /// Takes the memory. False if there is none.
  bool takeCopies() {
    // Elements that copies are multiples of.
    constexpr int64_t line = 128;
    int64_t bytes = getBytes(type);
    return (!operands.isLeftCopied ||
            leftCopy.take(operands.left, bytes, line)) &&
           (!operands.isRightCopied ||
            rightCopy.take(operands.right, bytes, line));
  }
  /// Copies what has such memory.
  Result copy(const Driver &driver, const Loaded &on, Stream queue) {
    for (OperandCopy *copy : {&leftCopy, &rightCopy}) {
      void *parameters[] = {&copy->numbers};
      Result result = 0;
      if (copy->numbers.rows != 0)
        result = launchCopy(driver, on.tiles, getTileCopy(element), on.numSMs,
                            queue, parameters);
      if (result != 0)
        return result;
    }
    return 0;
  }

  /// What the kernel for operands that lie so is called.
  std::string getKernel(const GpuTile &tile) const {
    const char *side = getKind(type) == GpuOperandKind::Ordinary ? ""
                       : operands.isAcross                       ? "Across"
                                                                 : "Along";
    return getTilePrefix(type) + side + tile.getName();
  }
  /// Of these kernels, among those of the program.
  size_t getNumber(const GpuTile &tile) const {
    return 2 * (&tile - getTiles(type).data()) + operands.isAcross;
  }
  /// Rows or columns of the matmul are rows of both.
  TegulaTileOperand getLeft() const { return operandOf(operands.left); }
  TegulaTileOperand getRight() const {
    return operandOf(operands.isAcross ? operands.right.transposed()
                                       : operands.right);
  }

private:
  static TegulaTileOperand operandOf(const GpuMatrix &matrix) {
    return {matrix.address, matrix.row, matrix.column};
  }

  GpuElement element;
  GpuOperandType type;
  GpuTileOperands operands;
  OperandCopy leftCopy, rightCopy;
};

} // namespace

bool Kernel::multiplyTiles(const Loaded &on, const MatmulOfCall &matmul,
                           Stream queue, std::string &problem) {
  const GpuMatmulCall &call = matmul.call;
  GpuOperandType type = getOperandType(call.element, MatmulCode::Tiles);
  GpuTilePlan plan = planTiles(type, call.left.rows, call.right.columns,
                               call.left.columns, on.numSMs);
  TileOperands operands(driver, queue, call);
  Scratch parts(driver, queue);
  // The fallback needs no copies and no parts.
  if (plan.countBlocks() > INT32_MAX || !operands.takeCopies() ||
      (plan.splits > 1 &&
       parts.allocate(plan.getPartialBytes() + plan.getArrivalBytes()) != 0))
    return false;
  Result prepared = operands.copy(driver, on, queue);
  Address arrivals = parts.get() + plan.getPartialBytes();
  if (plan.splits > 1 && prepared == 0)
    prepared = driver.fill(arrivals, 0, plan.getArrivalBytes(), queue);
  TegulaTileMatmul numbers;
  matmul.describe(numbers);
  numbers.left = operands.getLeft();
  numbers.right = operands.getRight();
  numbers.areGroups =
      matmul.rows.isAligned(getKind(type) == GpuOperandKind::Ordinary ? 4 : 2);
  numbers.splits = static_cast<int32_t>(plan.splits);
  numbers.splitSteps = static_cast<int32_t>(plan.splitSteps);
  numbers.partials = parts.get();
  numbers.arrivals = arrivals;
  Launch launch;
  launch.blocks = static_cast<unsigned>(plan.countBlocks());
  launch.threads = static_cast<unsigned>(plan.tile->threads);
  launch.shared = static_cast<unsigned>(getTileSharedBytes(type, *plan.tile));
  launch.queue = queue;
  void *parameters[] = {&numbers};
  // Who fails has said why.
  (void)(check(prepared, "prepare the matmul", problem) &&
         launchVariant(
             on, operands.getNumber(*plan.tile),
             [&] { return operands.getKernel(*plan.tile); }, launch, parameters,
             problem));
  return true;
}
