// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How what `pl.static_print` says is told from other remarks.

#ifndef TEGULA_FRONTEND_DIAGNOSTICS_STATICPRINT_H
#define TEGULA_FRONTEND_DIAGNOSTICS_STATICPRINT_H

#include "llvm/ADT/StringRef.h"

namespace tegula {

/// The name of the location that such a remark is about.
inline constexpr llvm::StringLiteral staticPrintName = "pl.static_print";

} // namespace tegula

#endif // TEGULA_FRONTEND_DIAGNOSTICS_STATICPRINT_H
