// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ops of the pl dialect.

#ifndef TEGULA_IR_OPS_PLOPS_H
#define TEGULA_IR_OPS_PLOPS_H

#include "tegula/ir/ops/PlDialect.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tegula::pl::detail {

/// The extent of an elementwise op along an axis: where all tiles are valid.
ExtentRule elementwiseRule(mlir::Operation *op, unsigned axis);

/// Runs an elementwise op on scalars, or on tiles where all of them are valid.
llvm::LogicalResult interpretElementwise(mlir::Operation *op, Frame &frame);

/// The result type of an elementwise op: where all operands are valid. Operands
/// are all tiles or all scalars, of one element type.
llvm::LogicalResult inferElementwise(std::optional<mlir::Location> location,
                                     mlir::ValueRange operands,
                                     llvm::SmallVectorImpl<mlir::Type> &types);
/// The same with boolean elements.
llvm::LogicalResult inferComparison(std::optional<mlir::Location> location,
                                    mlir::ValueRange operands,
                                    llvm::SmallVectorImpl<mlir::Type> &types);
/// The same where the first operand is a mask.
llvm::LogicalResult inferSelect(std::optional<mlir::Location> location,
                                mlir::ValueRange operands,
                                llvm::SmallVectorImpl<mlir::Type> &types);

} // namespace tegula::pl::detail

#define GET_OP_CLASSES
#include "tegula/ir/ops/Pl_op.h.inc"

#endif // TEGULA_IR_OPS_PLOPS_H
