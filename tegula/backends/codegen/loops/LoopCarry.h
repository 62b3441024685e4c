// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The values a loop hands from one iteration to the next. A carried tile has
/// one buffer for all iterations; the next value is computed in it where the
/// plan says so, and put into it at the end of the iteration otherwise.

#ifndef TEGULA_BACKENDS_CODEGEN_LOOPS_LOOPCARRY_H
#define TEGULA_BACKENDS_CODEGEN_LOOPS_LOOPCARRY_H

#include "tegula/backends/codegen/TileLowering.h"

namespace tegula {

/// One loop's carried values, in the order they are called below.
class LoopCarry {
public:
  /// `arguments` are what an iteration sees, `next` what it hands on.
  LoopCarry(TileLowering &lowering, mlir::ValueRange arguments,
            mlir::MutableArrayRef<mlir::OpOperand> next, mlir::Location loc);

  /// Puts the first values into the buffers; `flat` gets the rest.
  /// `hasIterations` is an i1, or null where tiles have to be there whole.
  void enter(mlir::ValueRange inits, llvm::SmallVectorImpl<mlir::Value> &flat,
             mlir::Value hasIterations = {});
  /// True if the first iteration reads other memory than those after it.
  bool hasStartRows() const {
    return llvm::any_of(startRows, [](mlir::Value row) { return !!row; });
  }
  /// Gives the arguments their values of this iteration. `isFirst` is an i1 if
  /// there are start rows.
  void beginIteration(mlir::ValueRange flat, mlir::Value isFirst = {});
  /// Puts the next values into the buffers; `flat` gets the rest.
  void endIteration(llvm::SmallVectorImpl<mlir::Value> &flat);
  /// Gives the loop's results their values. Start rows are no longer needed.
  void leave(mlir::ValueRange results, mlir::ValueRange flat);

  bool carriesTensors() const;

private:
  /// True if the argument starts as one number, and iterations read it element
  /// by element and do nothing else with it.
  bool canStartAsRow(mlir::Value init, mlir::Value argument) const;
  /// One row of the number, which the first iteration reads in place of all
  /// rows; if there is no iteration, the whole tile.
  void startAsRow(unsigned position, mlir::Value init,
                  mlir::Value hasIterations);

  TileLowering &lowering;
  llvm::SmallVector<mlir::Value> arguments;
  mlir::MutableArrayRef<mlir::OpOperand> next;
  mlir::Location loc;
  llvm::SmallVector<std::optional<View>> memories;
  /// Rows that tiles start as; null for others.
  llvm::SmallVector<mlir::Value> startRows;
  /// Where these begin and end in the frame.
  int64_t rowsBegin, rowsEnd;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_LOOPS_LOOPCARRY_H
