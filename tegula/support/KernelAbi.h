// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What generated code and its callers agree on: the call, the state it
/// reports errors in, and the C routines it calls. The routines are defined in
/// tegula/launch/routines/KernelSupport.cpp.

#ifndef TEGULA_SUPPORT_KERNELABI_H
#define TEGULA_SUPPORT_KERNELABI_H

#include <cstdint>

extern "C" {

/// What went wrong during a call.
enum TegulaErrorKind : int32_t {
  TegulaNoError = 0,
  /// `pl.read` or `pl.write` outside the extents: `index` is not in
  /// [0, `extent`).
  TegulaIndexOutOfRange = 1,
  /// A window starts at a negative `index`.
  TegulaNegativeOffset = 2,
  /// `index` bytes could not be had; -1 if the number does not fit.
  TegulaOutOfMemory = 3,
  /// The step of a loop is `index` and should be positive.
  TegulaStepNotPositive = 4,
  /// `index` elements were to be seen in a shape of `extent` elements.
  TegulaWrongCount = 5,
  /// Memory that may be written was to be seen in a shape that its strides do
  /// not allow.
  TegulaMemoryHasGaps = 6,
  /// A pl.require does not hold. The site has the words for it, where `%0` is
  /// `index` and `%1` is `extent`.
  TegulaUnmetRequirement = 7,
  /// Rank `index` ended, or was ended, while others needed it.
  TegulaRankLost = 8,
  /// Rank `index` reported an error, and nobody waits for it any more.
  TegulaRankFailed = 9,
  /// Rank `index` is at the site `extent` where all should be at this one.
  TegulaRanksDisagree = 10,
  /// What was waited for did not come in `index` seconds.
  TegulaWaitedTooLong = 11,
  /// Memory of this rank that no other can reach was to be used in another.
  TegulaNotAWindow = 12,
  /// There is no rank `index` among `extent`.
  TegulaNoSuchRank = 13,
  /// Ranks could not reach each other; `index` is the error of the library that
  /// carries messages.
  TegulaTransportFailed = 14,
  /// A device, or what drives it, failed; DeviceFailure.h knows how.
  TegulaDeviceFailed = 15
};

/// The first error of one call. Zeroed by the caller before the call.
struct TegulaCallState {
  int32_t error; ///< a TegulaErrorKind
  int32_t site;  ///< which location in the kernel: an index into its sites
  int32_t axis;  ///< the axis of `index`
  int32_t reserved;
  int64_t index;
  int64_t extent;
};

/// A compiled kernel. `slots` holds, per parameter in order: of a tensor the
/// data pointer, the sizes and the strides (in elements); of a scalar one slot
/// with its bits low.
typedef void (*TegulaKernel)(const int64_t *slots, TegulaCallState *state);

/// Reserves scratch memory of this thread, aligned to 64 bytes, until the
/// matching pop. Null if there is not enough memory.
void *tegulaScratchPush(int64_t bytes);

/// Gives back what the push that returned `block`, and everything after it,
/// reserved.
void tegulaScratchPop(void *block);

/// As tegulaScratchPush, but reports failure in `state` and then returns null.
/// A negative size is one that overflowed. Given back with the push before it.
void *tegulaScratchAllocate(int64_t bytes, TegulaCallState *state,
                            int32_t site);

/// Fills memory that holds nothing with NaN, and -1 where integers were. Null,
/// or a negative size, is left alone.
void tegulaPoison(void *memory, int64_t bytes);

/// Iterations of a parallel loop, from `first` to before `last`; `context` is
/// what they need.
typedef void (*TegulaLoopBody)(void *context, int64_t first, int64_t last);

/// How many threads the iterations of a loop may have, this one included.
int32_t tegulaCountThreads(void);

/// Does iterations 0 to `count` on this thread and on those that come to help
/// it, `threads` at most, a few at a time. All are done when it returns.
void tegulaParallelFor(TegulaLoopBody run, void *context, int64_t count,
                       int32_t threads);

/// Waits until no other thread adds to the tensor that begins here, and keeps
/// others waiting until the matching call of the other one. No thread waits
/// while it keeps others waiting.
void tegulaLockReduction(const void *tensor);
void tegulaUnlockReduction(const void *tensor);

/// Copies a strided tile to contiguous rows: element (i, j, ...) of `source`
/// goes to `target[i * targetStrides[0] + ...]`. `shape` holds `rank` sizes,
/// then the strides of the target, then those of the source, in elements.
void tegulaPackTile(void *target, const void *source, int64_t rank,
                    const int64_t *shape, int64_t elementBytes);

/// The same copy, named for the other direction: `target` is the strided view.
void tegulaUnpackTile(void *target, const void *source, int64_t rank,
                      const int64_t *shape, int64_t elementBytes);

/// The same for up to two axes: element (i, j) of `rows` times `columns`.
void tegulaCopyRows(void *target, const void *source, int64_t rows,
                    int64_t columns, int64_t targetRow, int64_t targetColumn,
                    int64_t sourceRow, int64_t sourceColumn,
                    int64_t elementBytes);

/// The same for rows that are columns of the source; they go past the caches if
/// `isLarge`, where they lie so that this pays.
void tegulaTransposeRows(void *target, const void *source, int64_t rows,
                         int64_t columns, int64_t targetRow,
                         int64_t targetColumn, int64_t sourceRow,
                         int64_t sourceColumn, int64_t elementBytes,
                         int32_t isLarge);

/// Takes 4-bit elements of a tensor apart into bytes, sign-extended if they are
/// signed. `source` is the address of a half byte (HalfBytes.h), otherwise as
/// tegulaPackTile.
void tegulaLoadHalfBytes(void *target, void *source, int64_t rank,
                         const int64_t *shape, int32_t isSigned);

/// Puts the low halves of bytes together in a tensor. `target` is the address
/// of a half byte. Halves next to them keep what they hold.
void tegulaStoreHalfBytes(void *target, void *source, int64_t rank,
                          const int64_t *shape);

/// Writes the low four bits to the half byte at that address.
void tegulaWriteHalfByte(void *target, int32_t bits);

/// Memory in another shape; `elementBytes` is 0 for half bytes. `shape` holds
/// `rank` sizes and as many strides, then `newRank` sizes and room for their
/// strides, which are set. Returns `data`, or where no strides fit a packed
/// copy, given back with the push before it; null after an error, and where no
/// strides fit if it `mustAlias`. `data` of no elements may be null; the result
/// is not.
void *tegulaReshapeView(void *data, int64_t *shape, int64_t rank,
                        int64_t newRank, int64_t elementBytes,
                        int32_t mustAlias, TegulaCallState *state,
                        int32_t site);

// The routines below iterate over the rows of several tensors together. `rows`
// holds the extents of the `rank` axes before the rows, and then of each tensor
// its address, the length of its rows, `rank` strides, and the stride along a
// row. A dtype is a tegula::DType. NaN counts as greater than every number. The
// first tensor has so many `elements`, which tell how much work a call is, and
// vectors may have `vectorBits`.

/// Writes to the second tensor (INT32) where the largest, or else the smallest,
/// element of each row of the first is: the first NaN, else the first of equal
/// ones, -1 in an empty row.
void tegulaArgReduce(const int64_t *rows, int64_t rank, int64_t elements,
                     int64_t dtype, int64_t isMax, int64_t vectorBits,
                     TegulaCallState *state, int32_t site);

/// Writes the elements of each row of the first tensor in order to the second,
/// and their indices (INT32) to the third, as far as those reach.
void tegulaSortRows(const int64_t *rows, int64_t rank, int64_t elements,
                    int64_t dtype, int64_t isDescending, int64_t vectorBits,
                    TegulaCallState *state, int32_t site);

/// Sorts each `run` FP32 elements of the rows of the first tensor, with indices
/// from the second, into pairs in the third.
void tegulaSortRuns(const int64_t *rows, int64_t rank, int64_t elements,
                    int64_t run, int64_t vectorBits, TegulaCallState *state,
                    int32_t site);

/// Merges sorted runs of pairs from `count` tensors into the one after them;
/// from a single tensor every four runs of `run` pairs.
void tegulaMergeRuns(const int64_t *rows, int64_t rank, int64_t elements,
                     int64_t count, int64_t run, int64_t vectorBits,
                     TegulaCallState *state, int32_t site);

/// Writes what each element of a row of the first tensor and all before it sum
/// up to, to the second. The type is INT32, INT64, FP32 or FP64, or unsigned.
void tegulaScanRows(const int64_t *rows, int64_t rank, int64_t elements,
                    int64_t dtype, int64_t vectorBits, TegulaCallState *state,
                    int32_t site);

/// Each element of the first tensor becomes the one of the third in the same
/// row, at the index that the second tensor says. `axis` is that of the rows,
/// for the error of an index that is out of range.
void tegulaPickRows(const int64_t *rows, int64_t rank, int64_t elements,
                    int64_t elementBytes, int64_t indexType, int64_t axis,
                    int64_t vectorBits, TegulaCallState *state, int32_t site);

/// The same the other way: elements of the first tensor go to the third, the
/// last one stays where several do.
void tegulaPutRows(const int64_t *rows, int64_t rank, int64_t elements,
                   int64_t elementBytes, int64_t indexType, int64_t axis,
                   int64_t vectorBits, TegulaCallState *state, int32_t site);

/// The same, but they are added to what is there: integers of any size, FP32 or
/// FP64.
void tegulaAddRows(const int64_t *rows, int64_t rank, int64_t elements,
                   int64_t dtype, int64_t indexType, int64_t axis,
                   int64_t vectorBits, TegulaCallState *state, int32_t site);

/// Records an error unless one is recorded already.
void tegulaReportError(TegulaCallState *state, int32_t kind, int32_t site,
                       int32_t axis, int64_t index, int64_t extent);

} // extern "C"

#endif // TEGULA_SUPPORT_KERNELABI_H
