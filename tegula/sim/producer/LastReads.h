// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compiled code does not say which operation is the last to read some bytes:
/// what comes later says it, if one looks ahead.

#ifndef TEGULA_SIM_PRODUCER_LASTREADS_H
#define TEGULA_SIM_PRODUCER_LASTREADS_H

#include "tegula/support/TraceAbi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::sim {

/// Follows the operations of one work item. They are known by their numbers,
/// and `find` gives the one with a number, or null if it is gone.
class LastReads {
public:
  using Find = llvm::function_ref<TegulaTraceOp *(int64_t number)>;

  /// Takes note of an operation. What it overwrites was read for the last time.
  void add(int64_t number, const TegulaTraceOp &op, Find find);
  /// The item ends: nothing is read again.
  void end(Find find);

private:
  struct Read {
    int64_t number;
    unsigned range;
  };
  static void mark(const Read &read, Find find);

  /// By the memory and the first byte.
  llvm::DenseMap<uint64_t, Read> reads;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_PRODUCER_LASTREADS_H
