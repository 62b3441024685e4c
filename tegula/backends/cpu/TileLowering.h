// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lowers one function of tile programs to linalg on memory. The methods are
/// split into files by group of ops: LowerMemory, LowerTensors,
/// LowerHalfBytes, LowerShapes, LowerReshapeElements, LowerReduce, LowerMatmul,
/// LowerSort, LowerRanks, LowerControl.

#ifndef TEGULA_BACKENDS_CPU_TILELOWERING_H
#define TEGULA_BACKENDS_CPU_TILELOWERING_H

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/LoweringHooks.h"
#include "tegula/backends/cpu/View.h"
#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/transforms/plan/BufferSize.h"
#include "tegula/transforms/plan/TilePlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace tegula::pl {
class AllocWindowOp;
class DispatchOp;
class MatmulIntoOp;
class MeetOp;
class NotifyOp;
class PeerEndOp;
class PeerOp;
class ReshapeElementsOp;
class RequireOp;
class RetypeOp;
class ViewOp;
class WaitOp;
} // namespace tegula::pl

namespace tegula {

/// What is known of a tile: how far it is valid, and where it is, if it has
/// memory. The view may hold wider elements than the tile's type says.
struct Tile {
  Indices extents;
  std::optional<View> view;
};

/// A block of scratch memory: first what is planned, and behind it what
/// generated code needs besides, whose size is known when all is lowered.
struct ScratchFrame {
  mlir::LLVM::CallOp push;
  mlir::scf::IfOp guard;
  /// What is in use here, and the most that was in use anywhere.
  int64_t bytes = 0;
  int64_t mostBytes = 0;
  /// Where an element lies that anything may read and write.
  std::optional<int64_t> harmless;
};

/// What is allocated while this exists is free for others afterwards.
class ScratchScope {
public:
  explicit ScratchScope(ScratchFrame &frame)
      : frame(frame), before(frame.bytes) {}
  ~ScratchScope() { frame.bytes = before; }
  ScratchScope(const ScratchScope &) = delete;
  ScratchScope &operator=(const ScratchScope &) = delete;

private:
  ScratchFrame &frame;
  int64_t before;
};

/// Emits the lowered function beside the original, op by op in program order.
class TileLowering {
public:
  TileLowering(mlir::func::FuncOp source, const CpuOptions &options,
               const TilePlan &plan,
               llvm::SmallVectorImpl<mlir::Attribute> &sites,
               LoweringHooks *hooks = nullptr)
      : source(source), options(options), plan(plan), sites(sites),
        hooks(hooks), builder(source.getContext()) {}

  /// Replaces the function by its lowered form.
  mlir::LogicalResult run();

  // Values.
  /// The lowered form of a scalar.
  mlir::Value scalar(mlir::Value value) const { return scalars.lookup(value); }
  /// The lowered forms of index operands, as constants where they are.
  Indices indices(mlir::ValueRange values) const;
  const Tile &tile(mlir::Value value) const;
  const View &view(mlir::Value tensor) const;
  IndexMath math(mlir::Location loc) { return IndexMath(builder, loc); }

  // Scratch memory.
  /// Opens the frame of the function or loop; what follows is emitted into it
  /// until it is closed.
  ScratchFrame openFrame(mlir::Operation *owner, mlir::Location loc);
  void closeFrame(ScratchFrame &frame, mlir::Location loc);
  /// The memories that are planned for lie in a frame one after the other:
  /// where this one begins, or where all end if it is null.
  int64_t startOf(mlir::Operation *frame, const MachineMemory *memory) const;
  ScratchFrame &currentFrame() { return *frames.back(); }
  /// Memory that only generated code knows of, until the scope ends.
  View allocate(mlir::Location loc, mlir::Type element,
                llvm::ArrayRef<int64_t> shape);
  /// The memory of a planned buffer.
  View bufferView(BufferId buffer, llvm::ArrayRef<int64_t> shape,
                  mlir::Location loc);

