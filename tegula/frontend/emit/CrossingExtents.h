// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Extents of values that come around a loop, out of a branch or out of a call.

#ifndef TEGULA_FRONTEND_EMIT_CROSSINGEXTENTS_H
#define TEGULA_FRONTEND_EMIT_CROSSINGEXTENTS_H

#include "tegula/frontend/emit/EmitterPart.h"

namespace tegula {

/// The parameter of a function that a value is, whatever is said of its
/// extents; null if it is none.
mlir::BlockArgument asParameter(mlir::Value value);

/// An extent of one of the values that come out of a loop, a branch, a region
/// or a call.
struct CrossingExtent {
  /// Which of the values, and which axis of it.
  unsigned position, axis;
  /// What it is; null if it comes out as a further value.
  mlir::Value known;
  /// False if the value knows its extents by itself: they are said only if all
  /// of them are known, so that others can be compared with them.
  bool mustBeSaid;
};

class CrossingExtents : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  /// The extents that nothing says once the values have crossed, in order:
  /// those that are not exact. None is known yet.
  std::vector<CrossingExtent> find(mlir::ValueRange values);
  /// An extent in terms of values that can be used here, if it comes from one
  /// place; null otherwise.
  mlir::Value simple(mlir::Location loc, mlir::Value shaped, unsigned axis);
  /// Takes those out that are not known and need not be said.
  static void dropUnknown(std::vector<CrossingExtent> &extents);
  /// True if an extent is the same here as there: proved if it must be said,
  /// seen at once otherwise.
  bool isSameAcross(const CrossingExtent &extent, mlir::Value here,
                    mlir::Value there);
  /// Says of the values, on the other side, what their extents are. Those that
  /// crossed are `further`, in order.
  void state(mlir::Location loc, llvm::ArrayRef<CrossingExtent> extents,
             llvm::MutableArrayRef<mlir::Value> values,
             mlir::ValueRange further);
  /// Adds to the values, on the near side, the extents that cross with them.
  void addFurther(mlir::Location loc, llvm::ArrayRef<CrossingExtent> extents,
                  llvm::SmallVectorImpl<mlir::Value> &values);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_CROSSINGEXTENTS_H
