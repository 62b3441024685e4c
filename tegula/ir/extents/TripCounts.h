// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether the loops around a requirement make an iteration: it counts only
/// then.

#ifndef TEGULA_IR_EXTENTS_TRIPCOUNTS_H
#define TEGULA_IR_EXTENTS_TRIPCOUNTS_H

#include "tegula/ir/ops/PlRequireOps.h"

namespace tegula::pl {

/// The bounds of a loop that counts.
struct TripCounts {
  mlir::Value lower, upper;

  /// True if numbers say that there is an iteration.
  bool areSome() const;
};

/// The bounds of the loops around `op` that count, the innermost first.
llvm::SmallVector<TripCounts> tripCountsAround(mlir::Operation *op);

/// True if it stands in an entry, no branch decides about it, and its condition
/// depends on nothing but what the call brings; loops around it may make no
/// iteration.
bool dependsOnCallOnly(RequireOp op);

/// True if a guard has room for "one of these loops makes no iteration, or the
/// condition holds", which depends on nothing but what the call brings.
bool fitsInGuard(RequireOp op, llvm::ArrayRef<TripCounts> idle);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_TRIPCOUNTS_H
