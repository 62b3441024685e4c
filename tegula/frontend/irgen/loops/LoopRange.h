// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The range that a `for` runs over.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_LOOPRANGE_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_LOOPRANGE_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/frontend/irgen/expressions/LanguageConstructs.h"

namespace tegula {

/// The bounds of a `for` as they are written.
struct LoopRange {
  Object start = Object::integer(0);
  Object stop;
  Object step = Object::integer(1);
  /// Nothing if the step is known at run time only; it is positive then.
  std::optional<int64_t> constantStep = 1;
  /// How many iterations of a pipeline overlap; 0 if nobody asked.
  int64_t stages = 0;
  /// True if the author says that no iteration touches what another writes.
  bool isIndependent = false;

  bool isUp() const { return constantStep.value_or(1) > 0; }
};

/// The bounds of the loop that is built for it.
struct LoopBounds {
  mlir::Value lower, upper, step;

  /// False after a mistake.
  explicit operator bool() const { return lower && upper && step; }
  /// True if numbers say that the loop does not run.
  bool isEmpty() const;
};

/// Reads the arguments of an iterator, which messages call `name`; nothing
/// after a mistake.
std::optional<LoopRange> readRange(Emitter &emitter,
                                   const CallArguments &arguments,
                                   Construct construct, llvm::StringRef name);

/// A loop that counts down, or whose step is negative, counts iterations. A
/// step that is known at run time only must be positive: the loop does not run
/// otherwise, and the call reports it.
LoopBounds boundsOf(Emitter &emitter, const LoopRange &range,
                    mlir::Location loc);

/// The variable of a loop that counts up: the counter itself, or the start less
/// so many steps.
Object loopVariable(Emitter &emitter, llvm::StringRef name,
                    const LoopRange &range, mlir::Value counter,
                    mlir::Location loc);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_LOOPRANGE_H
