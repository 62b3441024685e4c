// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/BlockRegions.h"

#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tegula;

void tegula::visitInRegisters(pl::ParallelOp loop,
                              llvm::function_ref<void(Operation *)> visit) {
  loop.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    visit(op);
    return isa<cuda::BlockRegionOp>(op) ? WalkResult::skip()
                                        : WalkResult::advance();
  });
}

static bool isTile(Value value) { return isa<pl::TileType>(value.getType()); }

/// What is written in the loop is read where that stands.
static void orderReads(pl::ParallelOp loop) {
  visitInRegisters(loop, [&](Operation *op) {
    Value source;
    if (auto load = dyn_cast<pl::LoadOp>(op))
      source = load.getSource();
    else if (auto read = dyn_cast<pl::ReadOp>(op))
      source = read.getSource();
    bool isTensor = source && isa<pl::TensorViewType>(source.getType());
    if (isTensor && mayWrite(loop, rootOfView(source)))
      op->setAttr(orderedAttrName, UnitAttr::get(op->getContext()));
  });
}

/// Memory for a tile, as large as its bounds.
static Value makeMemory(OpBuilder &builder, Location loc, Value tile) {
  auto type = cast<pl::TileType>(tile.getType());
  pl::Dims dims;
  SmallVector<Value> sizes;
  for (int64_t bound : boundsOf(type)) {
    dims.push_back(pl::Dim::exactly(bound));
    sizes.push_back(arith::ConstantIndexOp::create(builder, loc, bound));
  }
  auto tensor = pl::TensorViewType::get(builder.getContext(), dims,
                                        type.getElementType());
  return pl::CreateTensorOp::create(builder, loc, tensor, sizes);
}

/// The extents of a tile that its type does not say.
static SmallVector<Value> findExtents(OpBuilder &builder, Location loc,
                                      Value tile) {
  SmallVector<Value> extents;
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(tile.getType())))
    if (!dim.isExact())
      extents.push_back(pl::DimOp::create(builder, loc, tile, axis));
  return extents;
}

/// The part of its memory that a tile has elements for.
static Value openWindow(OpBuilder &builder, Location loc, Value memory,
                        pl::TileType type, ValueRange extents) {
  if (extents.empty())
    return memory;
  SmallVector<Value> offsets, sizes;
  size_t next = 0;
  for (pl::Dim dim : type.getDims()) {
    offsets.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
    sizes.push_back(dim.isExact() ? Value(arith::ConstantIndexOp::create(
                                        builder, loc, dim.getBound()))
                                  : extents[next++]);
  }
  auto view = pl::TensorViewType::get(builder.getContext(), type.getDims(),
                                      type.getElementType());
  return pl::SliceOp::create(builder, loc, view, memory, offsets, sizes,
                             ArrayRef<int64_t>());
}

/// The tiles that the op, or one in it, takes from outside of it.
static llvm::SetVector<Value> findTilesTaken(Operation *op) {
  llvm::SetVector<Value> taken;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *around = operand.getParentRegion()->getParentOp();
      if (isTile(operand) && !op->isAncestor(around))
        taken.insert(operand);
    }
  });
  return taken;
}

/// A lazy tile, made once more.
static Value cloneLazy(OpBuilder &builder, Value tile) {
  Operation *op = tile.getDefiningOp();
  IRMapping mapping;
  if (movesElements(op))
    mapping.map(op->getOperand(0), cloneLazy(builder, op->getOperand(0)));
  return builder.clone(*op, mapping)->getResult(0);
}

namespace {

/// Puts one op after the other into a region of its own.
class RegionBuilder {
public:
  explicit RegionBuilder(pl::ParallelOp loop)
      : start(OpBuilder::atBlockBegin(&loop.getBody().front())) {}

  void run(Operation *op, StringRef why) {
    OpBuilder before(op);
    Location loc = op->getLoc();
    IRMapping mapping;
    // Where they are loaded, in the region.
    SmallVector<std::pair<Value, Value>> windows;
    llvm::SetVector<Value> taken = findTilesTaken(op);
    for (Value tile : taken)
      if (!isLazy(tile))
        windows.push_back({tile, store(before, loc, tile)});
    SmallVector<Type> types;
    SmallVector<Value> memories;
    for (Value result : op->getResults()) {
      if (!isTile(result)) {
        types.push_back(result.getType());
        memories.push_back({});
        continue;
      }
      memories.push_back(makeMemory(start, loc, result));
      for (pl::Dim dim : pl::getDims(result.getType()))
        if (!dim.isExact())
          types.push_back(before.getIndexType());
    }
    auto region = cuda::BlockRegionOp::create(before, loc, types, why);
    OpBuilder inside =
        OpBuilder::atBlockBegin(&region.getBody().emplaceBlock());
    for (Value tile : taken)
      if (isLazy(tile))
        mapping.map(tile, cloneLazy(inside, tile));
    for (auto [tile, window] : windows)
      mapping.map(tile, pl::LoadOp::create(inside, loc, window));
    finish(op, inside, *inside.clone(*op, mapping), memories);
    replace(op, region, memories);
  }

private:
  /// Stores a tile to memory of its own; the window that it is in.
  Value store(OpBuilder &builder, Location loc, Value tile) {
    Value memory = makeMemory(start, loc, tile);
    Value window =
        openWindow(builder, loc, memory, cast<pl::TileType>(tile.getType()),
                   findExtents(builder, loc, tile));
    pl::StoreOp::create(builder, loc, tile, window);
    return window;
  }

