// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of the language, `pl.load` and the like: their parameters and
/// what they build. They are declared in the .td files of this folder, and the
/// elementwise ones with the ops of the dialect.

#ifndef TEGULA_FRONTEND_BUILTINS_BUILTINS_H
#define TEGULA_FRONTEND_BUILTINS_BUILTINS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/emit/Emitter.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

class BuiltinCall;

/// A parameter of a function of the language.
struct BuiltinParameter {
  llvm::StringLiteral name;
  /// Other names it goes by.
  llvm::ArrayRef<llvm::StringLiteral> aliases;
  bool isRequired;
  /// Why it changes nothing, if it is there for other machines only.
  llvm::StringLiteral whyIgnored;
  /// True if it is a tile; a tensor is loaded.
  bool isTile;
  /// True if it is a list; a single entry is a list of one.
  bool isList;

  bool isIgnored() const { return !whyIgnored.empty(); }
};

/// A function of the language.
struct Builtin {
  llvm::StringLiteral name;
  /// The page it is on.
  llvm::StringLiteral theme;
  llvm::ArrayRef<BuiltinParameter> parameters;
  /// Null if the function is written in the language itself.
  Object (*build)(BuiltinCall &&call);
  /// Its text, if it is; empty otherwise.
  llvm::StringLiteral prelude;
  /// True if a call does something even if its result is not used.
  bool hasEffect;
  /// True for an elementwise op under its own name.
  bool isElementwise;
  /// What a call gives or does, for readers.
  llvm::StringLiteral meaning;
};

/// A call of a function that is written in the language itself.
struct PreludeCall {
  const Builtin &function;
  /// As the author wrote it.
  llvm::StringRef name;
  mlir::Location loc;
  /// What was given for each parameter of the function.
  std::vector<std::pair<llvm::StringRef, std::optional<Object>>> arguments;
};

/// Puts the body of such a function in the place of the call.
using RunPrelude = llvm::function_ref<Object(const PreludeCall &call)>;

/// Every function, by theme.
llvm::ArrayRef<Builtin> listBuiltins();

/// What a call of `pl.<path>` is worth. Sets `hasEffect` if it does something
/// by itself.
Object callBuiltin(Emitter &emitter, llvm::StringRef path,
                   const CallArguments &arguments, bool &hasEffect,
                   RunPrelude runPrelude);

/// True for a function that `pl.<name>` calls.
bool isFunction(llvm::StringRef name);

/// What may be meant by a function of that name, as the end of a message:
/// "; write pl.concat(a, b)" for one that is called otherwise elsewhere, or
/// "; did you mean 'pl.exp'?". Empty if nothing is near.
std::string suggestFunction(llvm::StringRef name);

/// The message for a `pl.<path>` that does not exist, with what may be meant;
/// empty if it exists.
std::string unknownName(llvm::StringRef path);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_BUILTINS_H
