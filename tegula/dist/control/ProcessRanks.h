// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks that are processes. Every rank runs the whole host program and leaves
/// out the dispatches of others; what has to be known of others stands in rows
/// of words that all can read (RankRow.h), so nothing is sent while nobody
/// waits.
///
/// A call begins when a rank first needs the others and ends with the host
/// program. Windows are zero when a call begins, because each rank zeroes what
/// it used after the barrier at the end. If a call fails, ranks come out of it
/// at different places, so they wait for each other and clean up before the
/// next one.
///
/// The work is done by parts, each with one job; which part knows which others
/// is said here.

#ifndef TEGULA_DIST_CONTROL_PROCESSRANKS_H
#define TEGULA_DIST_CONTROL_PROCESSRANKS_H

#include "tegula/dist/process/CallLifetime.h"
#include "tegula/dist/process/DispatchOrder.h"
#include "tegula/dist/process/PeerLocks.h"
#include "tegula/dist/process/PeerMemory.h"
#include "tegula/dist/process/RankBarriers.h"
#include "tegula/dist/process/RankBoard.h"
#include "tegula/dist/process/RankReporter.h"
#include "tegula/dist/process/RankWaiter.h"
#include "tegula/dist/process/WindowMemory.h"
#include "tegula/dist/process/WindowSignals.h"

namespace tegula {

/// This process among others. Windows, dispatches and barriers are for the
/// thread that runs the host program; any thread may use peers and signals.
class ProcessRanks : public RankGroup {
public:
  /// How ranks are run.
  struct Options {
    /// True if a separate process begins calls, each when all ranks have ended
    /// the one before.
    bool hasController = false;
  };

  /// All ranks of `transport` call it.
  static Problem create(std::unique_ptr<Transport> transport, Options options,
                        std::unique_ptr<ProcessRanks> &ranks);
  ~ProcessRanks() override;

  void *allocateWindow(int64_t bytes, CallLocation location) override;
  void *allocateShared(int64_t bytes, CallLocation location) override;
  void *beginPeer(const PeerSlice &part, CallLocation location) override;
  void endPeer(void *memory, const PeerSlice &part,
               CallLocation location) override;
  void notify(void *own, int64_t peer, int32_t value, TegulaNotifyKind kind,
              CallLocation location) override;
  void wait(void *own, int32_t expected, TegulaWaitKind kind,
            CallLocation location) override;
  void barrier(int64_t what, CallLocation location) override;
  bool beginDispatch(int64_t device, llvm::ArrayRef<TegulaTensorUse> uses,
                     CallLocation location) override;
  void endDispatch(CallLocation location) override;
  void endHost(CallLocation location) override;
  RankReport report() const override;

  /// True if all ranks see one memory there, so that a tensor can be used where
  /// it lies.
  bool isShared(const void *address) const { return memory.isShared(address); }
  /// Says that all ranks have mapped the same memory, each where it likes.
  void addShared(const void *begin, int64_t bytes) {
    memory.addShared(begin, bytes);
  }
  /// Makes a window that stays, at the same offset on every rank; `window` is
  /// that of this one, zeroed. All ranks call it, outside of calls of programs.
  Problem keepWindow(int64_t bytes, void *&window);
  /// Says that a window that stays is in memory that all ranks have mapped: the
  /// part of rank r begins at `begin` + r * `bytes`.
  void addWindow(char *begin, int64_t bytes) { memory.addWindow(begin, bytes); }
  /// Where in the memory of this rank something is that was given by its
  /// address in that of rank 0, if it lies in a window that was added.
  char *findOwn(char *first) const { return memory.findOwn(first); }
  /// True if all memory of the ranks is mapped in this process.
  bool isDirect() const { return process.isDirect(); }

  /// Keeps what is allocated when the host program ends, until `finish`, which
  /// must follow.
  void hold() { lifetime.hold(); }
  /// Ends the call, as far as it began.
  void finish(CallLocation location) { lifetime.finish(location); }
  /// Zeroes windows of the last call, if that is still to be done and all have
  /// ended it. For ranks that have nothing else to do.
  void tidy() { lifetime.tidy(); }

  /// Waits until all ranks are here and compares what each says that it calls;
  /// a problem that names two ranks if they differ. Texts of which the
  /// beginning is equal are known apart by their hash.
  Problem agree(const std::string &text, CallLocation location);

  /// Begins or ends to write events down; null if nobody asks.
  void setRecorder(RankRecorder *events) { process.recorder = events; }

  /// Limits how long this rank waits for another that works, in nanoseconds;
  /// 0 for no limit.
  void setLimit(int64_t nanoseconds) { waiter.setLimit(nanoseconds); }

  /// Tells the others that this rank takes part no more.
  void leave();

private:
  ProcessRanks(std::unique_ptr<Transport> transport, Options options);
  Problem start();

  ProcessState process;
  bool hasLeft = false;

  RankBoard board{process, reporter};
  RankReporter reporter{process, board};
  RankWaiter waiter;
  RankBarriers barriers{process, board, reporter, waiter};
  WindowMemory memory{process, reporter, barriers, lifetime};
  PeerLocks locks{process, board, reporter, waiter};
  PeerMemory peers{process, reporter, memory, locks};
  WindowSignals signals{process, board, reporter, waiter, memory};
  DispatchOrder dispatchOrder{process, board,  reporter,
                              waiter,  memory, lifetime};
  CallLifetime lifetime;
};

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_PROCESSRANKS_H
