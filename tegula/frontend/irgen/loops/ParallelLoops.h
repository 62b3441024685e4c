// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `pl.parallel` and the blocks of a grid. Program order is the meaning: where
/// a value goes from one iteration to the next, they run in order.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_PARALLELLOOPS_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_PARALLELLOOPS_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/loops/LoopBody.h"

namespace tegula {

struct LoopBounds;
struct LoopRange;
class LoopBodies;
class RangeLoops;

/// Generates loops whose iterations may run at once.
class ParallelLoops : FunctionPart {
public:
  ParallelLoops(FunctionState &state, LoopBodies &bodies,
                RangeLoops &rangeLoops)
      : FunctionPart(state), bodies(bodies), rangeLoops(rangeLoops) {}

  void emit(const LoopBody &body, const LoopRange &range,
            const ast::Stmt &stmt);

private:
  std::string findCarried(const LoopBody &body, const ast::Stmt &stmt);
  void hideCarried(const LoopBody &body, Scope &before, mlir::Location loc);
  std::string emitAtOnce(const LoopBody &body, const LoopRange &range,
                         const LoopBounds &bounds, mlir::Location loc,
                         LoopTypes &types);
  std::string findLast(const LoopBody &body, const LoopRange &range,
                       const Scope &before, pl::ParallelOp op,
                       LoopTypes &types);

  LoopBodies &bodies;
  RangeLoops &rangeLoops;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_PARALLELLOOPS_H
