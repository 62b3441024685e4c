// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the indices of an op stand in the source. An op that reads or writes
/// at indices carries their locations in its own location, so that an index
/// that is out of range is reported where it is written.

#ifndef TEGULA_IR_OPS_ATTRIBUTES_INDEXLOCATIONS_H
#define TEGULA_IR_OPS_ATTRIBUTES_INDEXLOCATIONS_H

#include "mlir/IR/Location.h"

namespace tegula::pl {

/// The location of an op, with those of its indices, one for each axis; a
/// single one is that of all axes.
mlir::Location withIndexLocations(mlir::Location loc,
                                  llvm::ArrayRef<mlir::Location> locations);

/// Where the index along `axis` stands; `loc` itself if it does not say.
mlir::Location locationOfIndex(mlir::Location loc, int64_t axis);

/// True if the location says where indices stand.
bool hasIndexLocations(mlir::Location loc);

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_ATTRIBUTES_INDEXLOCATIONS_H
