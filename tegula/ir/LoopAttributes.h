// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What loops say beside what they do.

#ifndef TEGULA_IR_LOOPATTRIBUTES_H
#define TEGULA_IR_LOOPATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tegula::pl {

/// On a loop that no author wrote: nobody is told how it runs.
inline constexpr llvm::StringLiteral madeAttrName = "pl.made";

} // namespace tegula::pl

#endif // TEGULA_IR_LOOPATTRIBUTES_H
