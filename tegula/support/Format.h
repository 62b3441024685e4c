// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shapes and numbers as they stand in messages.

#ifndef TEGULA_SUPPORT_FORMAT_H
#define TEGULA_SUPPORT_FORMAT_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>

namespace tegula {

/// "[3, 4]"
std::string formatShape(llvm::ArrayRef<int64_t> sizes);

/// The shortest text with up to ten digits: "2.5", "1e+300".
std::string formatNumber(double value);

} // namespace tegula

#endif // TEGULA_SUPPORT_FORMAT_H
