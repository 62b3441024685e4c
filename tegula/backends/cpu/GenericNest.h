// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loops over vectors that a linalg.generic on memory becomes.

#ifndef TEGULA_BACKENDS_CPU_GENERICNEST_H
#define TEGULA_BACKENDS_CPU_GENERICNEST_H

#include "tegula/backends/codegen/View.h"
#include "tegula/backends/cpu/CollapseContiguous.h"
#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/backends/cpu/LoopRanges.h"
#include "tegula/backends/cpu/ParallelWork.h"
#include "tegula/backends/cpu/RowPartials.h"
#include "tegula/backends/cpu/StridedStaging.h"

namespace tegula {

/// One linalg.generic. The last loop is walked in vectors; loops that reduce
/// are inside it unless it is the one that reduces.
class GenericNest {
public:
  GenericNest(mlir::linalg::GenericOp op, unsigned vectorBits)
      : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
        numLoops(op.getNumLoops()), kinds(op.getIteratorTypesArray()),
        lanes(lanesFor(vectorBits)), body(builder, op, lanes),
        hasMaskRegisters(vectorBits == 512), indices(numLoops),
        combiner(Combiner::of(op)), staged(builder, loc) {
    hasHalves = canHalve(vectorBits);
    isLight = canBeLight(vectorBits);
  }

  mlir::LogicalResult emit();

private:
  /// True for a reduction whose combiner was folded into something else, as in
  /// `before + (x - x)` or `before + x * -1`. Also without a loop that reduces:
  /// an axis of one element needs none.
  bool isFolded() {
    bool readsTarget = op.getNumReductionLoops() != 0 ||
                       !op.getRegionOutputArgs().front().use_empty();
    return readsTarget && !Combiner::of(op);
  }
  bool isReduction(unsigned loop) const {
    return kinds[loop] == mlir::utils::IteratorType::reduction;
  }
  /// True for operands that only say how long loops are.
  bool isUnused(mlir::OpOperand &operand) {
    return op.isDpsInput(&operand) &&
           op.getMatchingBlockArgument(&operand).use_empty();
  }
  bool isStepped(mlir::OpOperand &operand) {
    mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    return numLoops != 0 && map.isFunctionOfDim(numLoops - 1);
  }

  /// As many elements as the widest operand has in a register. Narrow floats
  /// count as FP32, in which they are computed. One, if some operand cannot be
  /// read by the vector.
  int64_t lanesFor(unsigned vectorBits);

  /// True if rows of the operand are read inside the loop over vectors.
  bool isReadAcross(mlir::OpOperand &operand);

  /// True if it pays to have the ends of rows in vectors half as long, where
  /// they fit: these are read and written in less time, above all where a whole
  /// one would cross lines of the cache. Rows that are one row end but once.
  bool canHalve(unsigned vectorBits);

  /// True if so little is computed of an element that only memory counts.
  /// Processors with long vectors read and write far caches somewhat faster
  /// with short ones, and near ones as fast.
  bool canBeLight(unsigned vectorBits);

  /// True if an element takes so many quick instructions at most.
  bool isQuick(int64_t mostOps);
  /// What is written out several times.
  static constexpr int64_t mostQuickOps = 8;

  /// Rows that may have gaps are read and written by way of a buffer.
  void stageRows();

  /// The loops, unless memory is missing.
  void emitNest();

  /// The loops from this one on: all iterations at once where rows have no
  /// gaps, as the strides of a call tell, else a chunk of one row at a time.
  void emitStagedChunks(unsigned position);

  /// Both variants of a nest, of which one is seldom used.
  void emitUnlessSeldom(mlir::Value condition, llvm::function_ref<void()> often,
                        llvm::function_ref<void()> seldom);

  /// True if there are loops of their own for stores past the caches.
  bool canStream() {
    return streams && !combiner && staged.isRow(*op.getDpsInitOperand(0));
  }
  void emitStreamed();

  /// An i1: stores go to the caches.
  mlir::Value areStoresNear();

  /// An i1: rows are so short that they are better kept in the caches.
  mlir::Value areRowsInCache();

  /// Makes one loop of the last two where all rows lie one after the other.
  void flatten();

  mlir::OpFoldResult extentOf(unsigned loop) const { return extents[loop]; }
  mlir::OpFoldResult beginOf(unsigned loop) const { return ranges[loop].first; }
  mlir::OpFoldResult endOf(unsigned loop) const { return ranges[loop].second; }

