// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who has touched which bytes of memory that ranks share, as far as it can
/// still be in conflict with what is touched next.

#ifndef TEGULA_IR_INTERPRETER_ACCESSHISTORY_H
#define TEGULA_IR_INTERPRETER_ACCESSHISTORY_H

#include "tegula/ir/interpreter/ByteRanges.h"
#include "tegula/ir/interpreter/RankClock.h"

#include "mlir/IR/Operation.h"

#include <map>
#include <optional>

namespace tegula::pl {

/// How a rank uses memory. Updates come one after the other, and signals are
/// changed and waited for at any time.
enum class RankUse { Read, Write, Update, NotifyAdd, NotifySet, Wait };

/// "writes"
llvm::StringRef verbOf(RankUse use);

/// What a rank did to some bytes, when and where.
struct RankAccess {
  int64_t rank;
  RankUse use;
  int64_t time;
  mlir::Operation *op;
};

/// The accesses to all memory that is watched. Ranges that are used alike are
/// kept together, so what this costs depends on how programs cut memory, not on
/// its size.
class AccessHistory {
public:
  /// Adds an access of a rank that knows `clock`. Returns one of another rank
  /// that it neither follows nor may overlap.
  std::optional<RankAccess> add(ByteRange range, const RankAccess &access,
                                const RankClock &clock);

private:
  struct Interval {
    char *end;
    /// The last write, if there was one, and what others did after it.
    std::optional<RankAccess> write;
    llvm::SmallVector<RankAccess, 2> since;
  };
  using Intervals = std::map<char *, Interval>;

  /// Makes `address` the beginning of a interval if it is inside of one.
  void cut(char *address);
  static std::optional<RankAccess> findConflict(const Interval &interval,
                                                const RankAccess &access,
                                                const RankClock &clock);
  static void remember(Interval &interval, const RankAccess &access);

  Intervals intervals;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_ACCESSHISTORY_H
