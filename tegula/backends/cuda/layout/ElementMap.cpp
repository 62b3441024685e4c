// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/ElementMap.h"

#include "tegula/backends/cuda/CudaDialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::cuda;

bool ElementMap::operator==(const ElementMap &other) const {
  return shape == other.shape && registers == other.registers &&
         lanes == other.lanes && warps == other.warps;
}

static void addSteps(Coordinate &coordinate, ArrayRef<Coordinate> steps,
                     int64_t number) {
  for (auto [bit, step] : llvm::enumerate(steps))
    if (number >> bit & 1)
      for (auto [sum, part] : llvm::zip(coordinate, step))
        sum += part;
}

Coordinate ElementMap::getOffset(int64_t number) const {
  Coordinate coordinate(getRank(), 0);
  addSteps(coordinate, registers, number);
  return coordinate;
}

Coordinate ElementMap::getElement(int64_t thread, int64_t number) const {
  Coordinate coordinate = getOffset(number);
  addSteps(coordinate, lanes, thread);
  addSteps(coordinate, warps, thread >> lanes.size());
  return coordinate;
}

bool ElementMap::isUnused(int64_t number) const {
  Coordinate coordinate = getOffset(number);
  return llvm::any_of(llvm::zip(coordinate, shape), [](auto pair) {
    return std::get<0>(pair) >= std::get<1>(pair);
  });
}

bool ElementMap::isInside(unsigned axis) const {
  int64_t last = 0;
  for (const auto *bits : {&lanes, &warps})
    for (const Coordinate &step : *bits)
      last += step[axis];
  for (int64_t i = 0; i < getNumRegisters(); ++i)
    if (!isUnused(i) && getOffset(i)[axis] + last >= shape[axis])
      return false;
  return true;
}

std::optional<int64_t>
ElementMap::findRegister(ArrayRef<int64_t> offset) const {
  int64_t number = 0;
  Coordinate rest(offset.begin(), offset.end());
  for (auto [bit, step] : llvm::enumerate(registers))
    for (auto [left, part] : llvm::zip(rest, step))
      if (part && (left & part)) {
        number |= int64_t(1) << bit;
        left &= ~part;
      }
  return llvm::all_of(rest, [](int64_t left) { return left == 0; })
             ? std::optional<int64_t>(number)
             : std::nullopt;
}

bool ElementMap::hasSameThreads(const ElementMap &other) const {
  return lanes == other.lanes && warps == other.warps;
}

bool ElementMap::isAlongColumns() const {
  return getRank() == 2 && !registers.empty() && registers[0][0] == 1;
}

int64_t ElementMap::countNeighbours() const {
  int64_t count = 1;
  for (const Coordinate &step : registers) {
    bool isNext = step.back() == count &&
                  llvm::all_of(ArrayRef<int64_t>(step).drop_back(),
                               [](int64_t part) { return part == 0; });
    if (!isNext)
      break;
    count *= 2;
  }
  // The last ones of a row may be fewer.
  while (shape.back() % count)
    count /= 2;
  return count;
}

ElementMap tegula::swapAxes(ElementMap map) {
  std::swap(map.shape[0], map.shape[1]);
  for (auto *bits : {&map.registers, &map.lanes, &map.warps})
    for (Coordinate &step : *bits)
      std::swap(step[0], step[1]);
  return map;
}

ElementMap tegula::dropEqualRegisters(ElementMap map) {
  llvm::erase_if(map.registers, [](const Coordinate &step) {
    return llvm::all_of(step, [](int64_t part) { return part == 0; });
  });
  return map;
}

namespace {

/// Gives bits their steps, axis by axis.
class MapMaker {
public:
  /// An axis is at least so long.
  MapMaker(ArrayRef<int64_t> shape, int64_t least) {
    map.shape.assign(shape.begin(), shape.end());
    for (int64_t bound : shape)
      sizes.push_back(std::max<int64_t>(
          llvm::PowerOf2Ceil(std::max<int64_t>(bound, 1)), least));
    next.assign(shape.size(), 1);
  }
  /// A map whose axes are at least as long as said.
  MapMaker(ArrayRef<int64_t> shape, ArrayRef<int64_t> least)
      : MapMaker(shape, 1) {
    for (auto [size, wanted] : llvm::zip(sizes, least))
      size = std::max(size, wanted);
  }