  /// What the op has made is stored, and how much it is yielded.
  static void finish(Operation *op, OpBuilder &inside, Operation &made,
                     ArrayRef<Value> memories) {
    Location loc = op->getLoc();
    SmallVector<Value> yielded;
    for (auto [result, memory] : llvm::zip(made.getResults(), memories)) {
      if (!memory) {
        yielded.push_back(result);
        continue;
      }
      auto type = cast<pl::TileType>(result.getType());
      SmallVector<Value> extents = findExtents(inside, loc, result);
      pl::StoreOp::create(inside, loc, result,
                          openWindow(inside, loc, memory, type, extents));
      llvm::append_range(yielded, extents);
    }
    cuda::BlockYieldOp::create(inside, loc, yielded);
  }

  /// After the region its tiles are loaded.
  static void replace(Operation *op, cuda::BlockRegionOp region,
                      ArrayRef<Value> memories) {
    OpBuilder after(op);
    ValueRange values = region.getResults();
    for (auto [result, memory] : llvm::zip(op->getResults(), memories)) {
      auto type = dyn_cast<pl::TileType>(result.getType());
      if (!type) {
        result.replaceAllUsesWith(values.front());
        values = values.drop_front();
        continue;
      }
      size_t count = llvm::count_if(type.getDims(),
                                    [](pl::Dim dim) { return !dim.isExact(); });
      Value window = openWindow(after, op->getLoc(), memory, type,
                                values.take_front(count));
      result.replaceAllUsesWith(
          pl::LoadOp::create(after, op->getLoc(), window));
      values = values.drop_front(count);
    }
    op->erase();
  }

  /// At the beginning of the loop's body.
  OpBuilder start;
};

/// Brings tiles into a loop that are made in front of it.
class TileImporter {
public:
  explicit TileImporter(pl::ParallelOp loop)
      : loop(loop), inside(OpBuilder::atBlockBegin(&loop.getBody().front())) {}

  void run() {
    for (Value tile : findTilesTaken(loop)) {
      Value made = import(tile);
      tile.replaceUsesWithIf(made, [&](OpOperand &use) {
        return loop->isProperAncestor(use.getOwner()) &&
               !imported.contains(use.getOwner());
      });
    }
  }

private:
  /// Computing so much again is cheaper than memory.
  static constexpr unsigned mostOps = 8;

  /// True if the tile is the same when it is made in the loop.
  bool isCheap(Value tile, unsigned &left) {
    Operation *op = tile.getDefiningOp();
    if (!op || left-- == 0)
      return false;
    if (auto load = dyn_cast<pl::LoadOp>(op)) {
      Value root = rootOfView(load.getSource());
      return root && !mayWrite(loop->getParentOfType<func::FuncOp>(), root);
    }
    bool isMade =
        isa<pl::FullOp, pl::ArangeOp, pl::ElementwiseOpInterface>(op) ||
        movesElements(op);
    return isMade && llvm::all_of(op->getOperands(), [&](Value operand) {
             return !isTile(operand) || isCheap(operand, left);
           });
  }

  Value clone(Value tile, IRMapping &mapping) {
    if (Value known = mapping.lookupOrNull(tile))
      return known;
    Operation *op = tile.getDefiningOp();
    for (Value operand : op->getOperands())
      if (isTile(operand))
        clone(operand, mapping);
    Operation *made = inside.clone(*op, mapping);
    imported.insert(made);
    return made->getResult(0);
  }

  Value import(Value tile) {
    IRMapping mapping;
    unsigned left = mostOps;
    if (isCheap(tile, left))
      return clone(tile, mapping);
    Location loc = tile.getLoc();
    OpBuilder outside(tile.getContext());
    outside.setInsertionPointAfterValue(tile);
    Value memory = makeMemory(outside, loc, tile);
    Value window =
        openWindow(outside, loc, memory, cast<pl::TileType>(tile.getType()),
                   findExtents(outside, loc, tile));
    pl::StoreOp::create(outside, loc, tile, window);
    return pl::LoadOp::create(inside, loc, window);
  }

  pl::ParallelOp loop;
  OpBuilder inside;
  llvm::DenseSet<Operation *> imported;
};

} // namespace

void tegula::makeBlockRegions(pl::ParallelOp loop,
                              ArrayRef<VariantRejection> inMemory) {
  TileImporter(loop).run();
  orderReads(loop);
  RegionBuilder regions(loop);
  for (const VariantRejection &op : inMemory)
    regions.run(op.op, op.why);
  // What comes out of regions is in memory that the loop writes.
  orderReads(loop);
}
