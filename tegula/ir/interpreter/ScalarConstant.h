// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers as constants of a program.

#ifndef TEGULA_IR_INTERPRETER_SCALARCONSTANT_H
#define TEGULA_IR_INTERPRETER_SCALARCONSTANT_H

#include "tegula/ir/ops/PlDialect.h"

namespace tegula::pl {

/// A number as a constant of a float or signless integer type: its low bits
/// where the type is narrower, extended as its own type says where it is wider.
mlir::TypedAttr toAttribute(Scalar number, mlir::Type type);

/// Builds a number as a scalar of an element type that holds it.
mlir::Value buildNumber(mlir::OpBuilder &builder, mlir::Location loc,
                        Scalar number, mlir::Type element);

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_SCALARCONSTANT_H
