// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `for`: what it runs over decides how the loop is built.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_FORLOOPS_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_FORLOOPS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Expressions;
class GridLoops;
class HeadValues;
struct LoopBody;
class ParallelLoops;
class RangeLoops;
class UnrolledLoops;
class WhileLoops;

/// Generates `for`.
class ForLoops : FunctionPart {
public:
  ForLoops(FunctionState &state, Expressions &expressions,
           HeadValues &headValues, RangeLoops &rangeLoops,
           UnrolledLoops &unrolledLoops, ParallelLoops &parallelLoops,
           WhileLoops &whileLoops, GridLoops &gridLoops)
      : FunctionPart(state), expressions(expressions), headValues(headValues),
        rangeLoops(rangeLoops), unrolledLoops(unrolledLoops),
        parallelLoops(parallelLoops), whileLoops(whileLoops),
        gridLoops(gridLoops) {}

  void emit(const ast::For &node, const ast::Stmt &stmt);

private:
  void emitRanged(Construct construct, llvm::StringRef name,
                  const LoopBody &body, const CallArguments &arguments,
                  const ast::Stmt &stmt);

  Expressions &expressions;
  HeadValues &headValues;
  RangeLoops &rangeLoops;
  UnrolledLoops &unrolledLoops;
  ParallelLoops &parallelLoops;
  WhileLoops &whileLoops;
  GridLoops &gridLoops;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_FORLOOPS_H
