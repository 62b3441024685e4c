// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How far tiles and windows are valid, by the rules of their ops, and what the
/// call has to be told where a size is wrong.

#ifndef TEGULA_BACKENDS_CODEGEN_TILEEXTENTS_H
#define TEGULA_BACKENDS_CODEGEN_TILEEXTENTS_H

#include "tegula/backends/codegen/IndexMath.h"
#include "tegula/ir/ops/PlDialect.h"

namespace tegula {

class TileLowering;

namespace pl {
class ExactArithmetic;
} // namespace pl

/// True if the extent is what it would be without a limit to numbers: then it
/// has the bound that its type says.
bool isExactRule(pl::ExactArithmetic &arithmetic, const pl::ExtentRule &rule);
/// The extents of the tile that an op makes.
Indices extentsOf(TileLowering &lowering, mlir::Operation &op);
/// The extent of what an op gives along an axis, reported and cut where
/// arithmetic on data may have made it longer than its type says.
mlir::OpFoldResult withinBound(TileLowering &lowering, mlir::Operation *op,
                               unsigned axis, mlir::OpFoldResult extent);
/// A window that is exactly `dim` long must lie inside: that it does, or null
/// if nothing can be wrong. That it does not is an error of the call.
mlir::Value checkExact(TileLowering &lowering, pl::Dim dim,
                       mlir::OpFoldResult start, mlir::OpFoldResult whole,
                       int64_t axis, mlir::Location loc);
/// The offset, or 0 where it is negative, which is reported.
mlir::OpFoldResult checkedOffset(TileLowering &lowering, mlir::Value offset,
                                 int64_t axis, mlir::Location loc);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_TILEEXTENTS_H
