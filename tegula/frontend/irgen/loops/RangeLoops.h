// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over ranges whose iterations run in order.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_RANGELOOPS_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_RANGELOOPS_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/loops/LoopBody.h"

namespace tegula {

class CarriedVariables;
struct LoopBounds;
struct LoopRange;
class LoopBodies;

/// Generates such loops.
class RangeLoops : FunctionPart {
public:
  RangeLoops(FunctionState &state, LoopBodies &bodies,
             CarriedVariables &carried)
      : FunctionPart(state), bodies(bodies), carried(carried) {}

  void emit(const LoopBody &body, const LoopRange &range, mlir::Location loc,
            EnclosingLoop::Kind kind = EnclosingLoop::Kind::Sequential);
  /// A loop with `break`: counts and stops by itself.
  void emitBreakable(const LoopBody &body, const LoopRange &range,
                     mlir::Location loc);

private:
  /// Requires that a loop runs: what it leaves is read.
  void requireIteration(const LoopBounds &bounds, mlir::Location loc);

  LoopBodies &bodies;
  CarriedVariables &carried;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_RANGELOOPS_H
