// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory a tile or a tensor lives in, while tiles are being lowered: a base
/// and index arithmetic. A memref is made of it only where code reads or
/// writes it.

#ifndef TEGULA_BACKENDS_CODEGEN_MEMORY_VIEW_H
#define TEGULA_BACKENDS_CODEGEN_MEMORY_VIEW_H

#include "tegula/backends/codegen/IndexMath.h"
#include "tegula/ir/ops/PlDialect.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tegula {

/// The type of a scalar in lowered code: integers are signless.
mlir::Type signlessType(mlir::Type type);

/// An element as stored in memory, in the signless type `wanted` of its tile.
/// Memory may be wider than the tile.
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value element, mlir::Type wanted);

/// The other way round: the element in the type `wanted` of memory, which holds
/// it exactly.
mlir::Value toMemory(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value element, mlir::Type wanted, bool isSigned);

/// Where the base of a view lies in one of the machine's memories.
struct ScratchSlot {
  pl::MemorySpace space;
  /// From the start of that memory.
  mlir::OpFoldResult bytes;
};

/// The type of a tensor's elements in a view of it: i4 if they are half bytes.
mlir::Type tensorElement(mlir::Type element);

/// Where the low half of the byte at `pointer` is (HalfBytes.h).
mlir::Value halfByteAt(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value pointer);

/// The i4 at the address of a half byte.
mlir::Value readHalfByte(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value half);

/// A strided box of elements: element (i, j) is at
/// `offset + i * strides[0] + j * strides[1]` from the base's first.
struct View {
  /// The LLVM pointer all offsets count from; of half bytes the address of one.
  mlir::Value base;
  /// The type of the elements in memory; i4 for half bytes, which nothing reads
  /// or writes as a memref.
  mlir::Type element;
  mlir::OpFoldResult offset;
  Indices sizes;
  Indices strides;
  /// Not there for tensors, and for memory that only generated code knows of.
  std::optional<ScratchSlot> slot = std::nullopt;
  /// An i1 if what is stored there may go past the caches: whether it does.
  mlir::Value streams = {};

  unsigned getRank() const { return sizes.size(); }
  bool isHalfBytes() const { return element.isInteger(4); }

  /// The same elements with the first `extents` of each axis only.
  View shrink(llvm::ArrayRef<mlir::OpFoldResult> extents) const;
  /// The box of `extents` that starts at `offsets`.
  View window(IndexMath math, llvm::ArrayRef<mlir::OpFoldResult> offsets,
              llvm::ArrayRef<mlir::OpFoldResult> extents) const;
  /// The axes named, in that order; the others are fixed at their start.
  View axes(llvm::ArrayRef<unsigned> kept) const;
  /// True if the elements of the last axis are known to be contiguous.
  bool hasUnitInnerStride() const;
  /// The view as a memref whose type says what is known.
  mlir::Value asMemRef(mlir::OpBuilder &builder, mlir::Location loc) const;
  /// The address of the first element, as an LLVM pointer.
  mlir::Value asPointer(mlir::OpBuilder &builder, mlir::Location loc) const;
};

/// A view of whole rows one after the other from the LLVM pointer on.
View contiguousView(mlir::Value pointer, mlir::Type element,
                    llvm::ArrayRef<int64_t> shape);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_MEMORY_VIEW_H
