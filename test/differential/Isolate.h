// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Work that may crash, done by child processes.

#ifndef TEGULA_TEST_DIFFERENTIAL_ISOLATE_H
#define TEGULA_TEST_DIFFERENTIAL_ISOLATE_H

#include "test/differential/Runner.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::differential {

/// Does the numbered jobs from `first` to `last` in `numWorkers` processes at
/// once, and calls `report` for each in this one. A job that crashes or hangs
/// is reported as such, and the others go on; it hangs after `mostSeconds`.
void runJobs(uint64_t first, uint64_t last, unsigned numWorkers,
             unsigned mostSeconds, llvm::function_ref<Outcome(uint64_t)> job,
             llvm::function_ref<void(uint64_t, const Outcome &)> report);

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_ISOLATE_H
