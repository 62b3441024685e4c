// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ranks of one interpreted program, all in this process: what the ops of
/// programs over ranks ask for. Each method is called by the rank that runs,
/// and fails with an error at the op.

#ifndef TEGULA_IR_INTERPRETER_INTERPRETEDRANKS_H
#define TEGULA_IR_INTERPRETER_INTERPRETEDRANKS_H

#include "tegula/ir/interpreter/CooperativeRanks.h"
#include "tegula/ir/interpreter/RankDispatches.h"
#include "tegula/ir/interpreter/RankMemory.h"
#include "tegula/ir/interpreter/RankSignals.h"
#include "tegula/ir/interpreter/TouchRecord.h"
#include "tegula/ir/ops/PlRankOps.h"

#include <deque>

namespace tegula::pl {

class InterpretedRanks {
public:
  explicit InterpretedRanks(const RankOptions &options);

  int64_t getCount() const { return options.count; }
  void addArgument(const TensorView &view) { memory.addArgument(view); }
  bool isWindow(const TensorView &view) const {
    return memory.findOwner(view) >= 0;
  }

  /// Runs `body` once for each rank.
  llvm::LogicalResult run(mlir::Operation *op, CooperativeRanks::Body body);

  /// Fails if there is no such rank.
  llvm::LogicalResult checkRank(mlir::Operation *op, int64_t rank) const;

  llvm::FailureOr<Memory> allocateWindow(AllocWindowOp op, int64_t rank,
                                         int64_t bytes);
  /// Memory for a tensor that all see as one.
  llvm::FailureOr<std::shared_ptr<char[]>>
  allocateShared(mlir::Operation *op, int64_t rank, int64_t bytes);
  llvm::FailureOr<Memory> beginPeer(PeerOp op, int64_t rank, const Memory &part,
                                    int64_t peer);
  llvm::LogicalResult endPeer(PeerEndOp op, int64_t rank,
                              const TensorView &view);
  llvm::LogicalResult notify(NotifyOp op, int64_t rank, const Memory &signal,
                             int64_t peer, int32_t value);
  llvm::LogicalResult wait(WaitOp op, int64_t rank, const TensorView &signal,
                           int32_t expected);
  /// Waits until all are here, for the same purpose with the same numbers.
  llvm::LogicalResult barrier(mlir::Operation *op, int64_t rank,
                              llvm::StringRef purpose,
                              llvm::ArrayRef<int64_t> numbers);
  llvm::FailureOr<bool> beginDispatch(DispatchOp op, int64_t rank,
                                      int64_t device,
                                      std::vector<TensorUse> uses);
  void endDispatch(int64_t rank);

  /// Fails if the access is a race.
  llvm::LogicalResult touch(mlir::Operation *op, Touch touch, int64_t rank,
                            const TensorView &view,
                            llvm::ArrayRef<int64_t> extents);

private:
  /// What is written to a peer, or a change of a signal, on its way.
  struct Sent {
    /// Who sent it.
    int64_t rank;
    std::optional<StagedWrite> write;
    std::optional<Notification> notification;
  };
  /// One rank at a barrier.
  struct Arrival {
    int64_t rank;
    mlir::Operation *op;
    std::string purpose;
    llvm::SmallVector<int64_t, 2> numbers;
  };

  bool isLate(int64_t rank, int64_t peer) const {
    return options.order == RankOrder::Late && rank != peer;
  }
  void deliver(const Sent &sent);
  /// Delivers what is on its way from a rank.
  void deliverFrom(int64_t rank);
  /// Delivers the next of what is on its way, if there is something.
  bool deliverNext();
  void endBarrier();
  /// A rank that is not at the barrier.
  int64_t findAbsent() const;

  RankOptions options;
  CooperativeRanks scheduler;
  RankMemory memory;
  RankSignals signals;
  RankDispatches dispatches;
  std::vector<RankKnowledge> knowledge;
  std::deque<Sent> onItsWay;
  std::vector<Arrival> arrivals;
  uint64_t numBarriers = 0;
  /// Who updates the windows of each rank, or -1.
  std::vector<int64_t> updates;
  /// True for those in a dispatch that all are in.
  std::vector<bool> isForAll;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_INTERPRETEDRANKS_H
