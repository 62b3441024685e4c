// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Booleans used as numbers: 0 and 1, in the type that was compared.

#ifndef TEGULA_FRONTEND_EMIT_BOOLEANCOUNTS_H
#define TEGULA_FRONTEND_EMIT_BOOLEANCOUNTS_H

#include "tegula/frontend/emit/EmitterPart.h"

namespace tegula {

class BooleanCounts : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  /// The operands of arithmetic, booleans among them as 0 and 1 if no other
  /// operand decides what they become. They are then of the type that was
  /// compared, if they come from comparisons, and otherwise FP32 next to a
  /// float and INT32.
  llvm::SmallVector<Object> count(mlir::Location loc,
                                  llvm::ArrayRef<Object> operands);
  /// A tile of booleans as 0 and 1 for a tensor or tile of `element`; other
  /// tiles as they are.
  mlir::Value stored(mlir::Location loc, mlir::Value tile, mlir::Type element);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_BOOLEANCOUNTS_H
