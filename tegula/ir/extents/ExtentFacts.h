// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is known of extents: which are constant, which are equal, what bounds
/// and divides them. Everything is derived from the IR when it is asked for;
/// nothing is stored next to it.

#ifndef TEGULA_IR_EXTENTS_EXTENTFACTS_H
#define TEGULA_IR_EXTENTS_EXTENTFACTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace tegula::pl {

/// Where an extent comes from: a constant, an index value such as a symbol, or
/// else an axis of a tensor or a tile whose own op computes it.
struct ExtentRoot {
  /// The constant or the index value, if it is one.
  mlir::OpFoldResult value;
  /// Otherwise the tensor or tile, and which axis of it.
  mlir::Value shaped;
  unsigned axis = 0;

  bool operator==(const ExtentRoot &other) const {
    return value == other.value && shaped == other.shaped && axis == other.axis;
  }
};

/// The extent is the least of these, each listed once; followed through windows
/// and extent rules as far as they do not change it.
llvm::SmallVector<ExtentRoot, 2> rootsOfExtent(mlir::Value shaped,
                                               unsigned axis);

/// The same, or the extent itself where more than a few values would have to be
/// looked at: for folds, which ask again and again.
llvm::SmallVector<ExtentRoot, 2> nearRootsOfExtent(mlir::Value shaped,
                                                   unsigned axis);

/// Replaces every pl.dim in `root` by the extents it comes from, all in one go:
/// asking for each of them alone takes time quadratic in the length of a chain
/// of ops.
void resolveExtents(mlir::Operation *root);

/// Builds the least of the roots at the builder's insertion point.
mlir::Value buildLeast(mlir::OpBuilder &builder, mlir::Location loc,
                       llvm::ArrayRef<ExtentRoot> roots);

/// True if the two extents are equal whenever `where` runs.
bool areEqualExtents(mlir::Value lhs, unsigned lhsAxis, mlir::Value rhs,
                     unsigned rhsAxis, mlir::Operation *where);

/// True if the index value is an extent, and so not negative: a symbol, a
/// pl.dim, or one that a pl.with_extents names in the block where it is made.
bool isKnownExtent(mlir::Value index);

/// The largest number known to divide an index value (0 divides only by
/// itself, so a constant 0 gives 0).
uint64_t knownDivisor(mlir::Value index);

/// The name of the symbol, or the constant, that an extent is: for messages.
std::string describeExtent(mlir::Value shaped, unsigned axis);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_EXTENTFACTS_H
