// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/NpuMachine.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tegula;

/// Most elements have four bytes.
static constexpr int64_t elementBytes = 4;
static constexpr int64_t alignment = 64;

static int64_t powerBelow(int64_t number) {
  return int64_t(1) << llvm::Log2_64(std::max<int64_t>(1, number));
}

/// The bytes that a matmul with two buffers for every operand takes.
static int64_t getMatmulBytes(int64_t side, int64_t depth,
                              bool countAccumulators) {
  int64_t sums = countAccumulators ? side * side : 0;
  return 2 * elementBytes * (2 * side * depth + sums);
}

/// Square windows, four times as wide as they are deep: long rows, and
/// accumulators that are written seldom.
static void sizeMatmuls(const sim::Machine &machine, TileSizes &tiles) {
  bool separateAccumulators = machine.accumulatorBytesPerCore != 0;
  int64_t side = 8, depth = 8;
  for (;;) {
    int64_t nextSide = 2 * side, nextDepth = std::max<int64_t>(8, side / 2);
    bool fits = getMatmulBytes(nextSide, nextDepth, !separateAccumulators) <=
                machine.scratchpadBytesPerCore;
    if (separateAccumulators)
      fits &= 2 * elementBytes * nextSide * nextSide <=
              machine.accumulatorBytesPerCore;
    if (!fits || nextSide > 1024)
      break;
    side = nextSide;
    depth = nextDepth;
  }
  tiles.matmulRows = tiles.matmulColumns = side;
  tiles.depth = depth;
}

/// Some six tiles at once, each twice.
static void sizeElements(const sim::Machine &machine, TileSizes &tiles) {
  int64_t bytes = machine.vectorScratchpadBytesPerCore
                      ? machine.vectorScratchpadBytesPerCore
                      : machine.scratchpadBytesPerCore;
  int64_t elements = powerBelow(bytes / (12 * elementBytes));
  tiles.elements = elements;
  tiles.columns = std::min<int64_t>(2048, elements);
  tiles.rows = std::max<int64_t>(1, elements / tiles.columns);
  tiles.largest = std::max(elements, tiles.matmulRows * tiles.matmulColumns);
}

/// bench/npu.py compares the best of these with the best of all tiles that fit,
/// on large shapes and small ones: 0.5 and 1.4 % (tpuv3, level `channel`).
std::vector<TileSizes> tegula::listTilings(const MachineModel &model) {
  struct Share {
    int64_t rows, columns, depth;
  };
  // In shares of the largest window.
  static constexpr Share shares[] = {{1, 1, 1}, {1, 1, 2}, {1, 2, 1}, {2, 1, 1},
                                     {2, 1, 2}, {8, 4, 2}, {8, 1, 1}};
  std::vector<TileSizes> tilings;
  for (const Share &share : shares) {
    TileSizes sizes = model.tiles;
    auto divide = [](int64_t &size, int64_t by) {
      size = std::max<int64_t>(8, size / by);
    };
    divide(sizes.matmulRows, share.rows);
    divide(sizes.matmulColumns, share.columns);
    divide(sizes.depth, share.depth);
    tilings.push_back(sizes);
  }
  return tilings;
}

MachineModel tegula::makeMachineModel(const sim::Machine &machine) {
  MachineModel model;
  model.name = machine.name;
  auto add = [&](pl::MemorySpace space, const char *name, int64_t bytes,
                 std::vector<TileRole> holds) {
    model.memories.push_back({space, name, bytes, alignment, std::move(holds)});
  };
  if (machine.vectorScratchpadBytesPerCore) {
    add(pl::MemorySpace::Scratchpad, "vector scratchpad",
        machine.vectorScratchpadBytesPerCore, {TileRole::Value});
    add(pl::MemorySpace::Matrix, "scratchpad", machine.scratchpadBytesPerCore,
        {TileRole::Lhs, TileRole::Rhs});
    if (machine.vectorUnitsAreCores && !machine.accumulatorBytesPerCore)
      model.memories.back().holds.push_back(TileRole::Accumulator);
  } else {
    add(pl::MemorySpace::Scratchpad, "scratchpad",
        machine.scratchpadBytesPerCore, {TileRole::Value});
  }
  if (machine.accumulatorBytesPerCore)
    add(pl::MemorySpace::Accumulator, "accumulators",
        machine.accumulatorBytesPerCore, {TileRole::Accumulator});
  sizeMatmuls(machine, model.tiles);
  sizeElements(machine, model.tiles);
  model.parts = {machine.cores, machine.cores * machine.vectorUnitsPerCore};
  model.computesOnTensors = false;
  model.widensOperands = false;
  // A matmul is cut to tiles that fit the scratchpads.
  model.multipliesWholeMatrices = false;
  model.hasSeparateCores = machine.vectorUnitsAreCores;
  model.copies = 2;
  return model;
}
