// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the author asked to be one sum in place.

#ifndef TEGULA_IR_ATOMICATTRIBUTE_H
#define TEGULA_IR_ATOMICATTRIBUTE_H

#include "llvm/ADT/StringRef.h"

namespace tegula::pl {

/// On the read and on the write that together add to memory.
inline constexpr llvm::StringLiteral atomicAttrName = "pl.atomic";

} // namespace tegula::pl

#endif // TEGULA_IR_ATOMICATTRIBUTE_H
