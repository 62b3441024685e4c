// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Functions of other systems that are about their machines. Program order is
/// the meaning here, so what orders memory, waits or hints has nothing to do:
/// it is accepted and does nothing. What would have to move data through a
/// machine's own channels, or needs its number formats, is refused.

#ifndef TEGULA_FRONTEND_CONSTANTS_LIBRARY_VENDORFUNCTIONS_H
#define TEGULA_FRONTEND_CONSTANTS_LIBRARY_VENDORFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tegula {

/// Why a function that is about another system's machine cannot be called;
/// empty if it can, and does nothing. Nothing if it is no such function.
std::optional<llvm::StringRef> vendorReason(llvm::StringRef name);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_LIBRARY_VENDORFUNCTIONS_H
