// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One core loop while its tiles become registers of threads: what the rules of
/// all ops share. Each family of ops has a file: TileAccesses, TileConversions,
/// TileReductions, TileMatmuls, TileWarpgroups, TileMultiplyAdds.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_TILEDISTRIBUTOR_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_TILEDISTRIBUTOR_H

#include "tegula/backends/codegen/IndexMath.h"
#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/layout/ElementMap.h"
#include "tegula/backends/cuda/layout/SharedTiles.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include <functional>

namespace tegula {

/// What a thread holds of a tile; null for registers beyond it.
struct RegisterTile {
  ElementMap map;
  llvm::SmallVector<mlir::Value> registers;
};

/// Where a tensor view is: an LLVM pointer, strides in elements, and extents.
struct ViewNumbers {
  mlir::Value base;
  mlir::ValueRange strides;
  Indices extents;
};

/// A tile in shared memory that is prefetched one iteration before its use.
struct StagedTile {
  SharedTile shared;
  /// How threads copy it.
  ElementMap map;
  /// Where it is in this iteration: an LLVM pointer.
  mlir::Value start;
};

/// An operand of wgmma in shared memory.
struct SharedOperand {
  /// An LLVM pointer.
  mlir::Value start;
  /// What is summed up lies side by side; else the other axis does.
  bool isInnerContiguous;
  /// From 128 bytes of each row to the next ones.
  int64_t boxBytes;
};

/// An operand of multiply-adds in shared memory.
struct FmaOperand {
  SharedTile shared;
  /// An LLVM pointer.
  mlir::Value start;
  /// The operand, and the tile that lies there, whose elements it has in
  /// another order.
  mlir::Value tile, root;
  mlir::Block *block;
  /// What is kept of shared memory once this is given back; nothing if it is
  /// not the operand's own.
  std::optional<int64_t> kept;
};

/// Bytes of the memory that threads of a block share.
struct SharedLimits {
  int64_t most;
  /// What is prefetched stays there, and has at most so much of it.
  int64_t mostStaged;
  /// Blocks of a multiprocessor that have memory at once.
  int64_t blocks;
};

class LoopStages;

/// Emits the loop as threads run it, next to the original.
class TileDistributor {
public:
  TileDistributor(pl::ParallelOp loop, int64_t warps, SharedLimits limits)
      : builder(loop), loop(loop), warps(warps), limits(limits) {}

  /// The loop that takes the place of the original.
  pl::ParallelOp run();
  /// How much of the memory that threads share it uses.
  int64_t getSharedBytes() const { return sharedBytes; }

  /// What a thread holds of the tile if threads hold it like this.
  RegisterTile get(mlir::Value tile, const ElementMap &map);
  /// The same, in the layout that the op or the value has.
  ElementMap getMap(mlir::Operation *op, mlir::Value tile);
  void set(mlir::Value tile, RegisterTile registers);
  const Indices &getExtents(mlir::Value tile) const {
    return extents.find(tile)->second;
  }
  mlir::Value scalar(mlir::Value value) const {
    return scalars.lookupOrDefault(value);
  }
  /// The scalar as registers have elements: integers are signless.
  mlir::Value element(mlir::Value scalar);
  void emitBlock(mlir::Block &block);

  // Numbers.
  IndexMath math() { return IndexMath(builder, loc); }
  mlir::Value number(int64_t value);
  mlir::Value word(int64_t value);
  /// The i32 extent.
  mlir::Value extentWord(mlir::OpFoldResult extent);
  mlir::Value both(mlir::Value lhs, mlir::Value rhs);
  /// Where register 0 of this thread is along an axis: an i32.
  mlir::Value getThreadPart(const ElementMap &map, unsigned axis);
  /// Where a register is.
  mlir::Value getCoordinate(const ElementMap &map, int64_t number,
                            unsigned axis);
  /// The sum of `values`, one for each bit of the number of the thread that is
  /// set, without carry.
  mlir::Value xorBits(llvm::ArrayRef<int64_t> values);
  /// True if a register is valid along the axes; null if that is sure.
  mlir::Value isValid(const ElementMap &map, int64_t number,
                      llvm::ArrayRef<mlir::OpFoldResult> extents);
  /// True if all registers of all threads are; null if that is sure.
  mlir::Value isWhole(const ElementMap &map,
                      llvm::ArrayRef<mlir::OpFoldResult> extents);
  /// The registers, with `other` where they are not valid.
  RegisterTile mask(RegisterTile tile,
                    llvm::ArrayRef<mlir::OpFoldResult> extents,
                    mlir::Value other);
  /// What `then` gives where the condition holds, and `otherwise` elsewhere.
  using Emit = llvm::function_ref<llvm::SmallVector<mlir::Value>()>;
  llvm::SmallVector<mlir::Value> choose(mlir::Value condition, Emit then,
                                        Emit otherwise);
  /// The number of this thread, and how many a block has.
  mlir::Value getThread();
  int64_t getNumThreads() const { return lanesOfWarp * warps; }
  void wait() { cuda::BarrierOp::create(builder, loc); }
  /// The same, unless all threads have been here since they last touched
  /// memory.
  void waitForMemory();

