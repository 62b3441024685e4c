// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks for programs in C++: while one of these lives, host programs that this
/// process calls run on them. What a session can tell besides is in
/// RankSession.h.

#ifndef TEGULA_DIST_RANKS_H
#define TEGULA_DIST_RANKS_H

#include "tegula/launch/Problem.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace tegula {

class RankSession;

/// The ranks of this process. There is one at a time.
class Ranks {
public:
  /// Starts so many processes and keeps them; this one is none of them.
  static Problem start(int64_t count, Ranks &ranks);
  /// Makes this process a rank among those that mpirun started with it, or that
  /// have the MPI_Comm at that address.
  static Problem join(Ranks &ranks, const void *communicator = nullptr);

  Ranks();
  Ranks(Ranks &&other);
  Ranks &operator=(Ranks &&other);
  /// Ends them, or this one's part among them.
  ~Ranks();

  int64_t getCount() const;
  /// Nothing if this process controls the ranks.
  std::optional<int64_t> getRank() const;

  /// Limits how long a call may take, in nanoseconds, even if ranks work; 0 for
  /// no limit.
  void setLimit(int64_t nanoseconds);

  /// Of ranks that this process controls: memory that all of them see, aligned
  /// to 64 bytes, for tensors that calls need not copy; null if there is not
  /// enough. It is there as long as the ranks.
  void *allocate(int64_t bytes);

private:
  std::unique_ptr<RankSession> session;
};

} // namespace tegula

#endif // TEGULA_DIST_RANKS_H
