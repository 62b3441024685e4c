// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies of a call's tensors, so that the call can be tried without touching
/// the caller's memory.

#ifndef TEGULA_RUNTIME_CHECK_ARGUMENTCOPIES_H
#define TEGULA_RUNTIME_CHECK_ARGUMENTCOPIES_H

#include "tegula/launch/call/Argument.h"
#include "tegula/support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <vector>

namespace tegula {

/// Arguments with the same strides and values in memory of their own.
class ArgumentCopies {
public:
  /// Fails if a tensor's extents are impossible or memory is short.
  [[nodiscard]] static Expected<ArgumentCopies>
  create(llvm::ArrayRef<Argument> arguments);

  llvm::ArrayRef<Argument> get() const { return arguments; }

private:
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<Argument> arguments;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_CHECK_ARGUMENTCOPIES_H
