// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The cuda dialect: attributes that say which variants a kernel has, each with
/// the struct that launches read; layouts of tiles, and ops of threads.

#ifndef TEGULA_BACKENDS_CUDA_CUDADIALECT_H
#define TEGULA_BACKENDS_CUDA_CUDADIALECT_H

#include "tegula/launch/FieldCodec.h"
#include "tegula/launch/gpu/variants/GpuAttention.h"
#include "tegula/launch/gpu/variants/GpuMatmul.h"
#include "tegula/launch/gpu/variants/GpuRows.h"

#include "tegula/ir/ops/PlDialect.h"
#include "tegula/transforms/rows/VariantRejection.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tegula {

/// For MLIR, which finds equal attributes by it.
template <typename T, size_t = sizeof(Fields<T>)>
llvm::hash_code hash_value(const T &value) { // NOLINT: found by its name
  return llvm::hash_value(toBytes(value));
}

} // namespace tegula

#include "tegula/backends/cuda/Cuda_dialect.h.inc"

#include "tegula/backends/cuda/Cuda_enum.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tegula/backends/cuda/Cuda_attrdef.h.inc"

#define GET_OP_CLASSES
#include "tegula/backends/cuda/Cuda_op.h.inc"

namespace tegula {

/// On an op with one tile: its layout. On a loop or a branch: those of its
/// results, unit where one is no tile.
inline constexpr llvm::StringLiteral layoutAttrName = "cuda.layout";
inline constexpr llvm::StringLiteral layoutsAttrName = "cuda.layouts";

/// On a load or a read of one element: the loop writes its tensor, too, so it
/// happens where it stands, after the barrier that it needs.
inline constexpr llvm::StringLiteral orderedAttrName = "cuda.ordered";

namespace cuda {
/// On a cuda.thread: blocks that run at once should load the same.
inline constexpr llvm::StringLiteral groupedAttrName = "tegula.grouped";
/// On cuda.thread: blocks that a multiprocessor has registers for at once.
inline constexpr llvm::StringLiteral residentBlocksAttrName =
    "tegula.resident_blocks";
} // namespace cuda

/// True for the attributes of CudaLayouts.td.
bool isLayout(mlir::Attribute attribute);

/// The attribute of an operation that has the name of its kind: `cuda.matmul`
/// holds a `#cuda.matmul`. Null if there is none.
template <typename Variant> Variant getVariant(mlir::Operation *op) {
  return op->getAttrOfType<Variant>(Variant::name);
}

/// Notes one.
template <typename Variant, typename Struct>
void setVariant(mlir::Operation *op, const Struct &fields) {
  op->setAttr(Variant::name, Variant::get(op->getContext(), fields));
}

/// Notes why the op has no variant of a kind, and where that shows: at
/// `otherwise` if it is nothing in particular.
template <typename Rejection>
void setRejection(mlir::Operation *op, const VariantRejection &rejection,
                  mlir::Operation *otherwise) {
  mlir::Operation *at = rejection.op ? rejection.op : otherwise;
  op->setAttr(Rejection::name,
              Rejection::get(op->getContext(), rejection.why, at->getLoc()));
}

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_CUDADIALECT_H
