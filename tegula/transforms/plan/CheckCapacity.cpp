// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/CheckCapacity.h"

#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula;

/// 2097152 -> "2,097,152"
static std::string withCommas(int64_t number) {
  std::string digits = std::to_string(number);
  for (int64_t at = digits.size() - 3; at > 0; at -= 3)
    digits.insert(at, ",");
  return digits;
}

/// {512, 1024} -> "512 x 1024"
static std::string describeShape(ArrayRef<int64_t> shape) {
  return llvm::join(
      llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }),
      " x ");
}

namespace {

/// Describes one memory at the time when most of it is in use.
class Overflow {
public:
  Overflow(func::FuncOp function, const TilePlan &plan,
           const MachineMemory &memory)
      : plan(plan), memory(memory), buffers(plan.placement.getBuffers()),
        types(buffers.size()), locations(buffers.size(), function.getLoc()) {
    findTiles(function);
    findPeak(function);
  }

  /// An op that computes a tile says more than a loop that carries it.
  InFlightDiagnostic report() {
    auto isLess = [&](BufferId one, BufferId other) {
      return std::pair(buffers[one].bytes, !isOfRegion[one]) <
             std::pair(buffers[other].bytes, !isOfRegion[other]);
    };
    BufferId worst = *llvm::max_element(live, isLess);
    int64_t others = 0;
    for (BufferId id : live)
      others += id == worst ? 0 : sizeOf(id);
    InFlightDiagnostic error = emitError(locations[worst]);
    error << describe(worst) << " does not fit the " << memory.name << " of "
          << withCommas(memory.bytes) << " bytes of " << plan.machine.name;
    if (others != 0 && sizeOf(worst) <= memory.bytes)
      error << " next to " << withCommas(others)
            << " bytes that are in use there";
    for (BufferId id : llvm::drop_end(live, dropped()))
      if (id != worst)
        error.attachNote(locations[id])
            << describe(id) << " is there at that time";
    error.attachNote(locations[worst]) << suggest(worst, memory.bytes - others);
    return error;
  }

private:
  static constexpr size_t mostNotes = 8;

  size_t dropped() const {
    return live.size() > mostNotes ? live.size() - mostNotes : 0;
  }

  int64_t sizeOf(BufferId id) const {
    return llvm::alignTo(buffers[id].bytes, memory.alignment);
  }

  /// What authors know of a buffer is the first tile that an op of theirs
  /// computes in it; that of a loop or a branch only if there is none.
  void findTiles(func::FuncOp function) {
    auto add = [&](std::optional<BufferId> id, Value tile, Operation *op) {
      bool isBetter =
          id && (!types[*id] || (isOfRegion[*id] && op->getNumRegions() == 0));
      if (!isBetter)
        return;
      types[*id] = cast<pl::TileType>(tile.getType());
      locations[*id] = op->getLoc();
      isOfRegion[*id] = op->getNumRegions() != 0;
    };
    isOfRegion.resize(buffers.size());
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value result : op->getResults())
        add(plan.placement.getBuffer(result), result, op);
      for (OpOperand &operand : op->getOpOperands())
        add(plan.placement.getBuffer(operand), operand.get(), op);
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          add(plan.placement.getBuffer(argument), argument, op);
    });
  }

  /// Memory fills up where lives begin.
  void findPeak(func::FuncOp function) {
    int64_t most = -1;
    for (auto [first, lifetime] : llvm::enumerate(plan.lifetimes)) {
      Operation *frame = plan.placement.getFrame(buffers[first].home);
      SmallVector<BufferId> now;
      int64_t bytes = 0;
      for (auto [id, buffer] : llvm::enumerate(buffers)) {
        Operation *other = plan.placement.getFrame(buffer.home);
        if (buffer.space != memory.space ||
            (other != frame && other != function) ||
            !plan.lifetimes[id].overlaps({lifetime.first, lifetime.first}))
          continue;
        now.push_back(id);
        bytes = addBytes(bytes, sizeOf(id));
      }
      if (bytes <= most)
        continue;
      most = bytes;
      live = std::move(now);
    }
  }

  std::string describe(BufferId id) const {
    pl::TileType type = types[id];
    return "a tile of " + describeShape(boundsOf(type)) + " " +
           getName(*pl::getDType(type.getElementType())).str() + ", " +
           withCommas(buffers[id].bytes) + " bytes,";
  }

  /// The longest axis is halved until the tile fits.
  std::string suggest(BufferId id, int64_t room) const {
    SmallVector<int64_t, 4> shape = boundsOf(types[id]);
    auto bytes = [&] {
      return static_cast<int64_t>(llvm::alignTo(
          bufferBytes(buffers[id].element, shape), memory.alignment));
    };
    while (!shape.empty() && bytes() > room) {
      int64_t &longest = *llvm::max_element(shape);
      if (longest <= 1)
        break;
      longest /= 2;
    }
    if (bytes() > room)
      return "no tile fits next to the others; make those smaller";
    return "a tile of " + describeShape(shape) + " would fit";
  }

  const TilePlan &plan;
  const MachineMemory &memory;
  ArrayRef<TileBuffer> buffers;
  SmallVector<pl::TileType> types;
  SmallVector<Location> locations;
  SmallVector<bool> isOfRegion;
  /// What is there when most is.
  SmallVector<BufferId> live;
};

} // namespace

LogicalResult tegula::checkCapacity(func::FuncOp function,
                                    const TilePlan &plan) {
  for (const MachineMemory &memory : plan.machine.memories)
    if (!plan.memory.fits(memory))
      return Overflow(function, plan, memory).report();
  return success();
}
