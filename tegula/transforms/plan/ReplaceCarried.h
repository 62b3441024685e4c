// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether what a loop hands on can be computed where it is carried.

#ifndef TEGULA_TRANSFORMS_PLAN_REPLACECARRIED_H
#define TEGULA_TRANSFORMS_PLAN_REPLACECARRIED_H

#include "tegula/transforms/plan/Fusion.h"

namespace tegula {

/// True if `next`, which an iteration of a loop hands on, may be computed in
/// the memory of `argument`: nothing needs that any more by then.
bool canReplaceCarried(Fusion &fusion, mlir::Value argument, mlir::Value next);

/// True if `tile`, computed where it is read, reads one of the carried tiles;
/// reading `inPlace` element by element is no obstacle.
bool readsCarried(Fusion &fusion, mlir::Value tile, mlir::ValueRange carried,
                  mlir::Value inPlace);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_REPLACECARRIED_H
