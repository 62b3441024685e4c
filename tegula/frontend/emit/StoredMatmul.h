// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What becomes of a matmul where it is stored: the only value
/// that is rounded to narrower floats without a cast.

#ifndef TEGULA_FRONTEND_EMIT_STOREDMATMUL_H
#define TEGULA_FRONTEND_EMIT_STOREDMATMUL_H

#include "tegula/frontend/emit/Emitter.h"

namespace tegula {

/// A matmul in FP32, also one summed up in a loop, as FP16 or BF16
/// for a tensor or tile of `element`; other tiles as they are.
mlir::Value storedMatmul(Emitter &emitter, mlir::Location loc, mlir::Value tile,
                         mlir::Type element);

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_STOREDMATMUL_H
