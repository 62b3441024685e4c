// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The format of pl.print: text with `{}` for values and doubled braces.

#ifndef TEGULA_IR_OPS_SEMANTICS_PRINTFORMAT_H
#define TEGULA_IR_OPS_SEMANTICS_PRINTFORMAT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tegula::pl {

/// How many values a format shows.
size_t countPlaceholders(llvm::StringRef format);

/// The text with its braces doubled.
std::string escapeBraces(llvm::StringRef text);

/// The beginning of a record (support/PrintAbi.h): all but its values.
std::vector<int64_t> encodeText(llvm::StringRef text);

} // namespace tegula::pl

#endif // TEGULA_IR_OPS_SEMANTICS_PRINTFORMAT_H
