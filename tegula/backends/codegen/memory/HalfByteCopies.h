// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elements of tensors of half bytes.

#ifndef TEGULA_BACKENDS_CODEGEN_MEMORY_HALFBYTECOPIES_H
#define TEGULA_BACKENDS_CODEGEN_MEMORY_HALFBYTECOPIES_H

#include "tegula/backends/codegen/memory/View.h"

namespace tegula {

class TileLowering;

/// Moves elements between a tile and a tensor of half bytes.
void loadHalfBytes(TileLowering &lowering, const View &target,
                   const View &source, bool isSigned, mlir::Location loc);
void storeHalfBytes(TileLowering &lowering, const View &target,
                    const View &source, mlir::Location loc);
/// Writes an i4 where the view begins.
void writeHalfByte(TileLowering &lowering, const View &target,
                   mlir::Value element, mlir::Location loc);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_MEMORY_HALFBYTECOPIES_H
