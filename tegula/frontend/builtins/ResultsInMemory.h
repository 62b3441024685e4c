// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of ops that read and write memory where an author has values: what
/// goes in is put into memory, what comes out is loaded.

#ifndef TEGULA_FRONTEND_BUILTINS_RESULTSINMEMORY_H
#define TEGULA_FRONTEND_BUILTINS_RESULTSINMEMORY_H

#include "tegula/frontend/builtins/BuiltinCall.h"

namespace tegula {

/// A tensor itself, a tile in memory made for it.
mlir::Value inMemory(const BuiltinCall &call, mlir::Value shaped);

/// What an op has put into memory, as a tile.
Object loaded(const BuiltinCall &call, mlir::Value memory);

/// True if a tensor or tile holds numbers; an error otherwise.
bool checkNumbers(const BuiltinCall &call, mlir::Value shaped);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_RESULTSINMEMORY_H
