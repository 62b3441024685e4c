// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pl dialect: its attributes, types and interfaces. The ops are in
/// PlOps.h.

#ifndef TEGULA_IR_OPS_PLDIALECT_H
#define TEGULA_IR_OPS_PLDIALECT_H

#include "tegula/ir/Scalar.h"
#include "tegula/ir/extents/Dim.h"
#include "tegula/ir/extents/ExtentRule.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "tegula/ir/ops/Pl_dialect.h.inc"

#include "tegula/ir/ops/Pl_enum.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tegula/ir/ops/Pl_attrdef.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tegula/ir/ops/Pl_typedef.h.inc"

namespace tegula::pl {

class Frame;

/// How many instructions an op takes for one element, where an addition takes
/// one.
struct OpCost {
  int64_t floats;
  int64_t integers;
};

/// True for the types a tensor or a tile can hold.
bool isElementType(mlir::Type type);
/// True for element types and index.
bool isScalarType(mlir::Type type);
/// The element type of a tensor or a tile; any other type itself.
mlir::Type getElementOrSelf(mlir::Type type);
/// The dims of a tensor or a tile.
llvm::ArrayRef<Dim> getDims(mlir::Type type);
/// The same container with another element type; a scalar becomes it.
mlir::Type withElement(mlir::Type type, mlir::Type element);

/// True for a tile with an axis that has no static bound.
bool isUnboundedTile(mlir::Value value);

bool isFloat(mlir::Type element);
/// Floats narrower than FP32, which are computed in FP32.
bool isNarrowFloat(mlir::Type element);
bool isBool(mlir::Type element);
/// Integers and booleans, not index.
bool isIntegerOrBool(mlir::Type element);
/// Floats and integers; neither booleans nor index.
bool isNumeric(mlir::Type element);
bool isUnsigned(mlir::Type element);
/// Signed integers; neither floats nor booleans.
bool isSigned(mlir::Type element);

/// The name of a scalar type in the language, "FP32"; of other types what MLIR
/// prints.
std::string getTypeName(mlir::Type scalar);

/// The element type of data for a scalar type; nothing for other types.
std::optional<DType> getDType(mlir::Type scalar);

/// The dim of an extent given as an index value: exact if constant, bounded if
/// a constant bound can be proved.
Dim dimOfExtent(mlir::Value extent);

/// The dim of a window of an extent that `source` describes.
Dim dimOfWindow(Dim source, mlir::Value offset, mlir::Value size);

/// Builds `max(0, min(size, extent - max(0, offset)))`, folded as far as it
/// goes. A negative offset is an error of the call, which goes on all the same.
mlir::Value buildWindowExtent(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value extent, mlir::Value offset,
                              mlir::Value size);

/// Builds max(0, size), folded where it can be.
mlir::Value buildExtentOfSize(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value size);

/// Builds the extent of a tensor or a tile along an axis: a constant, the
/// symbol bound to it, or a pl.dim.
mlir::Value buildExtent(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value shaped, unsigned axis);

/// Names used for attributes on func.func and its arguments.
inline constexpr llvm::StringLiteral kindAttrName = "pl.kind";
/// On an op that makes a tensor or a tile: the memory it is to lie in.
inline constexpr llvm::StringLiteral spaceAttrName = "pl.space";
/// On a loop: how many of its iterations the author wants to overlap.
inline constexpr llvm::StringLiteral stagesAttrName = "pl.stages";
inline constexpr llvm::StringLiteral nameAttrName = "pl.name";
inline constexpr llvm::StringLiteral directionAttrName = "pl.dir";

namespace detail {

mlir::Value reifyExtent(mlir::OpBuilder &builder, mlir::Operation *op,
                        unsigned axis);
llvm::LogicalResult verifyExtents(mlir::Operation *op);

} // namespace detail

} // namespace tegula::pl

#include "tegula/ir/ops/Pl_interface.h.inc"

#endif // TEGULA_IR_OPS_PLDIALECT_H
