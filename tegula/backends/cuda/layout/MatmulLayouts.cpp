// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/MatmulLayouts.h"

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/backends/cuda/layout/SharedTiles.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula;

static int64_t roundUp(int64_t bound) {
  return int64_t(llvm::PowerOf2Ceil(std::max<int64_t>(bound, 1)));
}

static int64_t countBits(Value tile) {
  return memoryType(pl::getElementOrSelf(tile.getType()))
      .getIntOrFloatBitWidth();
}

/// How long the axis is that is summed up, as far as the types say.
static int64_t getInner(pl::MatmulOp matmul) {
  auto left = boundsOf(matmul.getLhs().getType()),
       right = boundsOf(matmul.getRhs().getType());
  return std::min(left[left.size() - (matmul.getTransposeLhs() ? 2 : 1)],
                  right[right.size() - (matmul.getTransposeRhs() ? 1 : 2)]);
}

/// True if lanes that hold the same of the result have the same of an operand
/// that is longer: instructions multiply so many rows or columns anyway.
static bool fitsResult(pl::MatmulOp matmul) {
  constexpr int64_t instructionRows = 16, instructionColumns = 8;
  auto left = boundsOf(matmul.getLhs().getType()),
       right = boundsOf(matmul.getRhs().getType()),
       result = boundsOf(matmul.getResult().getType());
  auto fits = [](int64_t bound, int64_t ofOperand, int64_t least) {
    return roundUp(bound) >= std::min(roundUp(ofOperand), least);
  };
  return fits(result[result.size() - 2],
              left[left.size() - (matmul.getTransposeLhs() ? 1 : 2)],
              instructionRows) &&
         fits(result.back(),
              right[right.size() - (matmul.getTransposeRhs() ? 2 : 1)],
              instructionColumns);
}

bool tegula::isForTensorCores(pl::MatmulOp matmul) {
  // An instruction multiplies 32 bytes at a time, and reads 16 of a row.
  constexpr int64_t rowBits = 128;
  Type element = pl::getElementOrSelf(matmul.getLhs().getType());
  int64_t bits = element.getIntOrFloatBitWidth();
  // FP8 becomes FP16.
  if (pl::isNarrowFloat(element))
    bits = 16;
  bool isKnown =
      bits == 16 ? isa<FloatType>(element)
                 : bits == 8 || matmul.getPrecision() == pl::Precision::Tf32;
  return isKnown && fitsResult(matmul) && getInner(matmul) >= rowBits / bits;
}

int64_t tegula::countFmaBytes(pl::MatmulOp matmul) {
  int64_t bytes = 0;
  for (Value operand : {matmul.getLhs(), matmul.getRhs()})
    bytes += SharedTile(boundsOf(cast<pl::TileType>(operand.getType())),
                        countBits(operand) / 8)
                 .getBytes();
  return bytes;
}

/// Warps take rows first, so that a row is in one warp where it can be.
static Attribute chooseMma(pl::MatmulOp matmul, int64_t warps) {
  constexpr int64_t instructionRows = 16;
  auto bounds = boundsOf(matmul.getResult().getType());
  int64_t rows =
      std::min(warps, std::max<int64_t>(1, roundUp(bounds[bounds.size() - 2]) /
                                               instructionRows));
  return cuda::MmaLayoutAttr::get(matmul.getContext(), {rows, warps / rows});
}

/// How many elements along an axis of the result an operand has side by side,
/// as far as threads read them at once.
static int64_t countVector(Value operand, unsigned axis) {
  ElementMap probe;
  probe.shape = boundsOf(cast<pl::TileType>(operand.getType()));
  probe.registers.push_back(Coordinate(probe.getRank(), 0));
  probe.registers[0][axis] = 1;
  for (Value tile = operand;
       tile.getDefiningOp() && movesElements(tile.getDefiningOp());
       tile = tile.getDefiningOp()->getOperand(0)) {
    std::optional<ElementMap> source = mapOfSource(tile.getDefiningOp(), probe);
    if (!source)
      return 1;
    probe = *source;
  }
  constexpr int64_t vectorBits = 128, most = 4;
  return probe.registers[0].back() == 1
             ? std::min(most, vectorBits / countBits(operand))
             : 1;
}

/// Each thread has a block of rows and columns about as high as wide, since it
/// reads what is next to both sides of it. Lanes next to each other have
/// columns, which they read from all banks, and share rows.
static Attribute chooseFma(pl::MatmulOp matmul, int64_t warps) {
  constexpr int64_t lanesOfWarp = 32, columnLanes = 8;
  auto bounds = boundsOf(matmul.getResult().getType());
  size_t rank = bounds.size(), row = rank - 2, column = rank - 1;
  SmallVector<int64_t> elements(rank, 1), lanes(rank, 1), sides(rank, 1), left;
  for (int64_t bound : bounds)
    left.push_back(roundUp(bound));
  auto take = [&](SmallVector<int64_t> &sizes, size_t axis, int64_t most) {
    int64_t taken = std::min(left[axis], most);
    sizes[axis] *= taken;
    left[axis] /= taken;
    return taken;
  };
  // Vectors take registers of threads only where threads have enough.
  int64_t share =
      std::max<int64_t>(1, left[row] * left[column] / (lanesOfWarp * warps));
  unsigned lhsRank = matmul.getLhs().getType().getRank(),
           rhsRank = matmul.getRhs().getType().getRank();
  share /= take(elements, column,
                std::min(share, countVector(matmul.getRhs(), rhsRank - 1)));
  take(elements, row,
       std::min(share, countVector(matmul.getLhs(), lhsRank - 2)));
  int64_t freeLanes = lanesOfWarp;
  freeLanes /= take(lanes, column, columnLanes);
  freeLanes /= take(lanes, row, freeLanes);
  freeLanes /= take(lanes, column, freeLanes);
  lanes[0] *= freeLanes;
  int64_t freeWarps = warps;
  auto ofThread = [&](size_t axis) { return elements[axis] * left[axis]; };
  while (freeWarps > 1 && (left[row] > 1 || left[column] > 1)) {
    bool takesRows = left[row] > 1 &&
                     (left[column] == 1 || ofThread(row) >= ofThread(column));
    freeWarps /= take(sides, takesRows ? row : column, 2);
  }
  for (size_t axis = row; axis-- > 0;)
    freeWarps /= take(sides, axis, freeWarps);
  sides[0] *= freeWarps;
  return cuda::BlockedLayoutAttr::get(matmul.getContext(), elements, lanes,
                                      sides);
}

Attribute tegula::chooseAccumulator(pl::MatmulOp matmul, int64_t warps) {
  return isForTensorCores(matmul) ? chooseMma(matmul, warps)
                                  : chooseFma(matmul, warps);
}
