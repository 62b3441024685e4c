// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/MemoryPlan.h"

#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The buffers of one frame that live at one point of the program.
class FrameInUse {
public:
  /// Takes the lowest free bytes from position `first` to position `last`.
  int64_t take(int64_t bytes, Lifetime lifetime) {
    llvm::erase_if(allocations, [&](const Allocation &allocation) {
      return allocation.last < lifetime.first;
    });
    int64_t offset = 0;
    auto *next = allocations.begin();
    for (; next != allocations.end() && next->offset < offset + bytes; ++next)
      offset = std::max(offset, addBytes(next->offset, next->bytes));
    allocations.insert(next, {offset, bytes, lifetime.last});
    return offset;
  }

private:
  struct Allocation {
    int64_t offset, bytes;
    unsigned last;
  };
  /// In the order of their offsets.
  SmallVector<Allocation> allocations;
};

/// Buffers of one frame in any order.
class FrameInUseAnyOrder {
public:
  int64_t take(int64_t bytes, Lifetime lifetime) {
    int64_t offset = 0;
    auto *next = allocations.begin();
    for (; next != allocations.end() && next->offset < offset + bytes; ++next)
      if (next->lifetime.overlaps(lifetime))
        offset = std::max(offset, addBytes(next->offset, next->bytes));
    next = llvm::upper_bound(allocations, offset,
                             [](int64_t at, const Allocation &allocation) {
                               return at < allocation.offset;
                             });
    allocations.insert(next, {offset, bytes, lifetime});
    return offset;
  }

private:
  struct Allocation {
    int64_t offset, bytes;
    Lifetime lifetime;
  };
  /// In the order of their offsets.
  SmallVector<Allocation> allocations;
};

} // namespace

int64_t MemoryPlan::getBytes(pl::MemorySpace space) const {
  int64_t ofFunction = 0, ofIterations = 0;
  for (auto [key, bytes] : frameBytes) {
    if (key.second != static_cast<unsigned>(space))
      continue;
    int64_t &most = isa<func::FuncOp>(key.first) ? ofFunction : ofIterations;
    most = std::max(most, bytes);
  }
  return addBytes(ofFunction, ofIterations);
}

/// Gives every buffer an offset, in this order.
template <typename Frame>
static MemoryPlan
planInOrder(ArrayRef<BufferId> order, const Placement &placement,
            ArrayRef<Lifetime> lifetimes, const MachineModel &machine) {
  ArrayRef<TileBuffer> buffers = placement.getBuffers();
  MemoryPlan plan;
  plan.offsets.resize(buffers.size());
  DenseMap<std::pair<Operation *, unsigned>, Frame> frames;
  for (BufferId id : order) {
    const TileBuffer &buffer = buffers[id];
    std::pair<Operation *, unsigned> key{placement.getFrame(buffer.home),
                                         static_cast<unsigned>(buffer.space)};
    int64_t bytes = buffer.copies *
                    llvm::alignTo(buffer.bytes,
                                  machine.findMemory(buffer.space)->alignment);
    int64_t offset = frames[key].take(bytes, lifetimes[id]);
    plan.offsets[id] = offset;
    int64_t &most = plan.frameBytes[key];
    most = std::max(most, addBytes(offset, bytes));
  }
  return plan;
}

bool MemoryPlan::fits(const MachineModel &machine) const {
  return llvm::all_of(machine.memories, [&](const MachineMemory &memory) {
    return fits(memory);
  });
}

static MemoryPlan planOnce(const Placement &placement,
                           ArrayRef<Lifetime> lifetimes,
                           const MachineModel &machine) {
  ArrayRef<TileBuffer> buffers = placement.getBuffers();
  SmallVector<BufferId> order =
      llvm::to_vector(llvm::seq<BufferId>(buffers.size()));
  llvm::sort(order, [&](BufferId a, BufferId b) {
    return std::pair(lifetimes[a].first, a) < std::pair(lifetimes[b].first, b);
  });
  MemoryPlan plan =
      planInOrder<FrameInUse>(order, placement, lifetimes, machine);
  if (plan.fits(machine))
    return plan;
  llvm::stable_sort(order, [&](BufferId a, BufferId b) {
    return buffers[a].bytes * buffers[a].copies >
           buffers[b].bytes * buffers[b].copies;
  });
  return planInOrder<FrameInUseAnyOrder>(order, placement, lifetimes, machine);
}

MemoryPlan tegula::planMemory(Placement &placement,
                              ArrayRef<Lifetime> lifetimes,
                              const MachineModel &machine) {
  MemoryPlan plan = planOnce(placement, lifetimes, machine);
  if (machine.copies == 1 || plan.fits(machine))
    return plan;
  placement.dropCopies();
  return planOnce(placement, lifetimes, machine);
}
