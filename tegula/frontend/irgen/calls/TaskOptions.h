// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the author says of a region as a task. Program order is the meaning, so
/// only a predicate changes what happens; the rest is kept for targets that use
/// it.

#ifndef TEGULA_FRONTEND_IRGEN_CALLS_TASKOPTIONS_H
#define TEGULA_FRONTEND_IRGEN_CALLS_TASKOPTIONS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/frontend/irgen/expressions/LanguageConstructs.h"

namespace tegula {

/// What a task may be told: which others come before it, and whether it runs.
struct TaskOptions {
  explicit TaskOptions(mlir::Location loc) : predicateLoc(loc) {}

  Object predicate = Object::boolean(true);
  mlir::Location predicateLoc;
  /// Where it runs, if it is said.
  std::optional<pl::Level> level = std::nullopt;
  /// How many blocks it has, if it is said by name.
  std::optional<CallArgument> numBlocks = std::nullopt;
  /// All of it, for targets; may be null.
  mlir::DictionaryAttr task = {};
};

/// True for an argument of `pl.submit` that is not the kernel's.
bool isSubmitOption(llvm::StringRef name);

/// Reads the arguments of a scope, which messages call `name`; false after a
/// mistake.
bool readTaskOptions(Emitter &emitter, Construct construct,
                     llvm::StringRef name, const CallArguments &arguments,
                     TaskOptions &options);

/// `pl.spmd(n)`, `pl.spmd(core_num=n)`: how many blocks there are, besides the
/// other options; nothing after a mistake.
std::optional<Object> readBlocks(Emitter &emitter,
                                 const CallArguments &arguments,
                                 TaskOptions &options);

/// Takes `deps=` out of a call that is no submit: program order is the meaning.
/// False if it is wrong.
bool takeDependencies(Emitter &emitter, CallArguments &arguments);

/// What is said of a task, by the names in its call and of its target, which
/// may be null; null if nothing is.
mlir::DictionaryAttr describeTask(Emitter &emitter, const ast::Call &call,
                                  const CallArguments &arguments,
                                  const ast::Expr *target);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_CALLS_TASKOPTIONS_H
