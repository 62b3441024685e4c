// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Short forms for code that works on the bits of numbers.

#ifndef TEGULA_IR_INTERPRETER_INTEGERBITS_H
#define TEGULA_IR_INTERPRETER_INTEGERBITS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

namespace tegula::pl {

/// Builds arithmetic on values of one shape: scalars, or vectors of one length.
class IntegerBits {
public:
  IntegerBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type shape)
      : builder(builder), loc(loc), shape(shape) {}

  /// The type of that element in this shape.
  mlir::Type typeOf(mlir::Type element) const {
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(shape);
    return shaped ? mlir::Type(shaped.clone(element)) : element;
  }
  mlir::Type integers(unsigned width) const {
    return typeOf(builder.getIntegerType(width));
  }
  mlir::Value constant(mlir::Value like, int64_t number) {
    mlir::Type type = like.getType();
    mlir::TypedAttr attribute =
        builder.getIntegerAttr(mlir::getElementTypeOrSelf(type), number);
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type))
      attribute =
          mlir::DenseElementsAttr::get(shaped, mlir::Attribute(attribute));
    return mlir::arith::ConstantOp::create(builder, loc, attribute);
  }
  mlir::Value real(double number) {
    mlir::TypedAttr attribute =
        builder.getF32FloatAttr(static_cast<float>(number));
    if (auto shaped =
            llvm::dyn_cast<mlir::ShapedType>(typeOf(builder.getF32Type())))
      attribute =
          mlir::DenseElementsAttr::get(shaped, mlir::Attribute(attribute));
    return mlir::arith::ConstantOp::create(builder, loc, attribute);
  }

  template <typename Op> mlir::Value make(mlir::Value lhs, mlir::Value rhs) {
    return Op::create(builder, loc, lhs, rhs);
  }
  template <typename Op> mlir::Value make(mlir::Value lhs, int64_t rhs) {
    return make<Op>(lhs, constant(lhs, rhs));
  }
  template <typename Op> mlir::Value to(mlir::Type type, mlir::Value value) {
    return Op::create(builder, loc, type, value);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) {
    return mlir::arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      int64_t rhs) {
    return compare(predicate, lhs, constant(lhs, rhs));
  }
  mlir::Value select(mlir::Value condition, mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::SelectOp::create(builder, loc, condition, lhs, rhs);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type shape;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_INTEGERBITS_H
