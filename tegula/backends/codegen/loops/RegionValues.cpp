// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/loops/RegionValues.h"

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

void tegula::flattenType(TileLowering &lowering, Type type,
                         SmallVectorImpl<Type> &types) {
  OpBuilder &builder = lowering.builder;
  Type index = builder.getIndexType();
  if (!isa<pl::TileType, pl::TensorViewType>(type)) {
    types.push_back(signlessType(type));
    return;
  }
  for (pl::Dim dim : pl::getDims(type))
    if (!dim.isExact())
      types.push_back(index);
  if (isa<pl::TileType>(type))
    return;
  types.push_back(lowering.calls.getState().getType());
  types.append(pl::getDims(type).size(), index);
}

void tegula::flatten(TileLowering &lowering, Value value,
                     SmallVectorImpl<Value> &values, Location loc) {
  OpBuilder &builder = lowering.builder;
  Type type = value.getType();
  if (!isa<pl::TileType, pl::TensorViewType>(type)) {
    values.push_back(lowering.scalar(value));
    return;
  }
  bool isTile = isa<pl::TileType>(type);
  const Indices extents =
      isTile ? lowering.tile(value).extents : lowering.view(value).sizes;
  for (auto [dim, extent] : llvm::zip(pl::getDims(type), extents))
    if (!dim.isExact())
      values.push_back(lowering.math(loc).value(extent));
  if (isTile)
    return;
  values.push_back(lowering.view(value).asPointer(builder, loc));
  for (OpFoldResult stride : lowering.view(value).strides)
    values.push_back(lowering.math(loc).value(stride));
}

void tegula::unflatten(TileLowering &lowering, Value value, ValueRange &values,
                       std::optional<View> memory) {
  OpBuilder &builder = lowering.builder;
  auto next = [&] {
    Value front = values.front();
    values = values.drop_front();
    return front;
  };
  Type type = value.getType();
  if (!isa<pl::TileType, pl::TensorViewType>(type)) {
    lowering.values.setScalar(value, next());
    return;
  }
  Indices extents;
  for (pl::Dim dim : pl::getDims(type))
    extents.push_back(dim.isExact()
                          ? OpFoldResult(builder.getIndexAttr(dim.getBound()))
                          : OpFoldResult(next()));
  if (isa<pl::TileType>(type)) {
    lowering.values.setTile(value, {extents, memory->shrink(extents)});
    return;
  }
  View tensor{next(),
              tensorElement(pl::getElementOrSelf(type)),
              builder.getIndexAttr(0),
              extents,
              {}};
  for (size_t axis = 0; axis < extents.size(); ++axis)
    tensor.strides.push_back(next());
  lowering.values.setView(value, tensor);
}

SmallVector<std::optional<View>>
tegula::memoriesOf(TileLowering &lowering, ValueRange values, Location loc) {
  return llvm::map_to_vector(values, [&](Value value) -> std::optional<View> {
    if (!isa<pl::TileType>(value.getType()))
      return std::nullopt;
    return lowering.scratch.destinationOf(value, loc);
  });
}
