// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/variants/TilePattern.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

std::optional<int64_t> tegula::numberOf(Value value) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

std::optional<double> tegula::floatOf(Value value) {
  llvm::APFloat number(0.0f);
  if (value.getType().isF32() && matchPattern(value, m_ConstantFloat(&number)))
    return number.convertToFloat();
  return std::nullopt;
}

Value TilePattern::strip(Value tile) {
  while (auto relax = tile.getDefiningOp<pl::RelaxOp>()) {
    known.insert(relax);
    tile = relax.getSource();
  }
  return tile;
}

void TilePattern::noteSizes(ValueRange given, TileAxis first, TileAxis second) {
  sizes.push_back({given[0], first});
  sizes.push_back({given[1], second});
}

Value TilePattern::takeBroadcast(Value tile, TileAxis first, TileAxis second) {
  auto broadcast = take<pl::BroadcastOp>(tile, first, second);
  if (!broadcast)
    return {};
  noteSizes(broadcast.getSizes(), first, second);
  return strip(broadcast.getSource());
}

Value TilePattern::takeFull(Value tile, TileAxis first, TileAxis second) {
  auto full = take<pl::FullOp>(tile, first, second);
  if (!full)
    return {};
  noteSizes(full.getSizes(), first, second);
  return full.getValue();
}

Value TilePattern::takeReduction(Value tile, pl::Reduction kind) {
  if (!tile)
    return {};
  auto reduce = take<pl::ReduceOp>(tile, TileAxis::Rows, TileAxis::One);
  if (!reduce || reduce.getReduction() != kind || reduce.getAxis() != 1)
    return {};
  return strip(reduce.getSource());
}

static bool isOnNumbers(Operation *op) {
  auto isScalarType = llvm::IsaPred<IntegerType, IndexType, FloatType>;
  return llvm::all_of(op->getOperandTypes(), isScalarType) &&
         llvm::all_of(op->getResultTypes(), isScalarType) &&
         op->getNumRegions() == 0 && isPure(op);
}

bool TilePattern::isAllKnown(func::FuncOp function) const {
  auto visit = [&](Operation *op) {
    bool isHarmless = op == function || known.contains(op) ||
                      op->hasTrait<OpTrait::IsTerminator>() ||
                      isa<pl::BindOp, pl::DimOp>(op) || isOnNumbers(op);
    return isHarmless ? WalkResult::advance() : WalkResult::interrupt();
  };
  return !function.walk(visit).wasInterrupted();
}

std::optional<TileAxis> TilePattern::axisOf(pl::DimOp dim) const {
  auto found = axes.find(dim.getSource());
  if (found == axes.end())
    return std::nullopt;
  return dim.getAxis() == 0 ? found->second.first : found->second.second;
}
