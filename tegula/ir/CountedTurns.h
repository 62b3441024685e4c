// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether the loops around a requirement make a turn: it counts only then.

#ifndef TEGULA_IR_COUNTEDTURNS_H
#define TEGULA_IR_COUNTEDTURNS_H

#include "tegula/ir/PlRequireOps.h"

namespace tegula::pl {

/// The bounds of a loop that counts.
struct CountedTurns {
  mlir::Value lower, upper;

  /// True if numbers say that there is a turn.
  bool areSome() const;
};

/// The bounds of the loops around `op` that count, the innermost first.
llvm::SmallVector<CountedTurns> turnsAround(mlir::Operation *op);

/// True if it stands in an entry, no branch decides about it, and its condition
/// depends on nothing but what the call brings; loops around it may make no
/// turn.
bool dependsOnCallOnly(RequireOp op);

/// True if a guard has room for "one of these loops makes no turn, or the
/// condition holds", which depends on nothing but what the call brings.
bool fitsInGuard(RequireOp op, llvm::ArrayRef<CountedTurns> idle);

} // namespace tegula::pl

#endif // TEGULA_IR_COUNTEDTURNS_H
