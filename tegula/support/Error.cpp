// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/Error.h"

tegula::Error tegula::makeTextError(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 llvm::Twine(message));
}
