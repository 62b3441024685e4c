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

#ifndef TEGULA_DIST_PROCESSRANKS_H
#define TEGULA_DIST_PROCESSRANKS_H

#include "tegula/dist/DispatchTable.h"
#include "tegula/dist/RankLiveness.h"
#include "tegula/dist/RankRecorder.h"
#include "tegula/dist/RankRow.h"
#include "tegula/dist/SymmetricHeap.h"
#include "tegula/launch/ranks/RankGroup.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <mutex>

namespace tegula {

/// This process among others. Windows, dispatches and barriers are for the
/// thread that runs the host program; any thread may use peers and signals.
class ProcessRanks : public RankGroup {
public:
  /// How ranks are run.
  struct Options {
    /// True if a process beside them begins calls, each when all ranks have
    /// ended the one before.
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
  bool isShared(const void *address) const;
  /// Says that all ranks have mapped the same memory, each where it likes.
  void addShared(const void *begin, int64_t bytes);
  /// Makes a window that stays, at the same offset on every rank; `memory` is
  /// that of this one, zeroed. All ranks call it, outside of calls of programs.
  Problem keepWindow(int64_t bytes, void *&memory);
  /// Says that a window that stays is in memory that all ranks have mapped: the
  /// part of rank r begins at `begin` + r * `bytes`.
  void addWindow(char *begin, int64_t bytes);
  /// Where in the memory of this rank something is that was given by its place
  /// in that of rank 0, if it lies in a window that was added.
  char *findOwn(char *first) const;
  /// True if all memory of the ranks is mapped in this process.
  bool isDirect() const { return messages == nullptr; }

  /// Keeps what is allocated when the host program ends, until `finish`, which
  /// must follow.
  void hold() { retainsMemory = true; }
  /// Ends the call, as far as it began.
  void finish(CallLocation location);
  /// Zeroes windows of the last call, if that is still to be done and all have
  /// ended it. For ranks that have nothing else to do.
  void tidy();

  /// Waits until all ranks are here and compares what each says that it calls;
  /// a problem that names two ranks if they differ. Texts of which the
  /// beginning is equal are known apart by their hash.
  Problem agree(const std::string &text, CallLocation location);

  /// Begins or ends to write events down; null if nobody asks.
  void setRecorder(RankRecorder *events) { recorder = events; }

  /// Limits how long this rank waits for another that works, in nanoseconds;
  /// 0 for no limit.
  void setLimit(int64_t nanoseconds) { limit = nanoseconds; }

  /// Tells the others that this rank takes part no more.
  void leave();

private:
  /// A word to sleep on, and where it is counted who sleeps; null if whoever
  /// changes the word wakes in any case.
  struct Sleep {
    Word &word;
    Word *sleepers;
  };
  /// Why waiting has no more use.
  struct Trouble {
    TegulaErrorKind kind = TegulaNoError;
    int64_t index = 0;
    int64_t extent = 0;
  };
  /// How long one still waits, and what the others had done when that was last
  /// decided.
  struct Watch {
    int64_t end;
    /// When one gives up in any case.
    int64_t last;
    std::vector<int64_t> times;
  };
  using IsDone = llvm::function_ref<bool()>;
  using Describe = llvm::function_ref<RankState()>;

  ProcessRanks(std::unique_ptr<Transport> transport, Options options);
  Problem start();

  /// True if it is memory that all ranks have mapped.
  bool isMapped(const void *address) const;

  RankRow &rowOf(int64_t rank) const;
  RankRow &ownRow() const { return rowOf(getRank()); }
  /// What a rank brings to the barrier that this one is at.
  Arrival &arrivalOf(int64_t rank) const {
    return rowOf(rank).arrivals[call % 2][barriers % 2];
  }
  /// The words of a rank that others write, if they are mapped.
  RankDoor &doorOf(int64_t rank) const;
  RemoteBox remoteWord(int32_t segment, int64_t peer, int64_t offset) const;
  void publish();
  void sendRow(int64_t begin, int64_t end);
  void readRows();
  void readRow(int64_t rank);

  /// True if nobody waits for the others at the end of a program: the
  /// controller does, and nothing has to be fetched.
  bool endsAlone() const { return hasController && isDirect(); }
  bool enter(CallLocation location);
  bool begin(CallLocation location);
  void clean();
  void markFailed(CallLocation location);
  void recordProblem(Problem problem, CallLocation location);

  bool await(Sleep sleep, IsDone isDone, Describe describe,
             CallLocation location);
  bool awaitLong(Sleep sleep, IsDone isDone, Describe describe,
                 CallLocation location);
  void sleepBriefly(Sleep sleep, IsDone isDone, int64_t iteration);
  bool awaitRow(int64_t rank, const LongWord RankRow::*word, uint64_t moment,
                RankState::Awaited awaited, CallLocation location);
  Trouble findTrouble(Watch &watch);
  bool someoneWorks(Watch &watch) const;
  void beginWaiting();
  void writeWaiting(const RankState &state, int64_t since);
  void endWaiting();
  Trouble findFailure() const;
  void takeReport();

  void awaitEnd(CallLocation location);
  /// Brings something to the next barrier, and returns when that is.
  uint64_t come(Arrival own);
  bool arrive(Arrival own, RankState::Awaited awaited, CallLocation location);
  bool exchange(Arrival own, CallLocation location, int64_t &least);

  void *allocateOn(SymmetricHeap &heap, SegmentKind kind, int64_t bytes,
                   CallLocation location);
  bool grow(SymmetricHeap &heap, SegmentKind kind, int64_t bytes,
            CallLocation location);
  /// The window that an address of this rank is in.
  SymmetricHeap::Location findBlock(const void *own) const;
  SymmetricHeap::Location findWindow(const void *own, int64_t peer,
                                     CallLocation location);
  /// True if a window is mapped on all ranks.
  bool isReached(const SymmetricHeap::Location &window) const {
    return isDirect() || window.segment->number < 0;
  }
  bool lockUpdates(int64_t peer, CallLocation location);
  void unlockUpdates(int64_t peer, CallLocation location);
  void transfer(const PeerSlice &part, void *memory, bool isWrite,
                CallLocation location);
  void writeHalves(const PeerSlice &part, void *memory, CallLocation location);

  bool awaitDispatch(const Dispatch &dispatch, CallLocation location);
  bool isDone(const Dispatch &dispatch) const;
  bool makeRoom(CallLocation location);
  void receive(llvm::ArrayRef<size_t> needed, CallLocation location);
  void receiveUse(const DispatchUse &use, int64_t from, CallLocation location);

  std::unique_ptr<Transport> transport;
  /// Null if all memory is mapped.
  Messages *messages;
  Patience patience;
  RankLiveness liveness;
  Segment board;
  SymmetricHeap windows, shared;
  /// Windows that stay from call to call.
  SymmetricHeap kept;
  std::vector<std::pair<const char *, const char *>> sharedRanges;
  DispatchTable table;
  RankRecorder *recorder = nullptr;

  /// The first call is the barrier at the start.
  uint64_t call = 1, barriers = 0, dispatches = 0;
  int64_t dispatchStart = 0, limit = 0;
  bool isInCall = false, retainsMemory = false, hasLeft = false;
  /// True if windows of the last call are still to be zeroed.
  bool isUnclean = false;
  const bool hasController;
  /// A rank that will never answer, or -1.
  int64_t lost = -1;

  /// Held while the row is sent: what is sent later must not be older.
  std::mutex sending;
  /// Guards what threads that wait write down.
  mutable std::mutex reporting;
  int64_t numWaiting = 0;
  RankReport seen;
  std::string words;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESSRANKS_H
