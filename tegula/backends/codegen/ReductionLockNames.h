// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The routines of KernelAbi.h between which one thread at a time adds to a
/// tensor, by name: several passes look for their calls.

#ifndef TEGULA_BACKENDS_CODEGEN_REDUCTIONLOCKNAMES_H
#define TEGULA_BACKENDS_CODEGEN_REDUCTIONLOCKNAMES_H

#include "llvm/ADT/StringRef.h"

namespace tegula {

inline constexpr llvm::StringLiteral lockReductionName = "tegulaLockReduction";
inline constexpr llvm::StringLiteral unlockReductionName =
    "tegulaUnlockReduction";

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_REDUCTIONLOCKNAMES_H
