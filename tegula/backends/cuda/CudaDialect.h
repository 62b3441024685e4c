// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The cuda dialect: attributes that say which variants a kernel has. Each
/// holds the struct that launches read.

#ifndef TEGULA_BACKENDS_CUDA_CUDADIALECT_H
#define TEGULA_BACKENDS_CUDA_CUDADIALECT_H

#include "tegula/launch/FieldCodec.h"
#include "tegula/launch/gpu/GpuAttention.h"
#include "tegula/launch/gpu/GpuMatmul.h"
#include "tegula/launch/gpu/GpuRows.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Dialect.h"

namespace tegula {

/// For MLIR, which finds equal attributes by it.
template <typename T, size_t = sizeof(Fields<T>)>
llvm::hash_code hash_value(const T &value) { // NOLINT: found by its name
  return llvm::hash_value(toBytes(value));
}

} // namespace tegula

#include "tegula/backends/cuda/Cuda_dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tegula/backends/cuda/Cuda_attr.h.inc"

namespace tegula {

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

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_CUDADIALECT_H
