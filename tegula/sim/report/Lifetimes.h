// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From when to when bytes of the cores' memories held something.

#ifndef TEGULA_SIM_REPORT_LIFETIMES_H
#define TEGULA_SIM_REPORT_LIFETIMES_H

#include "tegula/sim/report/OpLog.h"
#include "llvm/ADT/ArrayRef.h"

namespace tegula::sim {

/// Bytes that held something for a while.
struct Lifetime {
  /// The operation that wrote them first, as an index.
  size_t writer;
  int32_t core;
  uint8_t space;
  int64_t begin;
  int64_t size;
  Time from;
  Time to;
};

/// What `ops` wrote, each until it was read for the last time.
std::vector<Lifetime> getLifetimes(llvm::ArrayRef<LoggedOp> ops);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_LIFETIMES_H
