// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loop strength reduction where it pays. LLVM runs it on every loop when it
/// makes code: it takes an eighth of that time, and what it does to loops over
/// the vectors of a row only takes registers. Products cannot do without.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_REDUCESTRENGTH_H
#define TEGULA_BACKENDS_CPU_OBJECT_REDUCESTRENGTH_H

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Reduces the strength of what a function's loops compute for addresses,
/// unless each of its inner loops advances few pointers by one counter.
struct ReduceStrength : llvm::PassInfoMixin<ReduceStrength> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_REDUCESTRENGTH_H