  /// The next bits step along an axis, as many as `size` takes. Threads hold
  /// the same where the axis is shorter; registers need no bits there.
  void addRegisters(unsigned axis, int64_t size) {
    for (; size > 1 && next[axis] < sizes[axis]; size /= 2)
      map.registers.push_back(takeStep(axis));
  }
  void addThreads(SmallVector<Coordinate> &bits, unsigned axis, int64_t size) {
    for (; size > 1; size /= 2)
      bits.push_back(next[axis] < sizes[axis] ? takeStep(axis) : nowhere());
  }
  void addLanes(unsigned axis, int64_t size) {
    addThreads(map.lanes, axis, size);
  }
  void addWarps(unsigned axis, int64_t size) {
    addThreads(map.warps, axis, size);
  }
  void addWarpsNowhere(int64_t size) {
    for (; size > 1; size /= 2)
      map.warps.push_back(nowhere());
  }
  /// What is left goes to registers.
  void addRest(unsigned axis) { addRegisters(axis, sizes[axis]); }

  ElementMap map;

private:
  Coordinate nowhere() const { return Coordinate(sizes.size(), 0); }
  Coordinate takeStep(unsigned axis) {
    Coordinate step = nowhere();
    step[axis] = next[axis];
    next[axis] *= 2;
    return step;
  }

  SmallVector<int64_t, 3> sizes, next;
};

} // namespace

static ElementMap makeBlocked(BlockedLayoutAttr layout,
                              ArrayRef<int64_t> shape) {
  MapMaker maker(shape, 1);
  for (unsigned axis = shape.size(); axis-- > 0;)
    maker.addRegisters(axis, layout.getElements()[axis]);
  for (unsigned axis = shape.size(); axis-- > 0;)
    maker.addLanes(axis, layout.getLanes()[axis]);
  for (unsigned axis = shape.size(); axis-- > 0;)
    maker.addWarps(axis, layout.getWarps()[axis]);
  for (unsigned axis = shape.size(); axis-- > 0;)
    maker.addRest(axis);
  return maker.map;
}

/// Axes before the last two are repeated.
static ElementMap makeMma(MmaLayoutAttr layout, ArrayRef<int64_t> shape) {
  unsigned row = shape.size() - 2, column = shape.size() - 1;
  MapMaker maker(shape, 1);
  maker.addRegisters(column, 2);
  maker.addLanes(column, 4);
  maker.addLanes(row, 8);
  maker.addRegisters(row, 2);
  maker.addWarps(column, layout.getWarps()[1]);
  maker.addWarps(row, layout.getWarps()[0]);
  for (unsigned axis = shape.size(); axis-- > 0;)
    maker.addRest(axis);
  return maker.map;
}

static ElementMap makeOperand(DotOperandLayoutAttr layout,
                              ArrayRef<int64_t> shape) {
  constexpr int64_t wordBits = 32, wordsOfRow = 8;
  int64_t each = wordBits / layout.getBits(), depth = wordsOfRow * each;
  bool isLhs = layout.getOperand() == MatmulOperand::Lhs;
  // The axis that is summed up, and the other one.
  unsigned summed = isLhs ? 1 : 0, kept = isLhs ? 0 : 1;
  int64_t least[] = {isLhs ? 1 : depth, isLhs ? depth : 1};
  MapMaker maker(shape, ArrayRef<int64_t>(least));
  ArrayRef<int64_t> warps = layout.getParent().getWarps();
  maker.addRegisters(summed, each);
  maker.addLanes(summed, 4);
  maker.addLanes(kept, 8);
  if (isLhs)
    maker.addRegisters(kept, 2);
  if (isLhs)
    maker.addWarpsNowhere(warps[1]);
  else
    maker.addWarps(kept, warps[1]);
  if (isLhs)
    maker.addWarps(kept, warps[0]);
  else
    maker.addWarpsNowhere(warps[0]);
  maker.addRest(summed);
  maker.addRest(kept);
  return maker.map;
}

static ElementMap makeSlice(SliceLayoutAttr layout, ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 3> whole(shape.begin(), shape.end());
  whole.insert(whole.begin() + layout.getAxis(), 1);
  ElementMap map = makeElementMap(layout.getParent(), whole);
  auto drop = [&](auto &coordinate) {
    coordinate.erase(coordinate.begin() + layout.getAxis());
  };
  drop(map.shape);
  for (auto *bits : {&map.registers, &map.lanes, &map.warps})
    for (Coordinate &step : *bits)
      drop(step);
  return map;
}

ElementMap tegula::makeElementMap(Attribute layout, ArrayRef<int64_t> shape) {
  if (auto blocked = dyn_cast<BlockedLayoutAttr>(layout))
    return makeBlocked(blocked, shape);
  if (auto mma = dyn_cast<MmaLayoutAttr>(layout))
    return makeMma(mma, shape);
  if (auto operand = dyn_cast<DotOperandLayoutAttr>(layout))
    return makeOperand(operand, shape);
  return makeSlice(cast<SliceLayoutAttr>(layout), shape);
}
