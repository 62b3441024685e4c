// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls in tiles, on chips since sm_80.

#include "tegula/launch/gpu/CudaKernel.h"
#include "tegula/launch/gpu/CudaScratch.h"
#include "tegula/launch/gpu/GpuTiles.h"
#include "tegula/launch/gpu/abi/TileAbi.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::cuda;

namespace {

/// The operands of a call, with memory for those that are copied first.
class TileOperands {
public:
  TileOperands(const Driver &driver, const Loaded &on, Stream queue,
               const GpuMatmulCall &call)
      : driver(driver), on(on), queue(queue), element(call.element),
        type(getOperandType(element, MatmulCode::Tiles)), operands(call),
        leftCopy(driver, queue), rightCopy(driver, queue) {}

  /// Copies those. False if there is no memory for that.
  bool prepare(Result &result) {
    result = 0;
    return (!operands.isLeftCopied || copy(operands.left, leftCopy, result)) &&
           (!operands.isRightCopied || copy(operands.right, rightCopy, result));
  }

  /// What the kernels for operands that lie so are called.
  std::string getPrefix() const {
    std::string prefix = getTilePrefix(type);
    return getKind(type) == GpuOperandKind::Ordinary ? prefix
           : operands.isAcross                       ? prefix + "Across"
                                                     : prefix + "Along";
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

  bool copy(GpuMatrix &matrix, Scratch &memory, Result &result) {
    // Elements that copies are multiples of.
    constexpr int64_t line = 128;
    int64_t bytes = getBytes(type);
    int64_t pitch = (matrix.columns + line - 1) / line * line;
    if (memory.allocate(pitch * matrix.rows * bytes) != 0)
      return false;
    TegulaTileCopy numbers{matrix.address,
                           memory.get(),
                           matrix.row,
                           matrix.column,
                           pitch,
                           static_cast<int32_t>(matrix.rows),
                           static_cast<int32_t>(matrix.columns)};
    Function function;
    std::string name = getTileCopy(element);
    if (result == 0)
      result = driver.moduleGetFunction(&function, on.tiles, name.c_str());
    void *parameters[] = {&numbers};
    constexpr unsigned blocksPerSM = 8;
    auto blocks = static_cast<unsigned>(on.numSMs) * blocksPerSM;
    if (result == 0)
      result = driver.launch(function, blocks, 1, 1, tegulaTileThreads, 1, 1, 0,
                             queue, parameters, nullptr);
    matrix = {memory.get(), matrix.rows, matrix.columns, pitch, 1, bytes};
    return true;
  }

  const Driver &driver;
  const Loaded &on;
  Stream queue;
  GpuElement element;
  GpuOperandType type;
  GpuTileOperands operands;
  Scratch leftCopy, rightCopy;
};

} // namespace

bool Kernel::multiplyTiles(const Loaded &on, const int64_t *slots, Stream queue,
                           std::string &problem) {
  if (!on.tiles || !program.matmul)
    return false;
  const GpuMatmul &matmul = *program.matmul;
  auto at = [&](int64_t tensor) {
    return slots + program.tensors[tensor].slot;
  };
  GpuOperandType type = getOperandType(matmul.element, MatmulCode::Tiles);
  GpuMatmulCall call(matmul, at(matmul.left), at(matmul.right));
  GpuRowCall rows(*program.rows, program.tensors, slots);
  if (!call.isPossible() || !rows.hasRows() ||
      program.numSlots > TegulaTileMatmul::mostSlots)
    return false;
  GpuTilePlan plan = planTiles(type, call.left.rows, call.right.columns,
                               call.left.columns, on.numSMs);
  TileOperands operands(driver, on, queue, call);
  Scratch parts(driver, queue);
  Result prepared;
  // The fallback needs no copies and no parts.
  if (plan.countBlocks() > INT32_MAX || !operands.prepare(prepared) ||
      (plan.splits > 1 &&
       parts.allocate(plan.getPartialBytes() + plan.getArrivalBytes()) != 0))
    return false;
  Address arrivals = parts.get() + plan.getPartialBytes();
  if (plan.splits > 1 && prepared == 0)
    prepared = driver.fill(arrivals, 0, plan.getArrivalBytes(), queue);
  TegulaTileMatmul numbers;
  numbers.left = operands.getLeft();
  numbers.right = operands.getRight();
  numbers.rows = static_cast<int32_t>(call.left.rows);
  numbers.columns = static_cast<int32_t>(call.right.columns);
  numbers.inner = static_cast<int32_t>(call.left.columns);
  numbers.areGroups =
      rows.isAligned(getKind(type) == GpuOperandKind::Ordinary ? 4 : 2);
  numbers.splits = static_cast<int32_t>(plan.splits);
  numbers.splitSteps = static_cast<int32_t>(plan.splitSteps);
  numbers.partials = parts.get();
  numbers.arrivals = arrivals;
  std::copy(slots, slots + program.numSlots, numbers.slots);
  auto getName = [&] { return operands.getPrefix() + plan.tile->getName(); };
  int shared = getTileSharedBytes(type, *plan.tile);
  Function function;
  void *parameters[] = {&numbers};
  // Who fails has said why.
  (void)(check(prepared, "prepare the matmul", problem) &&
         find(on, operands.getNumber(*plan.tile), getName, shared, function,
              problem) &&
         check(driver.launch(function,
                             static_cast<unsigned>(plan.countBlocks()), 1, 1,
                             static_cast<unsigned>(plan.tile->threads), 1, 1,
                             shared, queue, parameters, nullptr),
               "launch", problem));
  return true;
}
