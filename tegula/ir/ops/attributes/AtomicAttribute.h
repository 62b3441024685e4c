// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the author asked to be one sum in place, and what others may add to at
/// the same time.

#ifndef TEGULA_IR_OPS_ATTRIBUTES_ATOMICATTRIBUTE_H
#define TEGULA_IR_OPS_ATTRIBUTES_ATOMICATTRIBUTE_H

#include "llvm/ADT/StringRef.h"

namespace tegula::pl {

/// On the read and on the write that together add to memory.
inline constexpr llvm::StringLiteral atomicAttrName = "pl.atomic";

/// On both, if iterations that run at once may add to the same elements: one
/// does so after the other.
inline constexpr llvm::StringLiteral lockedAttrName = "pl.locked";

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_ATTRIBUTES_ATOMICATTRIBUTE_H
