// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that end near the greatest index there is: adding the step to the
/// variable of the last iteration would wrap around, and the loop never end.
/// They count their iterations instead.

#ifndef TEGULA_IR_EXTENTS_ITERATIONCOUNT_H
#define TEGULA_IR_EXTENTS_ITERATIONCOUNT_H

#include "mlir/IR/Builders.h"

namespace tegula::pl {

/// False if what the end of a loop is computed from shows that it is not near
/// the greatest index: extents of memory, constants and narrow integers are
/// not; what a call or memory says in 64 bits may be anything.
bool mayPassGreatest(mlir::Value upper, mlir::Value step);

/// False if the way between two indices fits in one.
bool mayPassGreatest(mlir::Value lower, mlir::Value upper, mlir::Value step);

/// The number of iterations from `lower` to before `upper` by a positive
/// `step`, whatever they are.
mlir::Value buildIterationCount(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value lower, mlir::Value upper,
                                mlir::Value step);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_ITERATIONCOUNT_H
