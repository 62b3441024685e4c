// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/LoweredValues.h"

using namespace mlir;
using namespace tegula;

Indices LoweredValues::indices(ValueRange values) const {
  return llvm::map_to_vector<4>(
      values, [&](Value value) { return IndexMath::fold(scalar(value)); });
}

const Tile &LoweredValues::tile(Value value) const {
  const Tile *found = findTile(value);
  assert(found && "tiles are lowered before they are used");
  return *found;
}

const Tile *LoweredValues::findTile(Value value) const {
  auto found = tiles.find(value);
  return found == tiles.end() ? nullptr : &found->second;
}

const View &LoweredValues::view(Value tensor) const {
  auto found = views.find(tensor);
  assert(found != views.end() && "tensors are lowered before they are used");
  return found->second;
}
