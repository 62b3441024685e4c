// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles of a loop that share a layout, because an op takes and makes them
/// element by element, along a row, or around a loop. A class has the layout of
/// its matmuls; one without any is distributed to all threads so that
/// neighbours in memory have neighbouring threads.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_LAYOUTCLASSES_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_LAYOUTCLASSES_H

#include "tegula/ir/ops/PlOps.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace tegula {

/// A layout that gives each thread elements next to each other, as many as 16
/// bytes have of `bits`.
mlir::Attribute chooseBlocked(mlir::MLIRContext *context,
                              llvm::ArrayRef<int64_t> shape, unsigned bits,
                              int64_t warps);

/// Of one loop. Tiles that are made where they are used are in no class.
class LayoutClasses {
public:
  LayoutClasses(pl::ParallelOp loop, int64_t warps);

  /// Null for a tile that has no class.
  mlir::Attribute getLayout(mlir::Value tile) const;
  /// As threads share the memory of such a tile best.
  mlir::Attribute getBlocked(mlir::Value tile) const;

private:
  void joinOp(mlir::Operation *op);
  void join(mlir::ValueRange tiles);
  void chooseLayouts(pl::ParallelOp loop);

  int64_t warps;
  llvm::EquivalenceClasses<void *> classes;
  /// The largest tile of a class, one that is made where it is used included.
  llvm::DenseMap<void *, mlir::Value> largest;
  llvm::DenseMap<void *, mlir::Attribute> layouts;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_LAYOUTCLASSES_H
