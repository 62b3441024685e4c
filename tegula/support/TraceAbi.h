// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a compiled kernel tells an NPU simulator: the stream of its tile
/// operations, as plain C structs. A kernel is work items that can run in any
/// order, on any number of cores; each is a stream that is pulled chunk by
/// chunk, so nothing is ever held whole.

#ifndef TEGULA_SUPPORT_TRACEABI_H
#define TEGULA_SUPPORT_TRACEABI_H

#include "tegula/support/KernelAbi.h"

extern "C" {

/// Changes when anything below does; a kernel of another version is refused.
enum { TegulaTraceVersion = 5 };

/// What an operation is, and so which unit of the core runs it.
enum TegulaTraceKind : uint8_t {
  /// Memory to scratchpad: `planes` times `rows` rows of `rowBytes` bytes.
  TegulaTraceLoad = 0,
  /// Scratchpad to memory.
  TegulaTraceStore = 1,
  /// `depth` x `columns` weights into a slot of the arrays: of a matmul that
  /// has more folds than there are arrays, those of the first ones. The others
  /// load while it runs.
  TegulaTraceLoadWeights = 2,
  /// `rows` x `depth` times `depth` x `columns`.
  TegulaTraceMultiply = 3,
  /// `rows` x `columns` results from the accumulators to the scratchpad.
  TegulaTraceReadOut = 4,
  /// A region on the vector units: `formula` at `rows` x `columns` elements.
  TegulaTraceVector = 5,
  /// Nothing after it starts before everything before it, in this work item
  /// and earlier ones of the core, is done.
  TegulaTraceBarrier = 6,
  /// Nothing after it starts before the operation before it is done: the scalar
  /// unit needs its result.
  TegulaTraceAwait = 7,
  /// A signal of a rank is changed by `rows`, or becomes that, once all before
  /// it is done.
  TegulaTraceNotify = 8,
  /// Nothing after it starts before a signal of this rank is `rows`, or more.
  TegulaTraceWait = 9,

  // No operations, but what compiled code says besides.
  /// Bytes go from the arrays' memories to that of vector units, or back: a
  /// store and a load.
  TegulaTraceHandover = 15,
  /// A work item begins, one of those that were launched; or the last of them
  /// has ended.
  TegulaTraceItemBegins = 16,
  TegulaTraceItemsEnd = 17,
  /// A tensor was made: its address and its bytes.
  TegulaTraceTensorMade = 18
};

/// Bits of TegulaTraceOp::flags.
enum TegulaTraceFlag : uint8_t {
  /// A matmul is added to what its output range holds.
  TegulaTraceAccumulate = 1,
  /// A matmul takes the oldest weights that were loaded and not yet used,
  /// instead of loading its own.
  TegulaTraceWeightsLoaded = 2,
  /// A signal becomes what it would else be changed by.
  TegulaTraceSet = 4,
  /// A signal has to be what is waited for, and not more.
  TegulaTraceEqual = 8
};

/// The memories of a core.
enum TegulaTraceSpace : uint8_t {
  TegulaTraceScratchpad = 0,
  TegulaTraceAccumulator = 1,
  TegulaTraceVectorScratchpad = 2,
  /// Not a core's, but the part of memory in which its arrays and its vector
  /// units hand tiles over. A store writes a range of it and a load reads it;
  /// where it lies in memory is each core's own affair, `base` counts from
  /// there.
  TegulaTraceShared = 3
};

/// Bytes of one of the memories of a core.
struct TegulaTraceRange {
  uint32_t begin;
  uint32_t size;
  uint8_t space;  ///< a TegulaTraceSpace
  uint8_t isLast; ///< of a read: nobody reads these bytes again
  uint16_t reserved;
};

/// One tile operation. What a kind does not use is zero.
struct TegulaTraceOp {
  uint8_t kind;      ///< a TegulaTraceKind
  uint8_t flags;     ///< TegulaTraceFlag bits
  uint8_t numReads;  ///< used entries of `reads`
  uint8_t numWrites; ///< used entries of `writes`
  int32_t line;      ///< of the source
  int32_t tensor;    ///< of a transfer: an index into the kernel's tensors
  int32_t formula;   ///< of a vector region: an index into its formulas
  int32_t tile[3];   ///< coordinates, for reports
  int32_t rows;
  int32_t columns;
  int32_t depth;
  int64_t base;       ///< of a transfer: the address of its first byte; of a
                      ///< signal: which of its rank's it is
  int64_t pitch;      ///< bytes from row to row
  int64_t planePitch; ///< bytes from plane to plane
  int32_t planes;
  int32_t rowBytes;
  struct TegulaTraceRange reads[8];
  struct TegulaTraceRange writes[2];
  /// Of a transfer: 1 + the rank whose memory it is from or to, 0 if that is
  /// the rank's own. Of a notify: 1 + the rank, 0 for all.
  int32_t peer;
};

/// What a vector region costs at any extents. Either lanes take its elements,
/// or a loop that was timed goes over each row.
struct TegulaTraceFormula {
  const char *name;
  int32_t ops;               ///< plain operations per element
  int32_t specials;          ///< exp, division and the like per element
  int32_t rowCycles;         ///< once per row, such as the end of a reduction
  int32_t fillCycles;        ///< once
  int32_t iterationElements; ///< of the timed loop: elements of one iteration;
                             ///< else 0
  int32_t iterationCycles;   ///< of the timed loop: cycles of one iteration
};

/// Where a work item's stream stands: the kernel's to use, the caller's to
/// keep.
struct TegulaTraceCursor {
  int64_t position[12]; ///< zero when a work item starts
  int64_t kept[32]; ///< handed on from item to item on one core, zero at first
};

/// What an operation is pushed with, in this order. After these come the
/// ranges it reads and then those it writes, three numbers each (space, begin,
/// size), and then
///   of a transfer: address, bytes of an element (0 if it is half a byte, whose
///     address is that of HalfBytes.h), rank, sizes, strides in elements;
///   of a handover: its bytes;
///   of a matmul: rows, columns, depth, 1 if it accumulates, 1 if its first
///     weights are loaded before it;
///   of loaded weights: rows, columns and depth of their matmul;
///   of a vector region: formula, rows, columns.
enum TegulaTraceNumbers {
  TegulaTraceLine = 0,
  TegulaTraceTile = 1, ///< three coordinates
  TegulaTraceNumReads = 4,
  TegulaTraceNumWrites = 5,
  TegulaTraceRanges = 6
};

/// Which routine of RanksAbi.h is asked.
enum TegulaTraceQuestion : int32_t {
  TegulaTraceRank = 0,
  TegulaTraceRankCount = 1,
  TegulaTraceWindowAllocate = 2,
  TegulaTraceSharedAllocate = 3,
  TegulaTracePeerBegin = 4,
  TegulaTraceNotifies = 5,
  TegulaTraceWaits = 6,
  TegulaTraceMeet = 7,
  TegulaTraceDispatchBegin = 8,
  TegulaTraceDispatchEnd = 9,
  /// Of KernelAbi.h, where a reshape must be of the same memory.
  TegulaTraceReshapeView = 10
};

struct TegulaTraceCall;

/// Pushes the operations of work item `index`.
typedef void (*TegulaTraceItem)(const int64_t *captured, int64_t index,
                                struct TegulaTraceCall *call);

/// A kernel at given extents.
struct TegulaTraceKernel {
  uint32_t version; ///< TegulaTraceVersion
  const char *name;
  void *context; ///< first argument of the functions
  /// Phases follow each other: none starts before the last has ended. Starts
  /// one, the first being 0, and says how many work items it has; -1 if there
  /// is none.
  int64_t (*startPhase)(void *context, int64_t phase);
  /// Writes the next operations of a work item, `capacity` at most, and says
  /// how many; 0 when there are no more.
  int32_t (*next)(void *context, int64_t phase, int64_t item,
                  struct TegulaTraceCursor *cursor, struct TegulaTraceOp *ops,
                  int32_t capacity);
  const struct TegulaTraceFormula *formulas;
  int32_t numFormulas;
  const char *const *tensors; ///< their names
  int32_t numTensors;
  /// Makes it what rank `rank` of `count` does, from the next phase 0 on; null
  /// if it can only be what the one rank there is does.
  void (*setRank)(void *context, int64_t rank, int64_t count);
};

/// What compiled code that pushes its operations is called with instead of the
/// state alone. It never returns in between: whoever calls it gives it a stack
/// of its own.
struct TegulaTraceCall {
  struct TegulaCallState state;
  /// Takes one operation. The numbers are those of TegulaTraceNumbers.
  void (*emit)(struct TegulaTraceCall *call, int32_t kind,
               const int64_t *numbers);
  /// `count` work items that can run in any order, as a phase of their own;
  /// the numbers are copied. Without an item, code that runs while it tells
  /// goes through them itself.
  void (*launch)(struct TegulaTraceCall *call, TegulaTraceItem item,
                 const int64_t *captured, int64_t numCaptured, int64_t count);
  /// Addresses for a tensor that the kernel makes.
  void *(*allocate)(struct TegulaTraceCall *call, int64_t bytes);
  /// Does what a routine of RanksAbi.h does, a TegulaTraceQuestion, as far as
  /// it can be without data. The numbers are the line, and then the routine's
  /// arguments without the state.
  int64_t (*ask)(struct TegulaTraceCall *call, int32_t question,
                 const int64_t *numbers);
  /// TegulaTraceCursor::kept of the core that this runs on.
  int64_t *counters;
};

} // extern "C"

#endif // TEGULA_SUPPORT_TRACEABI_H
