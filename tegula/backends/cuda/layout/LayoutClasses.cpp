// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/LayoutClasses.h"

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/layout/BlockRegions.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/backends/cuda/layout/MatmulLayouts.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

static int64_t roundUp(int64_t bound) {
  return int64_t(llvm::PowerOf2Ceil(std::max<int64_t>(bound, 1)));
}

Attribute tegula::chooseBlocked(MLIRContext *context, ArrayRef<int64_t> shape,
                                unsigned bits, int64_t warps) {
  constexpr int64_t lanesOfWarp = 32, vectorBits = 128;
  size_t rank = shape.size();
  SmallVector<int64_t> elements(rank, 1), lanes(rank, 1), sides(rank, 1), left;
  int64_t all = 1;
  for (int64_t bound : shape) {
    left.push_back(roundUp(bound));
    all *= left.back();
  }
  auto take = [&](SmallVector<int64_t> &sizes, size_t axis, int64_t most) {
    sizes[axis] = std::min(left[axis], most);
    left[axis] /= sizes[axis];
    return sizes[axis];
  };
  int64_t share = std::max<int64_t>(1, all / (lanesOfWarp * warps));
  take(elements, rank - 1,
       std::min(share, std::max<int64_t>(1, vectorBits / std::max(bits, 8U))));
  int64_t freeLanes = lanesOfWarp;
  for (size_t axis = rank; axis-- > 0;)
    freeLanes /= take(lanes, axis, freeLanes);
  // Whoever is left over holds the same as others.
  lanes[0] *= freeLanes;
  // Warps take rows, so that a row is in one warp where it can be.
  int64_t freeWarps = warps;
  for (size_t axis = rank - 1; axis-- > 0;)
    freeWarps /= take(sides, axis, freeWarps);
  freeWarps /= take(sides, rank - 1, freeWarps);
  sides[0] *= freeWarps;
  return cuda::BlockedLayoutAttr::get(context, elements, lanes, sides);
}

LayoutClasses::LayoutClasses(pl::ParallelOp loop, int64_t warps)
    : warps(warps) {
  visitInRegisters(loop, [&](Operation *op) { joinOp(op); });
  chooseLayouts(loop);
}

static int64_t countElements(Value tile) {
  int64_t count = 1;
  for (int64_t bound : boundsOf(cast<pl::TileType>(tile.getType())))
    count *= roundUp(bound);
  return count;
}

void LayoutClasses::join(ValueRange tiles) {
  void *leader = nullptr;
  Value most;
  for (Value tile : tiles) {
    if (!isa<pl::TileType>(tile.getType()))
      continue;
    if (!most || countElements(tile) > countElements(most))
      most = tile;
    if (isLazy(tile))
      continue;
    void *key = tile.getAsOpaquePointer();
    classes.insert(key);
    void *own = classes.getLeaderValue(key);
    Value largestOfOwn = largest.lookup(own);
    if (largestOfOwn && (countElements(largestOfOwn) > countElements(most)))
      most = largestOfOwn;
    if (leader)
      classes.unionSets(leader, own);
    leader = classes.getLeaderValue(key);
  }
  if (leader)
    largest[leader] = most;
}

static bool keepsAxes(Operation *op) {
  if (isa<pl::RelaxOp, pl::WithExtentsOp>(op))
    return true;
  auto broadcast = dyn_cast<pl::BroadcastOp>(op);
  return broadcast && broadcast.getSource().getType().getRank() ==
                          broadcast.getResult().getType().getRank();
}

void LayoutClasses::joinOp(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [position, result] : llvm::enumerate(loop.getResults()))
      join({result, loop.getRegionIterArg(position),
            loop.getInitArgs()[position], loop.getYieldedValues()[position]});
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto [position, result] : llvm::enumerate(branch.getResults()))
      join({result, branch.thenYield().getOperand(position),
            branch.elseYield().getOperand(position)});
    return;
  }
  if (auto matmul = dyn_cast<pl::MatmulOp>(op)) {
    if (Value acc = matmul.getAcc())
      join({matmul.getResult(), acc});
    return join(matmul.getResult());
  }
  if (op->getNumResults() != 1 ||
      !isa<pl::TileType>(op->getResult(0).getType()))
    return;
  bool isByElement = isa<pl::ElementwiseOpInterface, pl::ReduceOp,
                         pl::FillPadOp, arith::SelectOp>(op) ||
                     keepsAxes(op);
  if (!isByElement)
    return join(op->getResult(0));
  SmallVector<Value> tiles(op->getOperands());
  tiles.push_back(op->getResult(0));
  join(tiles);
}

void LayoutClasses::chooseLayouts(pl::ParallelOp loop) {
  DenseMap<void *, int64_t> most;
  visitInRegisters(loop, [&](Operation *op) {
    auto matmul = dyn_cast<pl::MatmulOp>(op);
    if (!matmul)
      return;
    void *leader =
        classes.getLeaderValue(matmul.getResult().getAsOpaquePointer());
    int64_t elements = countElements(matmul.getResult());
    // Multiply-adds take what tensor cores leave them.
    if (isForTensorCores(matmul))
      elements += int64_t(1) << 32;
    if (elements <= most.lookup(leader))
      return;
    most[leader] = elements;
    layouts[leader] = chooseAccumulator(matmul, warps);
  });
  for (auto [leader, tile] : largest)
    if (!layouts.contains(leader))
      layouts[leader] = getBlocked(tile);
}

Attribute LayoutClasses::getLayout(Value tile) const {
  if (isLazy(tile))
    return {};
  return layouts.lookup(classes.getLeaderValue(tile.getAsOpaquePointer()));
}

Attribute LayoutClasses::getBlocked(Value tile) const {
  auto type = cast<pl::TileType>(tile.getType());
  return chooseBlocked(
      tile.getContext(), boundsOf(type),
      memoryType(type.getElementType()).getIntOrFloatBitWidth(), warps);
}
