// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/variants/GpuMatmul.h"

#include "tegula/launch/gpu/abi/MatmulAbi.h"

#include <algorithm>
#include <array>

using namespace tegula;

GpuMatrix tegula::matrixAt(const int64_t *slots, int64_t bytes,
                           bool isTransposed) {
  GpuMatrix matrix{static_cast<uint64_t>(slots[0]),
                   slots[1],
                   slots[2],
                   slots[3],
                   slots[4],
                   bytes};
  return isTransposed ? matrix.transposed() : matrix;
}

GpuMatmulCall::GpuMatmulCall(const GpuMatmul &matmul, const int64_t *left,
                             const int64_t *right)
    : left(matrixAt(left, getElementBytes(matmul.element),
                    matmul.isLeftTransposed)),
      right(matrixAt(right, getElementBytes(matmul.element),
                     matmul.isRightTransposed)),
      element(matmul.element) {}

/// Numbers of 32 bits count them, and go a little beyond.
static constexpr int64_t mostExtent = (int64_t(1) << 31) - (1 << 20);

bool GpuMatrix::hasBoxes() const {
  return column == 1 && address % 16 == 0 && row > 0 && row >= columns &&
         row * bytes % 16 == 0 && row < mostExtent;
}

const char *GpuMatmulCall::findObstacle() const {
  for (int64_t extent : {left.rows, left.columns, right.columns}) {
    if (extent <= 0)
      return "a side is 0";
    if (extent >= mostExtent)
      return "a side is too long";
  }
  return countTiles({128, 0, false}) < mostExtent ? nullptr
                                                  : "there are too many tiles";
}

bool GpuMatmulCall::isAcross(bool isSplit) const {
  if (getKind(getType()) == GpuOperandKind::Word && isSplit)
    return right.hasBoxes() && !right.transposed().hasBoxes();
  if (getKind(getType()) != GpuOperandKind::Half)
    return false;
  if (!isConverted() && (right.hasBoxes() || right.transposed().hasBoxes()))
    return right.hasBoxes();
  // A copy reads what is contiguous.
  return right.column == 1 || right.row != 1;
}

static int64_t divideUp(int64_t count, int64_t each) {
  return (count + each - 1) / each;
}

int64_t GpuMatmulCall::countTiles(const GpuMatmulSchedule &schedule) const {
  int64_t rows = schedule.split ? tegulaSplitRows : tegulaMatmulRows;
  return divideUp(left.rows, rows * schedule.cluster) * schedule.cluster *
         divideUp(right.columns, schedule.columns);
}

// Nanoseconds as measured: of one step of a tile, and of what follows its last
// one.
struct TileStep {
  int64_t columns, step;
};
static constexpr TileStep tiles[] = {{256, 730}, {192, 545}, {128, 410}};
static constexpr int64_t pingPongColumns = 128, pingPongStep = 365,
                         slowPingPongStep = 480;
static constexpr int64_t end = 2500, longEnd = 5000;
// With ping-pong: of the last tile, which warpgroups share, and of others.
static constexpr int64_t pingPongEnd = 2000, longPingPongEnd = 4000;
static constexpr int64_t hiddenEnd = 2300, longHiddenEnd = 7600;

/// Of a tile whose steps 1, 2, 4 or 8 blocks share, which add up their
/// accumulators.
struct SplitTile {
  int64_t columns, step;
  std::array<int64_t, 4> ends;

  int64_t endOf(int64_t split) const {
    size_t number = 0;
    while (split >> (number + 1) != 0)
      ++number;
    return ends[number];
  }
};
static constexpr SplitTile splitTiles[] = {{128, 167, {0, 800, 2300, 4200}},
                                           {64, 133, {0, 200, 600, 1300}}};
static_assert(tegulaMostSplit == 8);

/// So many blocks of clusters run at once, about: those of a large cluster are
/// neighbours, which leaves SMs out.
static int64_t countAtOnce(int64_t split, int64_t numSMs) {
  return split <= 2 ? numSMs : numSMs * 7 / 8;
}

namespace {

/// The best of schedules that are offered with the time they take.
struct BestSchedule {
  GpuMatmulSchedule schedule{};
  int64_t least = 0;

