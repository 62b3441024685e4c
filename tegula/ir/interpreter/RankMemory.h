// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory that the ranks of an interpreted program share: tensors that all
/// see as one, and windows, of which each rank has its own. Every access is
/// looked at: one that is in conflict with that of another rank, and neither
/// happens before the other, is a race, whatever was read.

#ifndef TEGULA_IR_INTERPRETER_RANKMEMORY_H
#define TEGULA_IR_INTERPRETER_RANKMEMORY_H

#include "tegula/ir/interpreter/AccessHistory.h"
#include "tegula/ir/interpreter/Interpreter.h"

namespace tegula::pl {

/// A piece of memory that ranks share.
struct SharedRegion {
  char *begin = nullptr, *end = nullptr;
  std::shared_ptr<char[]> owner;
  /// Whose window it is, and which of its windows; -1 for what all have.
  int64_t rank = -1, number = -1;
  /// For memory that goes to a peer later, where that is.
  char *target = nullptr;
};

/// What a rank wrote to a peer and did not arrive yet.
struct StagedWrite {
  std::shared_ptr<char[]> owner;
  char *begin = nullptr;
  /// Where in the peer's window.
  char *target = nullptr;
  /// The bytes that were written, in staged memory.
  std::vector<ByteRange> written;

  void deliver() const;
};

class RankMemory {
public:
  explicit RankMemory(int64_t ranks);

  /// The next window of a rank: as many bytes, all 0.
  Memory addWindow(int64_t rank, int64_t bytes);
  /// The next tensor that all ranks see as one, as a rank comes to it; null if
  /// another rank has made it with another size.
  std::shared_ptr<char[]> addTensor(int64_t rank, int64_t bytes);
  /// Memory that ranks share from the beginning.
  void addArgument(const TensorView &view);

  /// The same part of a peer's window, or nothing if `part` is in no window of
  /// `rank`.
  std::optional<Memory> findAtPeer(int64_t rank, const Memory &part,
                                   int64_t peer) const;
  /// Whose window the memory is in, or -1.
  int64_t findOwner(const TensorView &view) const;

  /// A copy of `part`, memory of a peer; what is written there is kept until it
  /// is ended.
  Memory stage(const Memory &part);
  /// Ends what began there; nothing if `view` is not staged.
  std::optional<StagedWrite> endStage(const TensorView &view);

  /// From now on what `rank` does in windows of `peer` updates them, or does
  /// not any more (-1).
  void setUpdated(int64_t rank, int64_t peer) { updated[rank] = peer; }

  /// Fails, with an error at `op`, if the access is a race.
  llvm::LogicalResult use(mlir::Operation *op, RankUse use,
                          const TensorView &view,
                          llvm::ArrayRef<int64_t> extents, int64_t rank,
                          const RankKnowledge &knowledge);

private:
  const SharedRegion *find(const char *address) const;
  void add(SharedRegion region) { regions[region.begin] = std::move(region); }
  llvm::LogicalResult useRange(mlir::Operation *op, ByteRange range,
                               RankAccess access,
                               const RankKnowledge &knowledge);

  /// By their beginnings; they do not overlap.
  std::map<const char *, SharedRegion> regions;
  /// The beginnings of the windows of each rank, in order.
  std::vector<std::vector<char *>> windows;
  struct Tensor {
    std::shared_ptr<char[]> owner;
    int64_t bytes;
  };
  std::vector<Tensor> tensors;
  /// How many of them each rank has come to.
  std::vector<size_t> numTensors;
  std::map<const char *, StagedWrite> staged;
  std::vector<int64_t> updated;
  AccessHistory history;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_RANKMEMORY_H
