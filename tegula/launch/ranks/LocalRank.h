// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A process that is the only rank: all dispatches are its own, and windows are
/// ordinary memory. Several threads may each run a host program.

#ifndef TEGULA_LAUNCH_RANKS_LOCALRANK_H
#define TEGULA_LAUNCH_RANKS_LOCALRANK_H

#include "tegula/launch/ranks/RankGroup.h"
#include <map>
#include <mutex>

namespace tegula {

/// The one rank. What a thread allocates is given back when it ends its host
/// program.
class LocalRank : public RankGroup {
public:
  LocalRank() : RankGroup(0, 1) {}

  void *allocateWindow(int64_t bytes, CallLocation location) override;
  void *allocateShared(int64_t bytes, CallLocation location) override;
  void *beginPeer(const PeerSlice &part, CallLocation location) override;
  void endPeer(void *, const PeerSlice &, CallLocation) override {}
  void notify(void *own, int64_t peer, int32_t value, TegulaNotifyKind kind,
              CallLocation location) override;
  void wait(void *own, int32_t expected, TegulaWaitKind kind,
            CallLocation location) override;
  void barrier(int64_t, CallLocation) override {}
  bool beginDispatch(int64_t device, llvm::ArrayRef<TegulaTensorUse> uses,
                     CallLocation location) override;
  void endDispatch(CallLocation) override {}
  void endHost(CallLocation location) override;
  RankReport report() const override { return lastReport(); }

private:
  bool isReachable(const void *own, int64_t peer, CallLocation location);
  static RankReport &lastReport();

  std::mutex lock;
  /// From the first byte of each window to the one after its last.
  std::map<const char *, const char *> windows;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_RANKS_LOCALRANK_H