  void offer(const GpuMatmulSchedule &other, int64_t time) {
    if (schedule.columns != 0 && time >= least)
      return;
    schedule = other;
    least = time;
  }
};

} // namespace

int64_t GpuMatmulCall::countSteps() const {
  return divideUp(left.columns, tegulaMatmulDepth(getBytes(getType())));
}

/// Blocks of a cluster read half of the rhs each where boxes take long, or
/// where what is copied or stored keeps them from reading the same memory at
/// the same time, when memory near them would serve both at once.
int64_t GpuMatmulCall::chooseCluster(bool hasClusters) const {
  return hasClusters && !hasQuickBoxes() && left.rows > tegulaMatmulRows ? 2
                                                                         : 1;
}

GpuMatmulSchedule GpuMatmulCall::chooseSchedule(const GpuMatmul &matmul,
                                                int64_t numSMs,
                                                bool hasClusters) const {
  int64_t steps = countSteps(), after = matmul.isLong ? longEnd : end;
  BestSchedule best;
  auto roundsOf = [&](const GpuMatmulSchedule &schedule) {
    return divideUp(countTiles(schedule),
                    numSMs / schedule.cluster * schedule.cluster);
  };
  bool hasFewRows = hasClusters && left.rows <= tegulaSplitRows;
  for (const SplitTile &tile : splitTiles)
    for (int64_t split = hasFewRows ? 1 : 2;
         hasClusters && split <= steps && split <= tegulaMostSplit;
         split *= 2) {
      GpuMatmulSchedule schedule{tile.columns, split, false};
      int64_t rounds =
          divideUp(countTiles(schedule) * split, countAtOnce(split, numSMs));
      if (rounds == 1 || split == 1)
        best.offer(schedule, rounds * divideUp(steps, split) * tile.step +
                                 tile.endOf(split) + after);
    }
  // Boxes of rows that are not there take as long as others.
  if (hasFewRows)
    return best.schedule;
  int64_t cluster = chooseCluster(hasClusters && numSMs > 1);
  for (auto [columns, step] : tiles) {
    GpuMatmulSchedule schedule{columns, 0, false, cluster};
    best.offer(schedule, roundsOf(schedule) * (steps * step + after));
  }
  // Who has one tile only has nothing to go on with meanwhile. Where steps are
  // few, tiles wait for a warpgroup that still computes with its last one.
  GpuMatmulSchedule pingPong{pingPongColumns, 0, true, cluster};
  int64_t tileTime = steps * (hasSlowBoxes() ? slowPingPongStep : pingPongStep);
  int64_t hidden = matmul.isLong ? longHiddenEnd : hiddenEnd;
  // Accumulators that are added up leave tensor cores waiting unless warpgroups
  // share tiles.
  if (roundsOf(pingPong) > 1 && !isAddedUp(getType()))
    best.offer(pingPong, roundsOf(pingPong) *
                                 std::max(tileTime, (tileTime + hidden) / 2) +
                             (matmul.isLong ? longPingPongEnd : pingPongEnd));
  return best.schedule;
}

size_t GpuMatmulCall::getNumber(const GpuMatmulSchedule &schedule) const {
  // Columns are 64 or 128 of those that are split, 128, 192 or 256 of others.
  size_t number = schedule.split        ? (schedule.columns == 64 ? 0 : 5)
                  : schedule.isPingPong ? 1
                                        : schedule.columns / 64;
  return 2 * number + isAcross(schedule.split != 0);
}

std::string GpuMatmul::getPrefix() const {
  constexpr const char *names[] = {
#define ROW(NAME, ...) "tegulaMatmul" #NAME,
      TEGULA_GPU_OPERAND_TYPES(ROW)
#undef ROW
  };
  return names[static_cast<size_t>(
      getOperandType(element, MatmulCode::Hopper))];
}

std::string GpuMatmul::getRepack() const {
  return std::string("tegulaRepack") + getCopyName(element, MatmulCode::Hopper);
}

std::string GpuMatmulCall::getKernel(const GpuMatmul &matmul,
                                     const GpuMatmulSchedule &schedule) const {
  return matmul.getPrefix() +
         (isAcross(schedule.split != 0) ? "Across" : "Along") +
         (schedule.split        ? "Split"
          : schedule.isPingPong ? "PingPong"
                                : "") +
         std::to_string(schedule.columns);
}
