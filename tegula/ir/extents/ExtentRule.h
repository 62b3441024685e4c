// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an op does to one axis, as data: the extent of its result in terms of
/// its operands. Each op states it once (ExtentRules.cpp); types, reified
/// extents, tracing, proofs and back ends all read it.

#ifndef TEGULA_IR_EXTENTS_EXTENTRULE_H
#define TEGULA_IR_EXTENTS_EXTENTRULE_H

#include "tegula/ir/extents/Dim.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <vector>

namespace tegula::pl {

/// The extent of one axis of a result. For example, `pl.window %t[%i] [%n]` has
/// the rule `window(axis(%t, 0), %i, %n)`: max(0, min(%n, extent - max(0,
/// %i))).
class ExtentRule {
public:
  enum class Kind {
    /// A number.
    Constant,
    /// An index operand as an extent: max(0, value).
    Size,
    /// An index operand that is an extent already.
    Extent,
    /// The extent of an operand along an axis.
    Axis,
    /// The least of the parts.
    Least,
    /// The same where tiles meet: parts known to differ are a mistake.
    Meet,
    /// The sum of the parts.
    Sum,
    /// What a window leaves of the part.
    Window,
    /// `value` times the part, which is 0 or 1.
    Repeat
  };

  static ExtentRule constant(int64_t number);
  static ExtentRule size(mlir::Value size);
  static ExtentRule extent(mlir::Value extent);
  static ExtentRule axis(mlir::Value shaped, unsigned axis);
  static ExtentRule least(std::vector<ExtentRule> parts);
  static ExtentRule meet(std::vector<ExtentRule> parts);
  /// Where all tiles are valid along an axis they share.
  static ExtentRule meet(mlir::ValueRange tiles, unsigned axis);
  static ExtentRule sum(ExtentRule lhs, ExtentRule rhs);
  static ExtentRule window(ExtentRule extent, mlir::Value offset,
                           mlir::Value size);
  static ExtentRule repeat(mlir::Value size, ExtentRule count);

  Kind getKind() const { return kind; }
  /// Of a constant.
  int64_t getNumber() const { return number; }
  /// The operand of a size, an extent, an axis or a repetition.
  mlir::Value getValue() const { return value; }
  /// Which axis of the operand.
  unsigned getAxis() const { return static_cast<unsigned>(number); }
  /// The offset and the size of a window.
  mlir::Value getOffset() const { return offset; }
  mlir::Value getSize() const { return value; }
  llvm::ArrayRef<ExtentRule> getParts() const { return parts; }

  /// What is known of the extent from the types and constants of the operands;
  /// nothing, and an error at `loc` if there is one, where tiles meet whose
  /// extents are known to differ. `axis` is named in the error.
  std::optional<Dim> getDim(std::optional<mlir::Location> loc,
                            unsigned axis) const;
  /// The same where it is known that nothing differs.
  Dim getDim() const;

  /// Builds the extent as an index value at the insertion point.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  ExtentRule(Kind kind) : kind(kind) {}

  std::optional<Dim> meetDims(std::optional<mlir::Location> loc,
                              unsigned axis) const;

  Kind kind;
  int64_t number = 0;
  mlir::Value value, offset;
  std::vector<ExtentRule> parts;
};

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_EXTENTRULE_H
