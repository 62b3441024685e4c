// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `pl.unroll`: the body once for each iteration.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_UNROLLEDLOOPS_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_UNROLLEDLOOPS_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/loops/LoopBody.h"

namespace tegula {

struct LoopRange;
class LoopBodies;

/// Generates copies of bodies.
class UnrolledLoops : FunctionPart {
public:
  UnrolledLoops(FunctionState &state, LoopBodies &bodies)
      : FunctionPart(state), bodies(bodies) {}

  void emit(const LoopBody &body, const LoopRange &range, mlir::Location loc);

private:
  bool checkSize(int64_t copies, uint64_t numStatements, mlir::Location loc);
  uint64_t countStatements(Stmts stmts);

  LoopBodies &bodies;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_UNROLLEDLOOPS_H
