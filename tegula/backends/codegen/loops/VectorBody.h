// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The body of a linalg.generic on several elements at once.

#ifndef TEGULA_BACKENDS_CODEGEN_LOOPS_VECTORBODY_H
#define TEGULA_BACKENDS_CODEGEN_LOOPS_VECTORBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

namespace tegula {

/// How the last element the body computes is combined with the one before:
/// `yield combine(before, element)`.
struct Combiner {
  mlir::Operation *op;
  mlir::vector::CombiningKind kind;
  /// A number that changes nothing when combined.
  mlir::TypedAttr neutral;
  /// Which operand of `op` is the element.
  unsigned elementPosition;

  /// The combiner of a reduction's body; nothing if it is of another form.
  static std::optional<Combiner> of(mlir::linalg::GenericOp op);
  mlir::Value apply(mlir::OpBuilder &builder, mlir::Value before,
                    mlir::Value element) const;
};

/// Emits the body of `op` once for `lanes` neighbouring elements. Values that
/// are the same for all lanes stay scalars.
class VectorBody {
public:
  VectorBody(mlir::OpBuilder &builder, mlir::linalg::GenericOp op,
             int64_t lanes)
      : builder(builder), op(op), lanes(lanes) {}

  void setLanes(int64_t count) { lanes = count; }

  /// Emits the body with these arguments (vectors or scalars) and loop indices
  /// and returns the value of `wanted`, a value of the body.
  mlir::Value emit(mlir::ValueRange arguments,
                   llvm::ArrayRef<mlir::Value> loopIndices, mlir::Value wanted);

  /// The scalar in all lanes; a vector is returned as it is.
  mlir::Value broadcast(mlir::Value value);

private:
  void emitOp(mlir::Operation &nested, mlir::IRMapping &mapping,
              llvm::ArrayRef<mlir::Value> loopIndices);
  mlir::Value emitIndex(mlir::linalg::IndexOp index,
                        llvm::ArrayRef<mlir::Value> loopIndices);

  mlir::OpBuilder &builder;
  mlir::linalg::GenericOp op;
  int64_t lanes;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_LOOPS_VECTORBODY_H
