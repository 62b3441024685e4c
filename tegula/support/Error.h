// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How everything that has no location in a kernel's source reports a mistake:
/// files, options and calls return llvm::Error or llvm::Expected.

#ifndef TEGULA_SUPPORT_ERROR_H
#define TEGULA_SUPPORT_ERROR_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include <string>
#include <utility>

namespace tegula {

using llvm::Error;
using llvm::Expected;

/// An error that says `message`: lower case, no final period.
[[nodiscard]] Error makeTextError(const std::string &message);

/// An error whose message is made by llvm::formatv: "{0} is {1}".
template <typename... Values>
[[nodiscard]] Error makeError(const char *format, Values &&...values) {
  return makeTextError(
      llvm::formatv(format, std::forward<Values>(values)...).str());
}

/// The same where the system refused something: `code` is an errno.
template <typename... Values>
[[nodiscard]] Error makeSystemError(int code, const char *format,
                                    Values &&...values) {
  return llvm::createStringError(
      std::error_code(code, std::generic_category()),
      llvm::formatv(format, std::forward<Values>(values)...).str());
}

/// True if an error was made by makeSystemError.
inline bool isSystemError(const llvm::ErrorInfoBase &error) {
  return error.convertToErrorCode() != llvm::inconvertibleErrorCode();
}

} // namespace tegula

#endif // TEGULA_SUPPORT_ERROR_H
