// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What all parts of the generator of a nest share: the op, its loops, and
/// where generation stands. What only one part needs is that part's own.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_NESTSTATE_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_NESTSTATE_H

#include "tegula/backends/codegen/IndexMath.h"
#include "tegula/backends/codegen/loops/VectorBody.h"
#include "tegula/backends/cpu/vectorize/VectorWidth.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// A linalg.generic while its loops are generated.
struct NestState {
  NestState(mlir::linalg::GenericOp op, unsigned vectorBits);
  NestState(const NestState &) = delete;

  bool isReduction(unsigned loop) const {
    return kinds[loop] == mlir::utils::IteratorType::reduction;
  }
  mlir::OpOperand &getTarget() { return *op.getDpsInitOperand(0); }
  unsigned getInnermost() const { return numLoops - 1; }

  mlir::OpFoldResult beginOf(unsigned loop) const { return ranges[loop].first; }
  mlir::OpFoldResult endOf(unsigned loop) const { return ranges[loop].second; }
  /// From here on all iterations are done.
  void takeAll();

  /// The indices into an operand, in this iteration.
  llvm::SmallVector<mlir::Value> indicesOf(mlir::OpOperand &operand);

  /// What `emit` makes of what is carried is carried to the next iteration.
  using LoopBody =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>;
  mlir::scf::ForOp loop(mlir::OpFoldResult from, mlir::OpFoldResult to,
                        mlir::OpFoldResult step, unsigned position,
                        mlir::ValueRange carried, LoopBody emit);
  mlir::scf::ForOp loop(mlir::OpFoldResult from, mlir::OpFoldResult to,
                        int64_t step, unsigned position,
                        mlir::ValueRange carried, LoopBody emit) {
    return loop(from, to, math.constant(step), position, carried, emit);
  }
  /// A loop that carries nothing.
  void loop(mlir::OpFoldResult from, mlir::OpFoldResult to, int64_t step,
            unsigned position, llvm::function_ref<void()> emit);

  /// While `emit` runs, vectors are half as long.
  void inHalves(llvm::function_ref<void()> emit);

  mlir::linalg::GenericOp op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  unsigned numLoops;
  llvm::SmallVector<mlir::utils::IteratorType> kinds;
  VectorWidth width;
  VectorBody body;
  std::optional<Combiner> combiner;
  /// The iterations of each loop, and those of them that are done here.
  Indices extents;
  llvm::SmallVector<std::pair<mlir::OpFoldResult, mlir::OpFoldResult>> ranges;
  /// The iteration of each loop, once it was begun.
  llvm::SmallVector<mlir::Value> indices;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_NESTSTATE_H
