// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What could be changed about a kernel so that a call takes less time. Each
/// remark says a fact of the plan and the sizes that code is made by, in
/// numbers, and then the change. What is done little of in the call is not
/// told.

#ifndef TEGULA_BACKENDS_CPU_ADVICE_ADVICE_H
#define TEGULA_BACKENDS_CPU_ADVICE_ADVICE_H

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/advice/CallShapes.h"
#include "tegula/transforms/plan/TilePlan.h"

#include <set>

namespace tegula {

/// One function of tiles in a call, and what is remarked on it.
struct Advised {
  mlir::func::FuncOp function;
  const CpuOptions &options;
  const CallSizes &sizes;
  /// Whoever asks it may remember the answer.
  TilePlan &plan;
  CallShapes shapes;
  /// Locations and texts of remarks.
  std::set<std::pair<const void *, std::string>> remarked = {};

  /// Emits a remark, unless the location has that one already.
  void remark(mlir::Location loc, const std::string &text);
};

/// Fewer elements in a call are not worth a remark.
inline constexpr double leastAdvised = 4096;

/// How many elements of the type a vector has; narrow floats are computed in
/// FP32.
int64_t countLanes(mlir::Type element, const CpuOptions &options);

/// Tensors that are read or written along an axis where elements lie apart.
void adviseOnStrides(Advised &advised);

/// Elements that are copied before they are used, or after.
void adviseOnCopies(Advised &advised);

/// Tiles that are too small for vectors, for their loop or for the threads, and
/// those that are too large for the cache.
void adviseOnTiles(Advised &advised);
void adviseOnScratch(Advised &advised);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_ADVICE_ADVICE_H