  llvm::SmallVector<mlir::Value> indicesOf(mlir::OpOperand &operand);

  /// `body` returns what is carried to the next iteration.
  mlir::scf::ForOp
  loop(mlir::OpFoldResult from, mlir::OpFoldResult to, int64_t step,
       unsigned position, mlir::ValueRange carried,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>
           body) {
    return loop(from, to, math.constant(step), position, carried, body);
  }
  mlir::scf::ForOp
  loop(mlir::OpFoldResult from, mlir::OpFoldResult to, mlir::OpFoldResult step,
       unsigned position, mlir::ValueRange carried,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>
           body);

  /// Rows that are combined with each other go a few at a time.
  void emitBlocks();

  /// True if whole rows are combined with each other.
  bool combinesRows() const {
    return combiner && lanes > 1 && numLoops == 2 && isReduction(0) &&
           !isReduction(1);
  }

  /// So many rows in each iteration, up to `to`. Where they are out of cache,
  /// the next ones are prefetched: each is a page or so, and processors look
  /// no further by themselves.
  void emitFewRows(mlir::OpFoldResult to, int64_t count);

  /// All rows, for several vectors at a time: combining one waits for the one
  /// before. Returns where those begin that are too few for that.
  mlir::OpFoldResult emitStrips(mlir::OpFoldResult from, mlir::OpFoldResult to);

  /// The rows of one iteration, for one vector.
  mlir::Value combineFewRows(mlir::Value before, mlir::Value mask);

  /// Prefetches what one vector needs of the rows of the next iteration.
  void prefetchNextRows();

  /// Loops around the vector: all that do not reduce, in order.
  void emitOuter(unsigned position);

  /// Where the row of an operand begins that an iteration of the loop over rows
  /// walks, if how far it is from row to row is not known before the call.
  struct RowPointer {
    mlir::OpOperand *operand;
    /// An LLVM pointer.
    mlir::Value pointer;
    /// Bytes from this row to the next.
    mlir::Value step;
    /// Bytes from this row to the one that is prefetched; null if none
    /// is.
    mlir::Value toPrefetched;
  };

  /// Memory of the row of an operand in this iteration.
  struct CurrentRow {
    mlir::Value memory;
    /// An LLVM pointer to the row that is prefetched; null if none is.
    mlir::Value prefetched;
  };

  /// The loop over rows. Pointers go from row to row: products of places and
  /// strides take more registers than there are, and short rows notice.
  void emitRows(unsigned position);

  /// The rows of this iteration that the loop walks.
  llvm::SmallVector<RowPointer> findRows(unsigned position);

  /// How far it is, by so many bytes a row, to the row that the next iteration
  /// of a loop around reads where this one reads this; 0 where that is cached,
  /// or would not stay in a cache until then. Null if it may be in a cache.
  mlir::Value bytesToPrefetched(mlir::OpOperand &operand, mlir::Value step,
                                unsigned loop);

  /// Prefetches what one vector of the operand needs in the next iteration.
  void prefetchNext(mlir::OpOperand &operand, mlir::Value row);

  /// So many elements in bytes, for a loop that walks something.
  mlir::Value stepOf(mlir::OpFoldResult stride, mlir::Type element,
                     unsigned loop);

  mlir::Value memoryOf(const RowPointer &row);
  mlir::Value prefetchedOf(const RowPointer &row);

  /// A row of vectors.
  void emitRow(llvm::ArrayRef<RowPointer> rows);

  /// All loops in order, and the body as it is.
  void emitByElement(unsigned position);

  /// Elements that stay the same along the vector are read once before it.
  void preloadUniform();

  /// The rest of the vector's loop, once, with a mask of what is left.
  void emitTail(mlir::OpFoldResult from, mlir::OpFoldResult extent);

  /// While `emit` runs, vectors are half as long.
  void inHalves(llvm::function_ref<void()> emit);

  /// What `emitShort` makes where half a vector holds what is `left`, else what
  /// `emitLong` makes: a value of the type, if there is one.
  mlir::Value inHalvesIfShort(mlir::OpFoldResult left, mlir::Type type,
                              llvm::function_ref<mlir::Value()> emitLong,
                              llvm::function_ref<mlir::Value()> emitShort);

  void emitInner(mlir::OpFoldResult from, mlir::OpFoldResult to);

  /// Long rows in two ranges, of which the first ends where a vector of the
  /// target is aligned: what crosses lines of the cache takes twice as long.
  void emitAligned(mlir::OpFoldResult from, mlir::OpFoldResult to);

