// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/LoopBodies.h"
#include "tegula/frontend/irgen/loops/HeadValues.h"
#include "tegula/frontend/irgen/statements/Statements.h"

using namespace tegula;

void LoopBodies::emit(const LoopBody &body, EnclosingLoop::Kind kind,
                      mlir::Location loc) {
  state.loops.push_back({kind, loc, body.shown});
  headValues.enterIteration(body);
  Object lane = state.grid.lane;
  mlir::Operation *lanes = state.lanes;
  if (body.kind == pl::LoopKind::Lanes) {
    state.grid.lane = scope.find(body.variable)->second.object;
    state.lanes = emitter.builder.getInsertionBlock()->getParentOp();
  }
  statements.emitBlock(body.stmts, nullptr);
  state.lanes = lanes;
  state.grid.lane = lane;
  state.loops.pop_back();
}
