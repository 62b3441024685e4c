// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much the iterations of a parallel loop do, estimated at run time from
/// the trip counts of the loops inside, to decide whether threads pay.

#ifndef TEGULA_BACKENDS_CPU_THREADS_PARALLELWORK_H
#define TEGULA_BACKENDS_CPU_THREADS_PARALLELWORK_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Emits, before the loop, an estimate of the instructions all its iterations
/// take together: what an iteration in the middle takes, times the iterations.
/// Costs a few instructions itself and reads no memory. Sums that threads wait
/// for each other in count against it, by `leastWork` at most.
mlir::Value emitWork(mlir::OpBuilder &builder, mlir::scf::ParallelOp loop,
                     int64_t leastWork);

/// On a loop: it has as many iterations as there should be threads.
inline constexpr llvm::StringLiteral iterationPerThreadAttrName =
    "tegula.iteration_per_thread";

/// On a loop inside: it seldom has more than one iteration.
inline constexpr llvm::StringLiteral seldomRepeatedAttrName =
    "tegula.seldom_repeated";

/// On a branch inside: it is seldom not taken.
inline constexpr llvm::StringLiteral seldomElseAttrName = "tegula.seldom_else";

/// Such a branch, of which LLVM knows as well: registers are for what is done
/// at most calls.
mlir::scf::IfOp createSeldomElse(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value condition);

/// On a function: what it does is the product of these arguments, given by
/// their positions, after a number to divide it by.
inline constexpr llvm::StringLiteral workAttrName = "tegula.work";

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_THREADS_PARALLELWORK_H
