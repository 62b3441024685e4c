// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What loops say besides what they do.

#ifndef TEGULA_IR_OPS_ATTRIBUTES_LOOPATTRIBUTES_H
#define TEGULA_IR_OPS_ATTRIBUTES_LOOPATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tegula::pl {

/// On a loop that no author wrote: nobody is told how it runs.
inline constexpr llvm::StringLiteral madeAttrName = "pl.made";

/// On a loop of which the author says that its iterations are independent but
/// for the sums in place, which may come in any order.
inline constexpr llvm::StringLiteral saidAttrName = "pl.said";

/// On a loop that takes no more rows at a time than the nearest caches hold,
/// however long they are.
inline constexpr llvm::StringLiteral fitsRowsAttrName = "pl.fits_rows";

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_ATTRIBUTES_LOOPATTRIBUTES_H
