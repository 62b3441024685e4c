// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The arguments of a call and how they find their parameters, as in Python.

#ifndef TEGULA_FRONTEND_BUILTINS_CALLARGUMENTS_H
#define TEGULA_FRONTEND_BUILTINS_CALLARGUMENTS_H

#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/diagnostics/Reporter.h"
#include <optional>
#include <string>
#include <vector>

namespace tegula {

/// An argument of a call and where it stands.
struct CallArgument {
  Object object;
  mlir::Location loc;
};

/// The evaluated arguments of a call.
struct CallArguments {
  mlir::Location loc;
  std::vector<CallArgument> positional;
  std::vector<std::pair<llvm::StringRef, CallArgument>> keywords;
};

/// Gives each parameter its argument as Python would, by position or name;
/// nothing for those left out. False if they do not fit, which is reported with
/// the name of the function.
bool bindArguments(llvm::StringRef function,
                   llvm::ArrayRef<llvm::StringRef> parameters,
                   llvm::ArrayRef<bool> isRequired,
                   const CallArguments &arguments, Reporter &reporter,
                   std::vector<std::optional<CallArgument>> &bound);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_CALLARGUMENTS_H
