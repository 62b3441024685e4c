// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rough count of what one turn of a parallel loop does, to decide whether
/// threads pay.

#ifndef TEGULA_BACKENDS_CPU_PARALLELWORK_H
#define TEGULA_BACKENDS_CPU_PARALLELWORK_H

#include "tegula/ir/PlOps.h"

namespace tegula {

/// On scf.parallel: elements one turn handles, at most.
inline constexpr llvm::StringLiteral workAttrName = "tegula.work";

/// Elements the block handles, at most, as far as bounds tell; loops of unknown
/// length count a few turns.
int64_t estimateWork(mlir::Block &block);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_PARALLELWORK_H
