// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What all parts of the generator of a row-wise kernel share: the kernel, and
/// which elements of which row the thread has. What only one part needs is
/// that part's own.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWSTATE_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWSTATE_H

#include "tegula/backends/cuda/threads/ThreadMath.h"
#include "tegula/transforms/rows/RowwiseKernel.h"

namespace tegula {

/// Elements side by side that a thread has.
struct RowRun {
  /// The first one, in 32 bits.
  mlir::Value column;
  int64_t count;
  /// Whether there are such columns; null if there are in any case.
  mlir::Value mask;
  /// Where they are read: there, or if there are none, where others are.
  mlir::Value from;
};

/// A row-wise kernel while it is generated for one thread.
struct RowState {
  /// A thread has so many elements, `side` of them side by side in memory.
  RowState(mlir::ModuleOp module, mlir::func::FuncOp kernel,
           const RowwiseKernel &program, int64_t numElements, int64_t side)
      : kernel(kernel), program(program), builder(module.getContext()),
        loc(kernel.getLoc()), code(builder, loc, thread),
        math(builder, loc, code), numElements(numElements), side(side) {
    thread.module = module;
  }
  RowState(const RowState &) = delete;

  /// Adds elements side by side that are there where the mask holds; else those
  /// at the last such index are read.
  void addRun(mlir::Value column, int64_t count, mlir::Value mask,
              mlir::Value last) {
    runs.push_back(
        {column, count, mask, mask ? math.min(column, last) : column});
  }

  /// Whether a tensor has a row for each of the rows; so do all if none has.
  bool hasOwnRows(const RowAccess &access) const {
    return access.shape.hasRows || program.hasOneRow();
  }
  /// Whether runs of the tensor do not begin where they can be read at once.
  bool isApart(const RowAccess &access) const {
    return isShifted && !hasOwnRows(access);
  }

  mlir::func::FuncOp kernel;
  const RowwiseKernel &program;
  mlir::OpBuilder builder;
  mlir::Location loc;
  ThreadValues thread;
  ThreadCode code;
  ThreadMath math;
  int64_t numElements, side;

  mlir::Value rows, columns;
  /// The row, and the column from which indices count.
  mlir::Value row, firstColumn;
  /// What the thread has, one run after the other.
  llvm::SmallVector<RowRun> runs;
  /// Whether there are all of them but single ones at edges; null if nobody
  /// asked. Then all is computed before anything is written, else LLVM does it
  /// group by group.
  mlir::Value isWhole;
  /// Whether rows begin anywhere, but runs at multiples of what is read at
  /// once. What all rows have in common then lies in another way.
  bool isShifted = false;
  /// Whether what is written is this thread's; null if it is. What all columns
  /// have in common only `isFirst` writes.
  mlir::Value isThere, isFirst;
  /// Whether there are so few threads that none may wait for an exact division,
  /// or for what another element writes.
  bool isHurried = false;
  /// Whether all results have 16 bits, which hide how FP32 was rounded.
  bool isNarrow = false;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWSTATE_H
