// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an author may have meant by a name that does not exist. Names that are
/// written alike are found here; what other systems call things is in
/// NamesElsewhere.h.

#ifndef TEGULA_FRONTEND_DIAGNOSTICS_NEARESTNAMES_H
#define TEGULA_FRONTEND_DIAGNOSTICS_NEARESTNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tegula {

/// "; did you mean 'pl.sum' or 'pl.sub'?": those of `names` that are nearest to
/// `name`, at most three, each after `prefix`. Empty if none is near.
std::string didYouMean(llvm::StringRef name,
                       llvm::ArrayRef<llvm::StringRef> names,
                       llvm::StringRef prefix = "");

} // namespace tegula

#endif // TEGULA_FRONTEND_DIAGNOSTICS_NEARESTNAMES_H
