// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How long the loop of a row function takes by the scheduling model of a core:
/// llvm-mca as a library.
///
/// Iterations are run 8 and 24 times; the difference is what one more iteration
/// takes, since cores overlap them. The same with whole rows tells what a row
/// takes besides its iterations, such as the end of a reduction. The model
/// knows neither the length of vectors, so the last iteration costs a whole
/// one, nor caches: memory answers as its fastest level does.

#ifndef TEGULA_BACKENDS_NPU_VECTOR_TIMELOOP_H
#define TEGULA_BACKENDS_NPU_VECTOR_TIMELOOP_H

#include "tegula/backends/npu/vector/LoopCode.h"

namespace tegula {

/// rows x (rowCycles + iterations x iterationCycles) + fillCycles
struct LoopTime {
  double iterationCycles;
  double rowCycles;
  double fillCycles;
};

/// What one more iteration takes; never zero.
[[nodiscard]] Expected<double> timeIteration(const LoopCode &code,
                                             const VectorCore &core,
                                             const CoreTables &tables);

/// The rest, given that.
[[nodiscard]] Expected<LoopTime> timeRows(const LoopCode &code,
                                          double iterationCycles,
                                          const VectorCore &core,
                                          const CoreTables &tables);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_VECTOR_TIMELOOP_H
