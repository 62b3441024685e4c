// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/MemoryPlan.h"

#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The buffers of one frame that live at one place in the program.
class FrameInUse {
public:
  /// Takes the lowest free bytes from place `first` to place `last`.
  int64_t take(int64_t bytes, Lifetime lifetime) {
    llvm::erase_if(pieces, [&](const Piece &piece) {
      return piece.last < lifetime.first;
    });
    int64_t offset = 0;
    auto *next = pieces.begin();
    for (; next != pieces.end() && next->offset < offset + bytes; ++next)
      offset = std::max(offset, addBytes(next->offset, next->bytes));
    pieces.insert(next, {offset, bytes, lifetime.last});
    return offset;
  }

private:
  struct Piece {
    int64_t offset, bytes;
    unsigned last;
  };
  /// In the order of their offsets.
  SmallVector<Piece> pieces;
};

} // namespace

MemoryPlan tegula::planMemory(const Placement &placement,
                              ArrayRef<Lifetime> lifetimes, int64_t alignment) {
  ArrayRef<TileBuffer> buffers = placement.getBuffers();
  SmallVector<BufferId> order =
      llvm::to_vector(llvm::seq<BufferId>(buffers.size()));
  llvm::sort(order, [&](BufferId a, BufferId b) {
    return std::pair(lifetimes[a].first, a) < std::pair(lifetimes[b].first, b);
  });
  MemoryPlan plan;
  plan.offsets.resize(buffers.size());
  DenseMap<std::pair<Operation *, unsigned>, FrameInUse> frames;
  for (BufferId id : order) {
    const TileBuffer &buffer = buffers[id];
    std::pair<Operation *, unsigned> key{placement.getFrame(buffer.home),
                                         static_cast<unsigned>(buffer.space)};
    int64_t bytes = llvm::alignTo(buffer.bytes, alignment);
    int64_t offset = frames[key].take(bytes, lifetimes[id]);
    plan.offsets[id] = offset;
    int64_t &most = plan.frameBytes[key];
    most = std::max(most, addBytes(offset, bytes));
  }
  return plan;
}
