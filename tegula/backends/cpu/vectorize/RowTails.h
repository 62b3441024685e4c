// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The end of a row: fewer elements than a vector has, under a mask.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_ROWTAILS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_ROWTAILS_H

#include "tegula/backends/cpu/vectorize/NestPart.h"

namespace tegula {

class RowTails : NestPart {
public:
  explicit RowTails(NestState &state) : NestPart(state) {}

  /// The rest of the vector's loop, once, with a mask of what is left.
  void emit(mlir::OpFoldResult from, mlir::OpFoldResult extent,
            llvm::function_ref<void(mlir::Value)> emitChunk);

  /// The lanes of this vector that lie before `to`: one at least, and fewer
  /// than 64.
  mlir::Value maskUntil(mlir::OpFoldResult to);

  /// What `emitShort` makes where half a vector holds what is `left`, else what
  /// `emitLong` makes: a value of the type, if there is one.
  mlir::Value inHalvesIfShort(mlir::OpFoldResult left, mlir::Type type,
                              llvm::function_ref<mlir::Value()> emitLong,
                              llvm::function_ref<mlir::Value()> emitShort);
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_ROWTAILS_H
