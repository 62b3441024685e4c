// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The part that a matmul has in a kernel that does the same with every row: it
/// is one op (tegula/transforms/matmul), whose accumulators the rows read.

#ifndef TEGULA_TRANSFORMS_ROWS_ROWMATMULS_H
#define TEGULA_TRANSFORMS_ROWS_ROWMATMULS_H

#include "tegula/ir/ops/PlMatmulOps.h"
#include "tegula/transforms/rows/RowTiles.h"

namespace tegula {

/// What is known of such a kernel while its ops are looked at.
class RowMatmuls : protected RowTiles {
protected:
  RowMatmuls(mlir::func::FuncOp kernel, VariantRejection &rejection)
      : RowTiles(program.shapes), kernel(kernel), rejection(rejection) {}

  bool reject(const llvm::Twine &why) { return rejection.reject(why); }

  bool addStep(mlir::Operation &op) {
    program.steps.push_back(&op);
    return true;
  }
  bool add(mlir::Operation *op, RowShape shape) {
    addShaped(op->getResult(0), shape);
    return addStep(*op);
  }

  bool isParameter(mlir::BlockArgument value) {
    return value && value.getOwner() == &kernel.getBody().front();
  }
  /// Whether the tensor's extent is the one that is known; the first one that
  /// is asked for becomes that.
  static bool agree(RowExtent &known, mlir::Value tensor, unsigned axis);

  // Each is false if the kernel is none of those.

  bool visitMatmul(pl::MatmulIntoOp op);
  /// A window of the accumulators.
  bool visitAccumulatorWindow(pl::SliceOp slice);
  /// The iteration's part of them.
  bool visitAccumulators(pl::LoadOp load);
  /// A loop of scalars, which carries extents of the iteration.
  bool visitScalarLoop(mlir::scf::ForOp loop);

  /// Says why a matmul was not made one op.
  bool rejectMatmul(pl::MatmulOp op);
  bool rejectMatmulLoop(mlir::scf::ForOp loop);
  /// Says why rows are not reduced where there is a matmul.
  bool rejectReduction();

  /// Whether a loop carries the accumulator of matmuls, or has several.
  static bool hasMatmul(mlir::scf::ForOp loop);
  static bool isOfScalars(mlir::scf::ForOp loop);
  /// Whether it is a scalar that says nothing but how long accumulators are.
  static bool isOnlySize(mlir::Operation *op);
  bool readsAccumulators(mlir::Value view) const;
  /// Whether accumulators are used, if there is a matmul.
  bool isMatmulRead();
  bool isMultiplied(mlir::BlockArgument tensor) const {
    return program.matmul &&
           (tensor == program.matmul->left || tensor == program.matmul->right);
  }

  mlir::func::FuncOp kernel;
  VariantRejection &rejection;
  RowwiseKernel program;
  /// Windows of tensors, and the loop over columns that they were taken in;
  /// those of accumulators have no parameter.
  struct Window {
    mlir::BlockArgument tensor;
    mlir::Value part;
  };
  llvm::DenseMap<mlir::Value, Window> windows;
  llvm::DenseSet<mlir::Value> ofIterations, stored;
  bool hasAccesses = false;

private:
  /// The tensor that the matmul writes.
  mlir::Value accumulators;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_ROWS_ROWMATMULS_H
