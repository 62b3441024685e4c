// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tensors that a kernel makes in each turn of a parallel loop. Where the first
/// turn needs the most, its memory serves all turns of a thread.

#ifndef TEGULA_BACKENDS_CPU_TURNSCRATCH_H
#define TEGULA_BACKENDS_CPU_TURNSCRATCH_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// On a call that takes scratch memory in turns of parallel loops: whichever of
/// them goes to its next turn, that one takes no more.
inline constexpr llvm::StringLiteral shrinkingAttrName = "tegula.shrinking";

/// Takes memory that shrinks before the first of the turns and gives it back
/// after the last; the turns themselves take none where that was all.
void takeScratchOnce(mlir::scf::ForOp turns);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_TURNSCRATCH_H
