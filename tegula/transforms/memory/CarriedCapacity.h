// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How long what goes around a loop can get, known before the loop: the memory
/// it needs. Extents that are handed from one carried value to another are
/// bounded together, never one by one.

#ifndef TEGULA_TRANSFORMS_MEMORY_CARRIEDCAPACITY_H
#define TEGULA_TRANSFORMS_MEMORY_CARRIEDCAPACITY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace tegula {

/// What one place among the values that go around a loop is at the start, in a
/// iteration, and at the end of an iteration.
struct CarriedIndex {
  mlir::Value init;
  mlir::BlockArgument argument;
  mlir::Value next;
};

/// The value that goes around an scf.for, or comes into the condition of an
/// scf.while, as this argument; nothing if it is no such argument.
std::optional<CarriedIndex> findCarried(mlir::Value argument);

/// A value that the index `argument`, which goes around the loop, never
/// exceeds, built before the loop; null if none is proved.
///
///   for (a = M, b = N) { a' = b; b' = max(b - 1, 0) }
///
/// a is at most max(M, N) in every iteration, because if both are, so are a'
/// and b'.
mlir::Value buildCapacity(mlir::Value argument);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MEMORY_CARRIEDCAPACITY_H
