// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Extents that are known to be within the bound of an axis, for instance
/// because they are equal to one that shows it.

#ifndef TEGULA_FRONTEND_EMIT_BOUNDEDEXTENT_H
#define TEGULA_FRONTEND_EMIT_BOUNDEDEXTENT_H

#include "tegula/frontend/emit/Emitter.h"

namespace tegula {

/// The same extent, so that it can be seen to be what `dim` says.
inline mlir::Value boundedBy(Emitter &emitter, mlir::Location loc,
                             mlir::Value extent, pl::Dim dim) {
  mlir::Value bound =
      dim.hasBound() ? emitter.scalars.index(dim.getBound()) : mlir::Value();
  if (!bound || dim.isExact() || pl::dimOfExtent(extent).isWithin(dim))
    return dim.isExact() ? bound : extent;
  return emitter.scalars.indexExtreme(loc, /*isMax=*/false, extent, bound);
}

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_BOUNDEDEXTENT_H
