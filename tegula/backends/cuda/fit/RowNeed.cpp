// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many registers the rows of a loop take.

#include "tegula/backends/cuda/fit/RowLoop.h"
#include "tegula/transforms/plan/BufferSize.h"

#include <map>

using namespace mlir;
using namespace tegula;

/// The registers of one row of a tile, in all threads; of a tile without rows
/// each warp has its own.
static int64_t wordsOf(const RowLoop &found, Value tile, int64_t width) {
  auto type = cast<pl::TileType>(tile.getType());
  constexpr int64_t registerBits = 32, most = int64_t(1) << 30;
  int64_t words = std::max<int64_t>(
      1,
      memoryType(type.getElementType()).getIntOrFloatBitWidth() / registerBits);
  for (auto [axis, dim] : llvm::enumerate(type.getDims()))
    if (!found.isByRow(tile) || found.rows.isAdded || axis != found.rows.axis) {
      auto length = int64_t(llvm::PowerOf2Ceil(std::clamp<int64_t>(
          dim.hasBound() ? dim.getBound() : width, 1, most)));
      words = std::min(words * length, most);
    }
  return words;
}

/// True for tiles that take registers of their own.
static bool hasRegisters(Value tile) {
  return isa<pl::TileType>(tile.getType()) &&
         !tile.getDefiningOp<pl::FullOp>() &&
         !tile.getDefiningOp<pl::BroadcastOp>() &&
         !tile.getDefiningOp<pl::ReshapeOp>();
}

RowLoop::Need RowLoop::getNeed(int64_t width) const {
  Need need;
  DenseMap<Operation *, int64_t> numbers;
  pl::ParallelOp(loop)->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { numbers[op] = int64_t(numbers.size()); });
  SmallVector<std::pair<Value, int64_t>> tiles;
  pl::ParallelOp(loop)->walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (hasRegisters(result)) {
        tiles.push_back({result, wordsOf(*this, result, width)});
        need.wordsOfRow = std::max(need.wordsOfRow, tiles.back().second);
      }
  });
  // From where a tile is made to where it is used last.
  std::map<int64_t, int64_t> changes;
  for (auto [tile, words] : tiles) {
    if (words < need.wordsOfRow)
      continue;
    int64_t last = numbers[tile.getDefiningOp()];
    ++changes[last];
    for (Operation *user : tile.getUsers())
      last = std::max(last, numbers[user]);
    --changes[last];
  }
  int64_t live = 0;
  for (auto [position, change] : changes)
    need.liveTiles = std::max(need.liveTiles, live += change);
  return need;
}
