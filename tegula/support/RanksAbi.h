// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What generated code asks of the ranks it runs on: who it is, the memory of
/// its peers, signals, and which dispatches of a host program are its own. The
/// routines are defined in tegula/launch/ranks/RankSupport.cpp and hand over to
/// the ranks this process belongs to; in a process that belongs to none there
/// is one rank, and a window is ordinary memory.
///
/// Every routine that can fail or wait reports the first error in `state` and
/// then returns; once an error is recorded, or another rank has failed, nothing
/// waits any more. `site` is an index into the kernel's sites.

#ifndef TEGULA_SUPPORT_RANKSABI_H
#define TEGULA_SUPPORT_RANKSABI_H

#include "tegula/support/KernelAbi.h"

extern "C" {

/// How the memory of a peer is used between a begin and its end.
enum TegulaPeerUse : int32_t {
  TegulaPeerRead = 0,
  TegulaPeerWrite = 1,
  /// Read, changed and written, while no other rank does.
  TegulaPeerUpdate = 2
};

/// How a signal is changed, and what is waited for.
enum TegulaNotifyKind : int32_t { TegulaNotifyAdd = 0, TegulaNotifySet = 1 };
enum TegulaWaitKind : int32_t { TegulaWaitEqual = 0, TegulaWaitAtLeast = 1 };

/// Added to the kind of a wait: in a dispatch it is for the end of that.
constexpr int32_t TegulaWaitDeferred = 2; // NOLINT: as the kinds are named

/// One tensor that a dispatch uses: `data` is the first element of the part,
/// and `shape` has `rank` sizes, then as many strides, in elements.
struct TegulaTensorUse {
  void *data;
  const int64_t *shape;
  int32_t rank;
  int32_t elementBits;
  int32_t reads;
  int32_t writes;
  /// A DType; only callbacks are told.
  int32_t dtype = -1;
  int32_t reserved = 0;
};

/// The number of this rank, and how many there are. Constant during a call.
int64_t tegulaRank();
int64_t tegulaRankCount();

/// Memory of `bytes` bytes, zeroed, at the same offset of the symmetric memory
/// of every rank; all ranks call it in the same order with the same bytes.
/// Lives until the host program of this process's current call ends.
void *tegulaWindowAllocate(int64_t bytes, TegulaCallState *state, int32_t site);

/// Memory that all ranks see as one (a tensor that a host program makes); all
/// ranks call it in the same order. Not zeroed. Lives as long as a window.
void *tegulaSharedAllocate(int64_t bytes, TegulaCallState *state, int32_t site);

/// Where the part of a window that begins at `own` in this rank's memory can be
/// used in that of `peer`: the peer's memory itself, or a copy with the same
/// strides. `shape` has `rank` sizes, then as many strides in elements. Null
/// after an error. A use that only reads needs no end: what is read lies there
/// until this thread next notifies, waits, synchronises or ends a dispatch.
void *tegulaPeerBegin(void *own, int64_t peer, const int64_t *shape,
                      int64_t rank, int64_t elementBits, int32_t use,
                      TegulaCallState *state, int32_t site);

/// Ends what began: `memory` is what tegulaPeerBegin returned for the same
/// part. What was written is seen by whoever waits for a later notify.
void tegulaPeerEnd(void *memory, void *own, int64_t peer, const int64_t *shape,
                   int64_t rank, int64_t elementBits, int32_t use,
                   TegulaCallState *state, int32_t site);

/// Changes the INT32 signal that lies at `own` in this rank's window, in that
/// of `peer`, after all that this rank wrote before.
void tegulaNotify(void *own, int64_t peer, int32_t value, int32_t kind,
                  TegulaCallState *state, int32_t site);

/// Waits until the signal at `own` is what is expected. The kind may be
/// deferred.
void tegulaWait(void *own, int32_t expected, int32_t kind,
                TegulaCallState *state, int32_t site);

/// Waits until all ranks are here. `what` says which barrier this is (a hash of
/// what all must agree on: kind, operation, dtype, extents): ranks that meet
/// with different ones are an error that names both sites.
void tegulaMeet(int64_t what, TegulaCallState *state, int32_t site);

/// True if this rank runs the dispatch that begins, to rank `device`, or to all
/// if it is -1. All ranks call it for every dispatch, in the same order with
/// the same uses. Before it returns true it has waited for every earlier
/// dispatch to other ranks that touches what this one writes, or writes what
/// this one touches. Parts of windows are not among the uses.
int32_t tegulaDispatchBegin(int64_t device, const TegulaTensorUse *uses,
                            int64_t count, TegulaCallState *state,
                            int32_t site);

/// The dispatch for which tegulaDispatchBegin returned true is done.
void tegulaDispatchEnd(TegulaCallState *state, int32_t site);

/// Runs the function that was given for the name with that hash
/// (HostCallbacks.h), in the process that calls the program. If there is none,
/// or it fails, that is a requirement that is not met; `site` has the words.
void tegulaCallback(int64_t name, const TegulaTensorUse *uses, int64_t count,
                    TegulaCallState *state, int32_t site);

/// The host program is done: waits for the dispatches of all ranks, so that
/// results can be read, and gives windows and shared tensors back.
void tegulaHostEnd(TegulaCallState *state, int32_t site);

} // extern "C"

#endif // TEGULA_SUPPORT_RANKSABI_H
