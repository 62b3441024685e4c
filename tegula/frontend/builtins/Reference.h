// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the functions of the language take and mean, for readers: the command
/// prints it, and the pages in docs/ops have it as tables.

#ifndef TEGULA_FRONTEND_BUILTINS_REFERENCE_H
#define TEGULA_FRONTEND_BUILTINS_REFERENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tegula {

/// One function of the language.
struct FunctionEntry {
  /// Without the `pl.`.
  llvm::StringRef name;
  /// As a call is written: "x, axis1=, axis2=" with `=` after what may be left
  /// out.
  std::string parameters;
  llvm::StringRef meaning;
  /// The page it is on.
  llvm::StringRef theme;
};

/// All functions, by theme and in the order of the tables they are in.
std::vector<FunctionEntry> listFunctions();

/// A name of the language that is no function: a decorator, a type, a construct
/// of loops or regions, a call that stands for a statement, a list of words.
struct ConstructEntry {
  /// Without the `pl.`.
  llvm::StringLiteral name;
  /// As for functions; empty if it is not called.
  llvm::StringLiteral parameters;
  llvm::StringLiteral meaning;
  /// "decorators", "types", "dtypes", "loops", "regions", "statements" or
  /// "words".
  llvm::StringLiteral kind;
};

/// All of them, by kind.
llvm::ArrayRef<ConstructEntry> listConstructs();

/// "pl.parallel(*bounds, independent=): iterations run in parallel ...".
std::string formatConstruct(const ConstructEntry &entry);

/// Parameters that change nothing, and why.
struct IgnoredParameters {
  llvm::StringRef why;
  /// "tmp=", or "pl.create_tile(transpose=)" where others take it seriously.
  std::vector<std::string> names;
};

/// All of them, one entry for each reason.
std::vector<IgnoredParameters> listIgnored();

/// "pl.load(tensor, offsets=): reads a window ...".
std::string formatFunction(const FunctionEntry &entry);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_REFERENCE_H
