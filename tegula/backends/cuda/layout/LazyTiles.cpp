// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/LazyTiles.h"

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula;

bool tegula::movesElements(Operation *op) {
  return isa<pl::ReshapeOp, pl::TransposeOp, pl::BroadcastOp, pl::RelaxOp,
             pl::WithExtentsOp>(op) &&
         isa<pl::TileType>(op->getResult(0).getType());
}

bool tegula::isLazy(Value tile) {
  Operation *op = tile.getDefiningOp();
  while (op && movesElements(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<pl::LoadOp, pl::FullOp, pl::ArangeOp>(op) &&
         !op->hasAttr(orderedAttrName);
}

/// A step of the result as one of the source.
using StepOfSource = llvm::function_ref<Coordinate(ArrayRef<int64_t>)>;

static ElementMap mapSteps(const ElementMap &map, Value source,
                           StepOfSource stepOf) {
  ElementMap found;
  found.shape = boundsOf(cast<pl::TileType>(source.getType()));
  for (auto [from, to] : {std::pair(&map.registers, &found.registers),
                          std::pair(&map.lanes, &found.lanes),
                          std::pair(&map.warps, &found.warps)})
    for (const Coordinate &step : *from)
      to->push_back(stepOf(step));
  return found;
}

static bool isUnit(int64_t bound) { return bound == 1; }

/// Coordinates of elements are taken apart and put together in row-major order;
/// only where all lengths are powers of two, or only axes of one element come
/// and go, does that hold bit by bit.
static std::optional<ElementMap> mapOfReshaped(pl::ReshapeOp op,
                                               const ElementMap &map) {
  SmallVector<int64_t> from(boundsOf(op.getSource().getType()));
  SmallVector<int64_t> to(boundsOf(op.getResult().getType()));
  SmallVector<int64_t> longFrom(from), longTo(to);
  llvm::erase_if(longFrom, isUnit);
  llvm::erase_if(longTo, isUnit);
  auto isPower = [](int64_t bound) { return llvm::isPowerOf2_64(bound); };
  if (longFrom == longTo)
    return mapSteps(map, op.getSource(), [&](ArrayRef<int64_t> step) {
      SmallVector<int64_t> parts;
      for (auto [part, bound] : llvm::zip(step, to))
        if (bound != 1)
          parts.push_back(part);
      Coordinate found;
      size_t next = 0;
      for (int64_t bound : from)
        found.push_back(bound == 1 ? 0 : parts[next++]);
      return found;
    });
  if (!llvm::all_of(from, isPower) || !llvm::all_of(to, isPower))
    return std::nullopt;
  return mapSteps(map, op.getSource(), [&](ArrayRef<int64_t> step) {
    int64_t coordinate = 0;
    for (auto [part, bound] : llvm::zip(step, to))
      coordinate = coordinate * bound + part;
    Coordinate found(from.size());
    for (size_t axis = from.size(); axis-- > 0; coordinate /= from[axis])
      found[axis] = coordinate % from[axis];
    return found;
  });
}

std::optional<ElementMap> tegula::mapOfSource(Operation *op,
                                              const ElementMap &map) {
  Value source = op->getOperand(0);
  if (auto reshape = dyn_cast<pl::ReshapeOp>(op))
    return mapOfReshaped(reshape, map);
  if (auto transpose = dyn_cast<pl::TransposeOp>(op))
    return mapSteps(map, source, [&](ArrayRef<int64_t> step) {
      Coordinate found(step.size());
      for (auto [axis, from] : llvm::enumerate(transpose.getPermutation()))
        found[from] = step[axis];
      return found;
    });
  if (isa<pl::BroadcastOp>(op)) {
    auto bounds = boundsOf(cast<pl::TileType>(source.getType()));
    return mapSteps(map, source, [&](ArrayRef<int64_t> step) {
      ArrayRef<int64_t> last = step.take_back(bounds.size());
      Coordinate found(last.begin(), last.end());
      for (auto [part, bound] : llvm::zip(found, bounds))
        if (bound == 1)
          part = 0;
      return found;
    });
  }
  ElementMap same = map;
  same.shape = boundsOf(cast<pl::TileType>(source.getType()));
  return same;
}
