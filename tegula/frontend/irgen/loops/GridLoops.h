// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Grids: one body for many blocks, or for the lanes of a core.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_GRIDLOOPS_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_GRIDLOOPS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/loops/LoopBody.h"
#include "tegula/frontend/irgen/statements/Flow.h"

namespace tegula {

class Branches;
class ParallelLoops;
struct TaskOptions;

/// Generates loops over blocks and lanes.
class GridLoops : FunctionPart {
public:
  GridLoops(FunctionState &state, Branches &branches,
            ParallelLoops &parallelLoops)
      : FunctionPart(state), branches(branches), parallelLoops(parallelLoops) {}

  /// `for block in pl.spmd(n)`
  void emitFor(const ast::For &node, const CallArguments &arguments,
               const ast::Stmt &stmt);
  /// Runs the statements of `stmt` for each of `count` blocks; `variable` is
  /// the index of the block, empty if it has no name.
  Flow emitBlocks(Stmts stmts, llvm::StringRef variable, const Object &count,
                  const TaskOptions &options, const ast::Stmt &stmt);
  /// `for lane in pl.split_aiv(2, mode=...)`: both lanes run the body, one
  /// after the other where something goes from one to the next.
  void emitLanes(LoopBody body, const CallArguments &arguments,
                 const ast::Stmt &stmt);

private:
  void forgetGathered(Stmts stmts);

  Branches &branches;
  ParallelLoops &parallelLoops;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_GRIDLOOPS_H