  // Elements.
  /// Computes the first `extents` elements of the tile into the view.
  void evaluateInto(mlir::Value tile, View target, Indices extents,
                    mlir::Location loc);
  /// Fills the view with a scalar.
  void fill(View target, mlir::Value number, bool isSigned, mlir::Location loc);
  /// Copies between views of one shape with unit inner strides.
  void copyElements(const View &from, const View &to, mlir::Location loc);
  /// The memory of a tile that is columns of another one as rows, where they
  /// lie.
  std::optional<View> findTransposed(mlir::Value tile) const;
  /// An i1 if the tile is part of an argument that may be large: whether it is
  /// so large that no cache holds it.
  mlir::Value isOutOfCache(mlir::Value tile);
  /// The tile an operand is as memory; computed now if it has none.
  View addressable(mlir::OpOperand &operand, mlir::Location loc);
  /// The same elements with unit inner stride, checked and copied at run time
  /// where it is not known. No extent exceeds its bound.
  View withUnitInnerStride(const View &view, llvm::ArrayRef<int64_t> bounds,
                           mlir::Location loc);
  /// Moves elements between a tile and a tensor of half bytes.
  void loadHalfBytes(const View &target, const View &source, bool isSigned,
                     mlir::Location loc);
  void storeHalfBytes(const View &target, const View &source,
                      mlir::Location loc);
  /// Writes an i4 where the view begins.
  void writeHalfByte(const View &target, mlir::Value element,
                     mlir::Location loc);
  /// The address of scratch memory that holds the numbers.
  mlir::Value storeNumbers(const Indices &numbers, mlir::Location loc);
  /// A view from `base` on of an op's tensor, which has these extents and whose
  /// rows follow each other.
  View rowsFrom(mlir::Value base, mlir::Operation *op, pl::TensorViewType type,
                mlir::ValueRange sizes);
  /// The bytes of a contiguous view as i64, or -1 if they are too many.
  mlir::Value denseBytes(const View &memory, mlir::Location loc);
  /// The planned memory of a tile, the whole of its bounds.
  View destinationOf(mlir::Value tile, mlir::Location loc);

  // Errors of the call.
  /// Reports `kind` where the condition holds.
  void reportIf(mlir::Value condition, int32_t kind, int64_t axis,
                mlir::OpFoldResult index, mlir::OpFoldResult extent,
                mlir::Location loc);
  void reportIf(mlir::Value condition, int32_t kind, int32_t site, int64_t axis,
                mlir::OpFoldResult index, mlir::OpFoldResult extent,
                mlir::Location loc);
  int32_t siteOf(mlir::Location loc);
  int32_t siteOf(const llvm::Twine &text);
  /// The offset, or 0 where it is negative, which is reported.
  mlir::OpFoldResult checkedOffset(mlir::Value offset, int64_t axis,
                                   mlir::Location loc);
  /// Calls a routine of KernelAbi.h.
  mlir::LLVM::CallOp callRuntime(llvm::StringRef name, mlir::Type result,
                                 mlir::ValueRange arguments,
                                 mlir::Location loc);

  // Steps. See LoweringHooks.h, whom nobody may ask to hear of them.
  void noteRead(const View &view);
  void noteWrite(const View &view);
  void noteLoop(llvm::ArrayRef<mlir::OpFoldResult> extents);

  const Placement &getPlacement() const { return plan.placement; }
  mlir::OpBuilder &getBuilder() { return builder; }

private:
  friend class LoopCarry;
  friend class UnitScope;

  // Functions.
  void lowerArguments();
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  /// Chooses among the copies of what is in the block.
  void takeRingSlot(mlir::Block &block);
  mlir::LogicalResult lowerOp(mlir::Operation &op);
  mlir::LogicalResult lowerPlOp(mlir::Operation &op);
  mlir::LogicalResult lowerTileOp(mlir::Operation &op);
  mlir::LogicalResult lowerScalarOp(mlir::Operation &op);

