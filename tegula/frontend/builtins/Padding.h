// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers that fill a tile: what a pad means for an element type.

#ifndef TEGULA_FRONTEND_BUILTINS_PADDING_H
#define TEGULA_FRONTEND_BUILTINS_PADDING_H

#include "tegula/frontend/builtins/BuiltinCall.h"

namespace tegula {

/// The number a pad argument means: pl.PadValue.zero, max or min, or a number.
/// Zero if it is left out; null, and an error, if it is none of these.
mlir::Value padScalar(const BuiltinCall &call, const BuiltinArgument &given,
                      mlir::Type element);

/// A tile of these dims and extents, `value` everywhere but where `tile` is
/// valid; null, and an error, if it does not fit.
mlir::Value padTo(const BuiltinCall &call, mlir::Value tile, mlir::Value value,
                  llvm::ArrayRef<pl::Dim> dims,
                  llvm::ArrayRef<mlir::Value> extents);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_PADDING_H
