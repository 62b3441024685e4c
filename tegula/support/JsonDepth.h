// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Text from outside that is read as JSON.

#ifndef TEGULA_SUPPORT_JSONDEPTH_H
#define TEGULA_SUPPORT_JSONDEPTH_H

#include "llvm/ADT/StringRef.h"

namespace tegula {

/// True if `text` has so many brackets in brackets that reading it, which is
/// recursive, could use up the stack.
bool isDeep(llvm::StringRef text);

} // namespace tegula

#endif // TEGULA_SUPPORT_JSONDEPTH_H