  /// Bytes of shared memory for one op: an LLVM pointer to where they begin. A
  /// barrier has to come before threads write there.
  mlir::Value takeShared(int64_t bytes, int64_t alignment = 128);
  bool hasShared(int64_t bytes) const {
    return sharedKept + bytes <= limits.mostStaged;
  }
  /// True if so many bytes leave room for the other blocks of a
  /// multiprocessor.
  bool isShareOfBlock(int64_t bytes) const {
    return hasShared(bytes) &&
           sharedKept + bytes <= limits.most / limits.blocks;
  }
  /// True if a multiprocessor has work while this block waits.
  bool hasOtherBlocks() const { return limits.blocks > 1; }
  /// Nothing but what is kept is in use any more, after a barrier.
  void restartShared() { sharedTaken = sharedKept; }
  /// Keeps what was taken last from being taken again, until it is given back.
  int64_t keepShared() { return std::exchange(sharedKept, sharedTaken); }
  void giveShared(int64_t kept) { sharedKept = kept; }
  RegisterTile convert(const RegisterTile &tile, const ElementMap &map);
  /// What this thread wrote to shared memory is there for wgmma, too.
  void showToWarpgroups();
  /// Waits until wgmma has made the accumulators that are in work.
  void awaitWarpgroups();
  /// True if both operands of a matmul have as much of its inner axis.
  static bool areInnerEqual(pl::MatmulOp op);
  /// Waits for all of wgmma, and says that this accumulator is made.
  void awaitTile(mlir::Value tile);
  /// Prefetches of the loop around, which begin when its first matmul has.
  struct Prefetch {
    std::function<void()> emit;
    mlir::Block *body = nullptr;
  };
  Prefetch prefetch;
  void beginPrefetch();

  mlir::OpBuilder builder;
  mlir::Location loc = builder.getUnknownLoc();
  mlir::IRMapping scalars;
  /// Loads of the loops around that are prefetched.
  llvm::DenseMap<mlir::Operation *, StagedTile> staged;
  /// Accumulators that wgmma adds to from one iteration to the next.
  llvm::DenseSet<mlir::Value> inFlight;

private:
  static constexpr int64_t lanesOfWarp = 32;

  struct Made {
    mlir::Value tile;
    mlir::Block *block;
    RegisterTile registers;
  };

  void emitOp(mlir::Operation &op);
  void emitFor(mlir::scf::ForOp op);
  mlir::ValueRange emitLoop(mlir::scf::ForOp op, LoopStages &stages,
                            mlir::ValueRange inits);
  void emitInOrder(pl::ParallelOp op);
  void emitIf(mlir::scf::IfOp op);
  void emitRegion(cuda::BlockRegionOp op);
  void emitTile(mlir::Operation &op);
  void emitElementwise(mlir::Operation &op);
  void emitFillPad(pl::FillPadOp op);
  void emitReduce(pl::ReduceOp op);
  void emitMatmul(pl::MatmulOp op);
  void emitSharedOperand(cuda::ConvertLayoutOp op);
  void emitFmaOperand(cuda::ConvertLayoutOp op);
  RegisterTile multiplyAdd(pl::MatmulOp op, RegisterTile acc);
  RegisterTile maskInner(pl::MatmulOp op, unsigned number, RegisterTile tile);
  RegisterTile maskSource(cuda::ConvertLayoutOp op, const RegisterTile &tile,
                          const ElementMap &map);
  bool clearInner(cuda::ConvertLayoutOp op, mlir::Value root,
                  const StagedTile &tile);
  RegisterTile getOperand(pl::MatmulOp op, unsigned number);
  void emitLoad(pl::LoadOp op);
  void emitDim(pl::DimOp op);
  void emitStore(pl::StoreOp op);
  void emitConvert(cuda::ConvertLayoutOp op);

