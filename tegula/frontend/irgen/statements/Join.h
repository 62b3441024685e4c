// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The type of a variable that gets its value from several paths: the branches
/// of an `if`, or the iterations of a loop. Extents are joined, numbers take
/// the dtype of what they are joined with; anything else that differs is a
/// conflict.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_JOIN_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_JOIN_H

#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/emit/Emitter.h"

namespace tegula {

/// What a variable is where control flow joins.
class Join {
public:
  /// The join of one object, whose numbers become run-time values.
  static Join of(mlir::MLIRContext *context, const Object &object);
  /// The join of two objects, or nothing if they conflict. What is the same in
  /// both stays what it is.
  static std::optional<Join> of(mlir::MLIRContext *context, const Object &lhs,
                                const Object &rhs);

  /// Widens this join to describe `object` too; false if they conflict.
  bool widen(const Object &object);

  /// Widens this join to describe what `other` does; what conflicts is left.
  void widen(const Join &other);

  /// Says nothing more of extents that are not exact: for what grows in every
  /// iteration.
  void forgetBounds();

  /// Adds the run-time values that `object` consists of, converted to the types
  /// of this join at the emitter's insertion point. False if one of them
  /// cannot be converted, which is reported.
  bool flatten(Emitter &emitter, mlir::Location loc, const Object &object,
               llvm::SmallVectorImpl<mlir::Value> &values) const;

  /// An object that this join describes, whose value nobody reads: it is there
  /// before the first iteration of a loop. Extents that are not exact are 0.
  Object placeholder(Emitter &emitter, mlir::Location loc) const;

  /// Adds the types of those values.
  void addTypes(llvm::SmallVectorImpl<mlir::Type> &types) const;

  /// The object made of values, which are taken from the front.
  Object rebuild(llvm::ArrayRef<mlir::Value> &values) const;

  bool operator==(const Join &other) const;

private:
  enum class Kind { Same, Leaf, Tuple };

  bool widenLeaf(const Object &object);
  bool widenScalar(mlir::Type other, bool isOtherWeak);
  bool widenShaped(mlir::Type other);

  Kind kind = Kind::Same;
  /// The object itself, if it is the same on all paths.
  Object same;
  mlir::Type type;
  /// True while `type` is a guess for a number.
  bool isWeak = false;
  std::vector<Join> elements;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_JOIN_H
