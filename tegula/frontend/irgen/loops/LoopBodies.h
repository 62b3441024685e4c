// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One iteration of a loop: its body, with what the author calls the values
/// that came around.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_LOOPBODIES_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_LOOPBODIES_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/loops/LoopBody.h"

namespace tegula {

class HeadValues;
class Statements;

/// Generates the bodies of loops.
class LoopBodies : FunctionPart {
public:
  LoopBodies(FunctionState &state, Statements &statements,
             HeadValues &headValues)
      : FunctionPart(state), statements(statements), headValues(headValues) {}

  void emit(const LoopBody &body, EnclosingLoop::Kind kind, mlir::Location loc);

private:
  Statements &statements;
  HeadValues &headValues;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_LOOPBODIES_H