  // Memory ops.
  void lowerBind(pl::BindOp op);
  void lowerRequire(pl::RequireOp op);
  void lowerCreateTensor(pl::CreateTensorOp op);
  void lowerGroup(pl::CreateTensorOp first, const TensorGroup &group);
  mlir::Value bytesOfSlot(llvm::ArrayRef<View> tensors, mlir::Location loc);
  mlir::LLVM::CallOp takeMemory(pl::CreateTensorOp op, mlir::Value bytes,
                                mlir::Value site);
  void putTensor(pl::CreateTensorOp op, View tensor, mlir::Value base,
                 mlir::Value memory);
  /// Spoils memory that holds nothing yet, or nothing any more, if that is
  /// asked for.
  void poison(mlir::Value memory, mlir::Value bytes, mlir::Location loc);
  void poisonAfter(mlir::Operation &op);
  void lowerSlice(pl::SliceOp op);
  void lowerView(pl::ViewOp op);
  /// An element that is there to be read and written where nothing else is.
  View harmlessElement(mlir::Type element, mlir::Location loc);
  View orHarmless(const View &memory, mlir::Value isInside,
                  llvm::ArrayRef<pl::Dim> dims, mlir::Location loc);
  mlir::Value checkExact(pl::Dim dim, mlir::OpFoldResult start,
                         mlir::OpFoldResult whole, int64_t axis,
                         mlir::Location loc);
  /// Calls the routine if `half` is of a sum that several threads may write.
  void lockReduction(mlir::Operation *half, llvm::StringRef routine,
                     mlir::Value tensor);
  void lowerLoad(pl::LoadOp op);
  void lowerStore(pl::StoreOp op);
  void storeInto(mlir::Value tile, const View &target, mlir::Location loc);
  mlir::Value isLarge(pl::StoreOp op);
  /// An i1 that is there before everything else: no cache holds the argument.
  /// Null if one does at any size.
  mlir::Value exceedsCaches(mlir::Value argument);
  void waitForStores(mlir::Location loc);
  void lowerRead(pl::ReadOp op);
  void lowerWrite(pl::WriteOp op);
  View wholeOfWindow(pl::WindowOp op);
  void lowerWindow(pl::WindowOp op);
  /// True where the index lies in the extent; reports where not.
  mlir::Value checkIndex(mlir::OpFoldResult index, int64_t axis,
                         mlir::OpFoldResult extent, mlir::Location loc);
  /// True where every index lies in the extents; reports the first that does
  /// not.
  mlir::Value checkIndices(mlir::ValueRange indices, const Indices &extents,
                           mlir::Location loc);
  /// Copies elements; `room` is what roomForCopy gave.
  void copyStrided(llvm::StringRef routine, const View &target,
                   const View &origin, mlir::Value room, mlir::Location loc);
  void copyRows(const View &target, const View &origin, mlir::Location loc);
  /// Scratch memory for what describes a copy; null where none is needed.
  mlir::Value roomForCopy(int64_t rank, mlir::Location loc);

  // Ops of programs over ranks.
  /// Lowers the op and returns true if it is one of them.
  bool lowerRankOp(mlir::Operation &op);
  void lowerAllocWindow(pl::AllocWindowOp op);
  void lowerRetype(pl::RetypeOp op);
  void lowerPeer(pl::PeerOp op);
  void lowerPeerEnd(pl::PeerEndOp op);
  void lowerNotify(pl::NotifyOp op);
  void lowerWait(pl::WaitOp op);
  void lowerMeet(pl::MeetOp op);
  void lowerDispatch(pl::DispatchOp op);
  mlir::Value signalAt(mlir::Value signal, mlir::ValueRange position,
                       mlir::Location loc);

  // Ops that order elements of memory.
  /// Lowers the op and returns true if it is one of them.
  bool lowerSortOp(mlir::Operation &op);
  void lowerMove(mlir::Operation &op);
  void callOnRows(llvm::StringRef routine, llvm::ArrayRef<View> tensors,
                  unsigned axis, const Indices &numbers, mlir::Location loc);
  mlir::Value describeRows(llvm::ArrayRef<View> tensors, unsigned axis,
                           mlir::Location loc);
  /// Scratch memory for so many numbers, and their way there.
  mlir::Value allocateNumbers(size_t count, mlir::Location loc);
  void storeNumbers(const Indices &numbers, mlir::Value memory,
                    mlir::Location loc);

  // Ops on whole tiles.
  Indices extentsOf(mlir::Operation &op);
  /// The extent of what an op gives along an axis, reported and cut where
  /// arithmetic on data may have made it longer than its type says.
  mlir::OpFoldResult withinBound(mlir::Operation *op, unsigned axis,
                                 mlir::OpFoldResult extent);
  std::optional<View> aliasOf(mlir::Operation &op);
  void materialize(mlir::Operation &op);
  void lowerReduce(pl::ReduceOp op);
  mlir::Operation *findAccumulation(pl::ReduceOp op);
  void lowerMatmul(pl::MatmulOp op);
  void lowerMatmulInto(pl::MatmulIntoOp op);
  /// The matmul by a function that all matmuls of its form share; false if
  /// there is none for it.
  bool multiplyTiles(pl::MatmulOp op, const View &lhs, const View &rhs,
                     const View &sum);
  View matmulOperand(mlir::OpOperand &operand, bool transposed,
                     mlir::Location loc);
  /// The operand in elements of the sum: itself, or a copy that is not planned.
  View widened(mlir::Value value, const View &operand, bool transposed,
               mlir::Type element, mlir::Location loc);
  /// An i1: whether the matmul is added to something.
  mlir::Value whetherItAdds(pl::MatmulOp op);
  void lowerConcat(pl::ConcatOp op);
  void lowerInsert(pl::InsertOp op);
  void lowerFillPad(pl::FillPadOp op);
  void lowerReshape(pl::ReshapeOp op);
  void lowerReshapeElements(pl::ReshapeElementsOp op);

