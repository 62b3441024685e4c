// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The dispatches of an interpreted host program: which must be done before
/// which.

#ifndef TEGULA_IR_INTERPRETER_RANKDISPATCHES_H
#define TEGULA_IR_INTERPRETER_RANKDISPATCHES_H

#include "tegula/ir/interpreter/ByteRanges.h"
#include "tegula/ir/interpreter/RankClock.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <vector>

namespace tegula::pl {

/// A tensor that a dispatch uses.
struct TensorUse {
  std::vector<ByteRange> bytes;
  bool writes;
};

class RankDispatches {
public:
  explicit RankDispatches(int64_t ranks) : numSeen(ranks), current(ranks) {}

  /// A rank comes to its next dispatch, to rank `device` or to all (-1).
  /// Returns its number. Fails, with an error at `op`, if another rank came to
  /// another one.
  llvm::FailureOr<size_t> begin(int64_t rank, mlir::Operation *op,
                                int64_t device, std::vector<TensorUse> uses);

  /// A rank that has not done an earlier dispatch that `number` must follow at
  /// `rank`, and the number of that dispatch.
  struct Missing {
    int64_t rank;
    size_t number;
  };
  std::optional<Missing> findMissing(size_t number, int64_t rank) const;
  /// What a rank learns from those that `number` follows.
  void learn(size_t number, RankKnowledge &knowledge) const;
  /// `rank` begins with it.
  void enter(size_t number, int64_t rank) { current[rank] = number; }
  void end(int64_t rank, const RankKnowledge &knowledge);

  /// How many dispatches a rank has done.
  int64_t countDone(int64_t rank) const;

private:
  struct Dispatch {
    mlir::Operation *op;
    int64_t device;
    int64_t first;
    std::vector<TensorUse> uses;
    /// By rank.
    std::vector<bool> isDone;
    RankKnowledge knowledge;

    bool concerns(int64_t rank) const { return device < 0 || device == rank; }
  };
  static bool conflict(const Dispatch &lhs, const Dispatch &rhs);

  std::vector<Dispatch> dispatches;
  std::vector<size_t> numSeen;
  std::vector<size_t> current;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_RANKDISPATCHES_H
