// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names a kernel sees that it does not define itself. The command line
/// answers from the file's own constants, Python from captured values; the
/// front end cannot tell them apart.

#ifndef TEGULA_FRONTEND_CONSTANTS_ENVIRONMENT_H
#define TEGULA_FRONTEND_CONSTANTS_ENVIRONMENT_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tegula {

/// Answers what names outside a function stand for.
class Environment {
public:
  virtual ~Environment() = default;

  /// What `name`, which may be dotted (`cfg.hidden`), stands for; nothing if it
  /// is not defined. A name that exists but that kernels cannot use is an
  /// UnusableObject. Asking twice gives the same object.
  virtual std::optional<Object> lookup(llvm::StringRef name) = 0;

  /// Gives a name another value for all who ask from now on; false if the names
  /// here cannot be changed.
  virtual bool assign(llvm::StringRef name, const Object &value) {
    return false;
  }
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_ENVIRONMENT_H