  bool isWrittenBefore(mlir::Operation *read);
  bool isInOneThread(const ElementMap &map) const;
  bool hasLoadedOwn(mlir::Operation *read, pl::StoreOp store);
  bool isTouchedBefore(pl::StoreOp store);
  bool isZeroBeyond(mlir::Value tile, const ElementMap &map,
                    unsigned axis) const;
  void setExtents(mlir::Operation &op);
  mlir::OpFoldResult emitRule(const pl::ExtentRule &rule);
  void flatten(mlir::Value tile, mlir::Value target, const ElementMap &map,
               llvm::SmallVectorImpl<mlir::Value> &values);
  void unflatten(mlir::Value tile, const ElementMap &map,
                 mlir::ValueRange &values);
  /// Of what a loop carries.
  static ElementMap getMap(mlir::scf::ForOp loop, size_t position);
  llvm::SmallVector<mlir::Value> flattenAll(mlir::scf::ForOp loop,
                                            mlir::ValueRange values);
  void unflattenAll(mlir::scf::ForOp loop, mlir::ValueRange values,
                    mlir::ValueRange flat);
  RegisterTile move(mlir::Operation &op, const ElementMap &map);
  /// Makes a lazy tile.
  RegisterTile make(mlir::Value tile, const ElementMap &map);
  RegisterTile makeArange(pl::ArangeOp op, const ElementMap &map);
  RegisterTile load(pl::LoadOp op, const ElementMap &map);
  const RegisterTile *findMade(mlir::Value tile, const ElementMap &map) const;

  pl::ParallelOp loop;
  int64_t warps;
  SharedLimits limits;
  mlir::Value thread, shared;
  cuda::SharedMemoryOp sharedOp;
  int64_t sharedTaken = 0, sharedKept = 0, sharedBytes = 0;
  llvm::DenseMap<mlir::Value, RegisterTile> tiles;
  llvm::DenseMap<mlir::Value, Indices> extents;
  llvm::DenseMap<mlir::Operation *, ViewNumbers> views;
  std::vector<Made> made;
  llvm::DenseMap<mlir::Value, SharedOperand> operands;
  llvm::DenseMap<mlir::Value, FmaOperand> fmaOperands;
  /// Operands that are zero in shared memory where the other one ends.
  llvm::DenseSet<mlir::Value> cleared;
  /// Operands that are zero in registers where one of them ends.
  llvm::DenseSet<mlir::Value> masked;
  /// Tiles whose registers wgmma may not have written yet.
  llvm::SmallVector<mlir::Value> unfinished;
};

/// The tile as it was before it got another layout.
mlir::Value sourceOf(mlir::Value tile);

/// What the threads of a block combine along an axis.
RegisterTile reduceRegisters(TileDistributor &distributor, pl::ReduceOp op,
                             RegisterTile tile, const ElementMap &result);

/// The accumulators of mma.sync after a matmul.
RegisterTile multiplyRegisters(TileDistributor &distributor,
                               const RegisterTile &lhs, const RegisterTile &rhs,
                               RegisterTile acc, mlir::Type element);

/// The same by wgmma, which goes on in the background. The lhs is in registers
/// if it is not in shared memory.
RegisterTile multiplyByWarpgroups(TileDistributor &distributor,
                                  const RegisterTile &lhs,
                                  std::optional<SharedOperand> sharedLhs,
                                  const SharedOperand &rhs, RegisterTile acc,
                                  int64_t inner, mlir::Type element);
/// Registers of an accumulator that are in work -> when it is made.
void awaitAccumulator(TileDistributor &distributor, RegisterTile &acc);

/// Makes rows of a tile in shared memory zero, from one to before another.
void clearRows(TileDistributor &distributor, const SharedTile &shared,
               mlir::Value start, mlir::Value from, mlir::Value to);

/// What tiles of such elements have in shared memory.
mlir::Type typeInShared(mlir::Type element);
/// A tile in shared memory, from `start` on. There has to be a barrier before
/// and after. `moved` is a number of bytes that where elements are differs by,
/// bit by bit.
RegisterTile readShared(TileDistributor &distributor, const SharedTile &shared,
                        mlir::Type element, mlir::Value start,
                        const ElementMap &map, mlir::Value moved = {});
void writeShared(TileDistributor &distributor, const SharedTile &shared,
                 mlir::Value start, const RegisterTile &tile);

/// A tensor view, whose lowered form this is.
ViewNumbers unpackView(TileDistributor &distributor, pl::TensorViewType type,
                       mlir::Value view);
/// Copies elements of a view to shared memory, zero where it has none, by
/// `cp.async` where it can.
void copyToShared(TileDistributor &distributor, const ViewNumbers &view,
                  mlir::Type element, const StagedTile &tile,
                  mlir::Value start);
/// Elements of a view; zero where it has none.
RegisterTile loadRegisters(TileDistributor &distributor,
                           const ViewNumbers &view, mlir::Type element,
                           const ElementMap &map);
void storeRegisters(TileDistributor &distributor, const ViewNumbers &view,
                    llvm::ArrayRef<mlir::OpFoldResult> extents,
                    mlir::Type element, const RegisterTile &tile);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_TILEDISTRIBUTOR_H
