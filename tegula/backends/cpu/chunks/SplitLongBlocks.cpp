// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long blocks -> calls of chunks, so that no function grows without bound.

#include "tegula/backends/cpu/chunks/ChunkFrame.h"
#include "tegula/backends/cpu/chunks/CodeWeight.h"

#include "mlir/Transforms/RegionUtils.h"
#include "tegula/backends/cpu/Passes.h"

namespace tegula {
#define GEN_PASS_DEF_CPUSPLITLONGBLOCKS
#include "tegula/backends/cpu/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// Cuts the blocks of one module. `most` is what a function may hold, `chunk`
/// what a chunk of a longer one does.
class BlockSplitter {
public:
  BlockSplitter(ModuleOp module, int64_t most, int64_t chunk)
      : symbols(module), most(most), chunk(chunk) {}

  void split(Block &block);
  /// Whether no block was so long.
  bool isIdle() const { return frames.empty(); }

private:
  void cut(Block &block);
  ChunkFrame &frameOf(Block &block) {
    Block *owner = ChunkFrame::ownerOf(block);
    auto &frame = frames[owner];
    if (!frame)
      frame = std::make_unique<ChunkFrame>(*owner);
    return *frame;
  }

  SymbolTable symbols;
  int64_t most, chunk;
  DenseMap<Block *, std::unique_ptr<ChunkFrame>> frames;
};

struct CpuSplitLongBlocksPass
    : tegula::impl::CpuSplitLongBlocksBase<CpuSplitLongBlocksPass> {
  using Parent = tegula::impl::CpuSplitLongBlocksBase<CpuSplitLongBlocksPass>;
  using Parent::Parent;

  void runOnOperation() override {
    BlockSplitter splitter(getOperation(), most, chunk);
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal())
        splitter.split(function.getBody().front());
    if (splitter.isIdle())
      markAllAnalysesPreserved();
  }
};

} // namespace

/// Splits the blocks inside first.
void BlockSplitter::split(Block &block) {
  for (Operation &op : block)
    if (!isa<linalg::GenericOp>(op) && weightOf(op) > most)
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          split(inner);
  while (weightOf(block) > most && ChunkFrame::canCut(block)) {
    size_t before = block.getOperations().size();
    cut(block);
    // What is left is calls, unless some op is too large by itself.
    if (block.getOperations().size() * 2 > before)
      break;
  }
}

/// Makes functions of the block's ops, as many in each as a chunk may hold.
void BlockSplitter::cut(Block &block) {
  ChunkFrame &frame = frameOf(block);
  SmallVector<SmallVector<Operation *>> chunks(1);
  int64_t sum = 0;
  for (Operation &op : block.without_terminator()) {
    // The frame, and what is put into it at once, stays.
    if (frame.isPrologue(&op))
      continue;
    // Memory of a chunk would end with it, so it is made between chunks.
    if (isa<LLVM::AllocaOp>(op)) {
      chunks.emplace_back();
      sum = 0;
      continue;
    }
    int64_t weight = weightOf(op);
    if (sum > 0 && sum + weight > chunk && !frame.isSave(&op)) {
      chunks.emplace_back();
      sum = 0;
    }
    chunks.back().push_back(&op);
    sum += weight;
  }
  for (ArrayRef<Operation *> ops : chunks) {
    if (ops.size() < 2)
      continue;
    frame.outline(ops, symbols);
  }
  frame.reconnect(block);
}
