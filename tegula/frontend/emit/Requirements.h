// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Emits what must hold for a call to be right. What can be proved is not
/// emitted, what can never hold is a mistake, the rest is checked at the call.

#ifndef TEGULA_FRONTEND_EMIT_REQUIREMENTS_H
#define TEGULA_FRONTEND_EMIT_REQUIREMENTS_H

#include "tegula/frontend/emit/Emitter.h"
#include "tegula/ir/ops/PlRequireOps.h"

namespace tegula {

/// A size and the name it has in messages.
using NamedSize = std::pair<std::string, mlir::Value>;

/// What is required, and how to speak of it.
struct Requirement {
  /// A boolean of the program.
  mlir::Value condition;
  /// "M % 16 == 0"
  std::string text;
  /// One of the origins of pl.require.
  llvm::StringRef origin;
  /// The sizes it is about; if there are none, they are found from the
  /// condition.
  std::vector<NamedSize> sizes = {};
  /// The parameter and the axis that declare it, if it is about one.
  int64_t argument = -1, axis = -1;
};

/// Emits a requirement. False, after an error, if it holds for no sizes.
bool require(Emitter &emitter, mlir::Location loc, Requirement requirement);

/// The same for two extents that an operation needs to be equal. False, with
/// nothing reported, if they never are.
bool requireEqual(Emitter &emitter, mlir::Location loc, mlir::Value lhs,
                  mlir::Value rhs);

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_REQUIREMENTS_H
