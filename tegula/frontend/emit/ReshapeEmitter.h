// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles and tensors in other shapes.

#ifndef TEGULA_FRONTEND_EMIT_RESHAPEEMITTER_H
#define TEGULA_FRONTEND_EMIT_RESHAPEEMITTER_H

#include "tegula/frontend/emit/EmitterPart.h"

namespace tegula {

class ReshapeEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  /// The elements of a tile in another shape, given as sizes.
  Object build(mlir::Location loc, mlir::Value tile,
               llvm::ArrayRef<mlir::Value> sizes);

private:
  bool keepsAxis(mlir::Location loc, mlir::Value tile, unsigned axis,
                 mlir::Value size);
  std::optional<pl::Dims> dimsWithUnits(mlir::Location loc, mlir::Value tile,
                                        llvm::ArrayRef<mlir::Value> sizes);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_RESHAPEEMITTER_H
