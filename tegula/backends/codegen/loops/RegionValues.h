// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What values become where they cross the boundary of a region. The elements
/// of tiles are in memory and do not take part.

#ifndef TEGULA_BACKENDS_CODEGEN_LOOPS_REGIONVALUES_H
#define TEGULA_BACKENDS_CODEGEN_LOOPS_REGIONVALUES_H

#include "tegula/backends/codegen/memory/View.h"

namespace tegula {

class TileLowering;

/// The types and values a value becomes.
void flattenType(TileLowering &lowering, mlir::Type type,
                 llvm::SmallVectorImpl<mlir::Type> &types);
void flatten(TileLowering &lowering, mlir::Value value,
             llvm::SmallVectorImpl<mlir::Value> &values, mlir::Location loc);
/// Gives `value` its lowered form from the front of `values`; `memory` is
/// where a tile is.
void unflatten(TileLowering &lowering, mlir::Value value,
               mlir::ValueRange &values, std::optional<View> memory);
/// The memories of tiles, none for other values.
llvm::SmallVector<std::optional<View>>
memoriesOf(TileLowering &lowering, mlir::ValueRange values, mlir::Location loc);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_LOOPS_REGIONVALUES_H
