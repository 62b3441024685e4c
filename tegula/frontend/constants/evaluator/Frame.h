// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where ordinary Python runs, and what its calls and statements hand on.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_FRAME_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_FRAME_H

#include "tegula/frontend/constants/evaluator/Scope.h"
#include "tegula/frontend/diagnostics/SourceText.h"
#include <optional>
#include <vector>

namespace tegula {

class ModuleConstants;

/// The arguments of a call, unpacked.
struct OrdinaryArguments {
  std::vector<Object> positional;
  std::vector<std::pair<std::string, Object>> keywords;

  /// Takes a keyword out; nothing if it was not given.
  std::optional<Object> take(llvm::StringRef name);
};

/// Where code runs.
struct Frame {
  Scope &scope;
  const SourceText &source;
  /// The file that kernels and imports belong to; null if there is none.
  ModuleConstants *module = nullptr;
  /// The function or class whose body runs; empty outside of one.
  std::string function = "";
  /// What a `return` hands back.
  Object returned = Object::none();
};

/// How a statement ends.
enum class StatementEnd { Next, Break, Continue, Return, Failed };

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_FRAME_H
