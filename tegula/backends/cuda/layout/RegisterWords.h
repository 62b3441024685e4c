// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elements side by side in memory as words of 32 bits.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_REGISTERWORDS_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_REGISTERWORDS_H

#include "mlir/IR/Builders.h"

namespace tegula {

/// Loads as many elements of a type, a power of two, as there are coordinates,
/// from an address that is a multiple of all of them.
void loadWords(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::Value address, mlir::Type element,
               llvm::MutableArrayRef<mlir::Value> elements);
/// Stores them.
void storeWords(mlir::OpBuilder &builder, mlir::Location loc,
                mlir::Value address, llvm::ArrayRef<mlir::Value> elements);

/// An instruction of PTX that has no result.
void emitInstruction(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::StringRef text, llvm::StringRef operands,
                     mlir::ValueRange values);

/// The elements of a word of 32 bits, the first one lowest; and one of them,
/// from a bit on.
mlir::Value packWord(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::ArrayRef<mlir::Value> elements);
mlir::Value takePart(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value word, mlir::Type element, unsigned bit);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_REGISTERWORDS_H