  /// Aligned vectors past the caches, and what is before and after them.
  void emitPastCaches(mlir::OpFoldResult from, mlir::OpFoldResult to) {
    mlir::OpFoldResult middle = math.add(from, elementsToAlignment(from));
    emitTail(from, middle);
    emitVectors(middle, to);
  }

  mlir::OpFoldResult elementsToAlignment(mlir::OpFoldResult from) {
    mlir::OpOperand &target = *op.getDpsInitOperand(0);
    indices[numLoops - 1] = math.value(from);
    return staged.elementsToAlignment(target, indicesOf(target), lanes);
  }

  void emitVectors(mlir::OpFoldResult from, mlir::OpFoldResult to);

  mlir::Value read(mlir::OpOperand &operand, mlir::Value mask);

  /// The memory of an operand and the indices into it, in this iteration.
  std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>
  elementAt(mlir::OpOperand &operand);

  void write(mlir::Value value, mlir::Value mask);

  llvm::Align alignmentOfVectors() {
    mlir::Type element =
        mlir::getElementTypeOrSelf(op.getDpsInitOperand(0)->get());
    return llvm::Align(lanes * element.getIntOrFloatBitWidth() / 8);
  }

  /// What the body makes of the inputs here: the value to store, or the
  /// element to combine.
  mlir::Value compute(mlir::Value mask);

  /// All elements of one vector of the target, the loops that reduce included.
  void emitChunk(mlir::Value mask);

  mlir::Value emitReducing(unsigned position, mlir::Value before,
                           mlir::Value mask);

  /// Whole vectors, as many at once as there are partial results, of which one
  /// is left.
  RowPartials::Carried emitPartials(mlir::OpFoldResult from,
                                    mlir::OpFoldResult to, int64_t count,
                                    mlir::ValueRange before);

  /// The lanes of this vector that lie before `to`: one at least, and fewer
  /// than 64.
  mlir::Value maskUntil(mlir::OpFoldResult to);

  /// Adds the last vector of a row, which may be half as long.
  RowPartials::Carried combineLast(mlir::OpFoldResult to,
                                   mlir::ValueRange carried);

  /// A whole vector of which the first half is computed.
  mlir::Value computeHalf(mlir::OpFoldResult to);

  /// What `emit` makes of a range if it has elements, else what there was
  /// `before`.
  RowPartials::Carried ifAny(mlir::OpFoldResult from, mlir::OpFoldResult to,
                             mlir::ValueRange before,
                             llvm::function_ref<RowPartials::Carried()> emit);

  void emitInnerReduction(mlir::OpFoldResult from, mlir::OpFoldResult to);

  void storeReduced(mlir::OpOperand &target, mlir::ValueRange total);

  mlir::linalg::GenericOp op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  unsigned numLoops;
  llvm::SmallVector<mlir::utils::IteratorType> kinds;
  int64_t lanes;
  VectorBody body;
  /// True where masks are bits in registers of their own.
  bool hasMaskRegisters;
  /// The iterations of each loop, and those of them that are done here.
  Indices extents;
  llvm::SmallVector<std::pair<mlir::OpFoldResult, mlir::OpFoldResult>> ranges;
  llvm::SmallVector<mlir::Value> indices;
  /// Which iterations of the first loop are done here, if it reduces.
  std::pair<mlir::OpFoldResult, mlir::OpFoldResult> reduced;
  /// How many rows are combined in an iteration, if their number is known.
  int64_t rowsPerIteration = 0;
  /// An i1: whether one of the operands that rows are read from is so large
  /// that no cache has it. Null if none ever is.
  mlir::Value isOutOfCache;
  /// Those operands.
  llvm::SmallVector<mlir::OpOperand *> uncached;
  bool prefetchesNextRows = false;
  llvm::SmallVector<mlir::Value> uniform;
  /// The rows that pointers go along, by operand; null for others.
  llvm::SmallVector<CurrentRow> rowOf;
  std::optional<Combiner> combiner;
  std::optional<RowPartials> partials;
  /// True if ends of rows may be in vectors half as long.
  bool hasHalves = false;
  /// True if vectors are half as long where the loops are collapsed.
  bool isLight = false;
  /// An i1: whether stores go past the caches. Null if they never do.
  mlir::Value streams;
  StridedStaging staged;
  /// True while those are emitted that store past the caches.
  bool isStreamed = false;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_GENERICNEST_H
