// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the compiler says of a kernel that it compiled nevertheless.

#ifndef TEGULA_LAUNCH_CALL_KERNELWARNING_H
#define TEGULA_LAUNCH_CALL_KERNELWARNING_H

#include <cstdint>
#include <string>

namespace tegula {

/// Something in the source that may not have been meant.
struct KernelWarning {
  std::string path;
  uint64_t line = 0;
  /// What it is, and what to write; without the location.
  std::string message;
  /// All of it as it is printed: the location, the message, the source line and
  /// a caret.
  std::string text;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_KERNELWARNING_H
