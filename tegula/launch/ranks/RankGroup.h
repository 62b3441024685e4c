// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ranks this process runs a host program with. Each method is the routine
/// of RanksAbi.h of that name, where its contract stands; what it reports is
/// recorded in the `location`.

#ifndef TEGULA_LAUNCH_RANKS_RANKGROUP_H
#define TEGULA_LAUNCH_RANKS_RANKGROUP_H

#include "tegula/launch/ranks/RankReport.h"
#include "tegula/support/RanksAbi.h"
#include "llvm/ADT/ArrayRef.h"

namespace tegula {

/// Where in a call something happens, and where its error goes.
struct CallLocation {
  TegulaCallState *state;
  int32_t site;

  void report(TegulaErrorKind kind, int64_t index, int64_t extent = 0) const {
    tegulaReportError(state, kind, site, 0, index, extent);
  }
};

/// A strided part of a window in the memory of this rank, and whose is meant.
struct PeerSlice {
  void *own;
  int64_t peer;
  llvm::ArrayRef<int64_t> sizes;
  llvm::ArrayRef<int64_t> strides;
  int64_t elementBits;
  TegulaPeerUse use;
};

/// All ranks as one of them sees them.
class RankGroup {
public:
  virtual ~RankGroup() = default;

  int64_t getRank() const { return rank; }
  int64_t getCount() const { return count; }

  virtual void *allocateWindow(int64_t bytes, CallLocation location) = 0;
  virtual void *allocateShared(int64_t bytes, CallLocation location) = 0;
  virtual void *beginPeer(const PeerSlice &part, CallLocation location) = 0;
  virtual void endPeer(void *memory, const PeerSlice &part,
                       CallLocation location) = 0;
  virtual void notify(void *own, int64_t peer, int32_t value,
                      TegulaNotifyKind kind, CallLocation location) = 0;
  virtual void wait(void *own, int32_t expected, TegulaWaitKind kind,
                    CallLocation location) = 0;
  virtual void barrier(int64_t what, CallLocation location) = 0;
  virtual bool beginDispatch(int64_t device,
                             llvm::ArrayRef<TegulaTensorUse> uses,
                             CallLocation location) = 0;
  virtual void endDispatch(CallLocation location) = 0;
  virtual void endHost(CallLocation location) = 0;

  /// What was seen of the ranks when the last error was recorded.
  virtual RankReport report() const = 0;

protected:
  RankGroup(int64_t rank, int64_t count) : rank(rank), count(count) {}

private:
  int64_t rank, count;
};

/// The ranks of the calls of this process: one, unless others were chosen.
RankGroup &getRanks();

/// Makes `group` the ranks of this process; null for the one rank. No call may
/// be running. Returns what it was.
RankGroup *chooseRanks(RankGroup *group);

/// Seconds after which a rank that waits gives up, as TEGULA_RANKS_TIMEOUT
/// says; 30 if it says nothing, 0 for never.
int64_t getRankPatience();

} // namespace tegula

#endif // TEGULA_LAUNCH_RANKS_RANKGROUP_H
