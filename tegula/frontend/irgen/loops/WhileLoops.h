// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `while`, and the form of it that names what goes around.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_WHILELOOPS_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_WHILELOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/loops/LoopBody.h"

namespace tegula {

class Branches;
class CarriedVariables;
class Expressions;
class HeadValues;
class LoopBodies;

/// Generates `while`.
class WhileLoops : FunctionPart {
public:
  WhileLoops(FunctionState &state, Expressions &expressions, Branches &branches,
             LoopBodies &bodies, HeadValues &headValues,
             CarriedVariables &carried)
      : FunctionPart(state), expressions(expressions), branches(branches),
        bodies(bodies), headValues(headValues), carried(carried) {}

  void emit(const ast::While &node, const ast::Stmt &stmt);
  /// `for (a, b) in pl.while_(init_values=(x, y))`: the condition stands first
  /// in the body.
  void emitWhileIterator(LoopBody body, mlir::Location loc);

private:
  void emitLoop(const ast::Expr &condition, const LoopBody &body,
                mlir::Location loc);
  void emitBody(const ast::Expr &condition, const LoopBody &body,
                mlir::scf::WhileOp op, mlir::Location loc);
  /// Requires that the condition holds in front of the loop.
  void requireIteration(const ast::Expr &condition, mlir::Location loc);
  mlir::Value emitCondition(const ast::Expr &condition, mlir::Value flag,
                            mlir::Location loc);

  Expressions &expressions;
  Branches &branches;
  LoopBodies &bodies;
  HeadValues &headValues;
  CarriedVariables &carried;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_WHILELOOPS_H
