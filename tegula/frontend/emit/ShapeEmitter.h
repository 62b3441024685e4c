// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Broadcasting, and axes that are combined.

#ifndef TEGULA_FRONTEND_EMIT_SHAPEEMITTER_H
#define TEGULA_FRONTEND_EMIT_SHAPEEMITTER_H

#include "tegula/frontend/emit/EmitterPart.h"

namespace tegula {

class ShapeEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  /// True if two axes can be combined: their extents are equal, or a static
  /// bound covers both. Otherwise says that they differ.
  bool check(mlir::Location loc, mlir::Value lhs, unsigned lhsAxis,
             mlir::Value rhs, unsigned rhsAxis);
  /// True if two extents are equal, as far as that is tried.
  bool isProvedEqual(mlir::Location loc, mlir::Value lhs, unsigned lhsAxis,
                     mlir::Value rhs, unsigned rhsAxis);
  /// Brings tiles to one shape; false if they have none.
  bool broadcastTogether(mlir::Location loc,
                         llvm::MutableArrayRef<mlir::Value> tiles);
  /// A tile repeated to the shape of `like`; null if it does not fit.
  mlir::Value broadcastTo(mlir::Location loc, mlir::Value tile,
                          mlir::Value like);
  /// The same tile or tensor under a type that says less.
  mlir::Value relax(mlir::Location loc, mlir::Value value, mlir::Type type);
  /// A tile of the extents of `like`, every element `scalar`.
  mlir::Value fullLike(mlir::Location loc, mlir::Value scalar,
                       mlir::Value like);

private:
  bool checkAxis(mlir::Location loc, unsigned fromEnd, mlir::Value lead,
                 mlir::Value other);
  std::optional<mlir::Value> leadOf(mlir::Location loc,
                                    llvm::ArrayRef<mlir::Value> tiles,
                                    unsigned fromEnd);

  /// How often it is still tried to prove that tiles with bounds are equally
  /// long: a long kernel is compiled in reasonable time all the same.
  unsigned proofsLeft = 100;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_SHAPEEMITTER_H