  // Control flow.
  mlir::LogicalResult lowerFor(mlir::scf::ForOp op);
  mlir::LogicalResult lowerWhile(mlir::scf::WhileOp op);
  void endWhenFailed(mlir::scf::WhileOp loop);
  /// From here to the end of the block, loops may be over memory that is there
  /// only if the condition holds.
  void loopsNeed(mlir::Value isThere);
  mlir::Value endIfThere(mlir::Operation *loop, mlir::Value lower,
                         mlir::Value upper);
  mlir::LogicalResult lowerIf(mlir::scf::IfOp op);
  mlir::LogicalResult lowerParallel(pl::ParallelOp op);
  mlir::LogicalResult lowerInOrder(pl::ParallelOp op);
  mlir::LogicalResult lowerSelect(mlir::arith::SelectOp op);
  mlir::LogicalResult lowerLoopBody(mlir::Block &block, bool mayFree,
                                    llvm::function_ref<void()> endIteration);
  /// The types and values a value becomes across a region boundary. The
  /// elements of tiles are in memory and do not take part.
  void flattenType(mlir::Type type, llvm::SmallVectorImpl<mlir::Type> &types);
  void flatten(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &values,
               mlir::Location loc);
  /// Gives `value` its lowered form from the front of `values`; `memory` is
  /// where a tile is.
  void unflatten(mlir::Value value, mlir::ValueRange &values,
                 std::optional<View> memory);
  /// True if the tile was computed where \p other is.
  bool isComputedIn(mlir::Value tile, mlir::Value other) const {
    return plan.placement.getBuffer(tile) == plan.placement.getBuffer(other);
  }
  /// The memories of tiles, none for other values.
  llvm::SmallVector<std::optional<View>> memoriesOf(mlir::ValueRange values,
                                                    mlir::Location loc);

  mlir::func::FuncOp source;
  const CpuOptions &options;
  const TilePlan &plan;
  llvm::SmallVectorImpl<mlir::Attribute> &sites;
  /// Null if nobody wants to hear of steps.
  LoweringHooks *hooks;
  bool isInUnit = false;
  mlir::OpBuilder builder;
  pl::ExactArithmetic arithmetic;
  mlir::func::FuncOp lowered;
  mlir::Value state;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Tile> tiles;
  llvm::DenseMap<mlir::Value, View> views;
  /// Whether the memory that was taken so far is there; null where that is not
  /// in doubt, as in loops that have no iterations otherwise.
  mlir::Value isMemoryThere;
  /// Of arguments that are only stored to: whether that goes past the caches.
  llvm::MapVector<mlir::Value, mlir::Value> large;
  /// Of arguments that are read: whether they are out of cache.
  llvm::DenseMap<mlir::Value, mlir::Value> uncached;
  /// Ops that combine with a tile what was reduced into it already.
  llvm::DenseSet<mlir::Operation *> accumulated;
  llvm::SmallVector<ScratchFrame *> frames;
  /// Which copy of its buffers a run of the block uses.
  llvm::DenseMap<mlir::Block *, mlir::Value> ringSlots;
};

/// True for functions that are called from outside: the others are parts of
/// them by now.
bool isKernel(mlir::func::FuncOp function);

/// Lowers every kernel of the module, as planned for the machine, and removes
/// other functions. The recorder, if there is one, hears of every step.
mlir::LogicalResult lowerTiles(mlir::ModuleOp module, const CpuOptions &options,
                               const MachineModel &machine,
                               LoweringHooks *hooks = nullptr);

/// The type of a scalar in lowered code: integers are signless.
mlir::Type signlessType(mlir::Type type);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_TILELOWERING_H
