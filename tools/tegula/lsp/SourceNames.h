// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names of a file by its words alone, so that a file that is only half
/// written has them too: what is bound where, and what stands at a position.

#ifndef TEGULA_TOOLS_LSP_SOURCENAMES_H
#define TEGULA_TOOLS_LSP_SOURCENAMES_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tegula {

/// Where a name gets its meaning.
struct NameBinding {
  enum class Kind { Variable, Parameter, Function, Class, Import };

  llvm::StringRef name;
  Kind kind;
  /// The function it belongs to, among SourceNames::functions; -1 outside.
  int function;
  size_t offset;
  /// The module that it is imported from: "rope" in `from rope import f`.
  std::string module = {};
};

/// A `def`.
struct FunctionSpan {
  llvm::StringRef name;
  size_t begin, end;
  std::vector<llvm::StringRef> parameters;
};

/// All of a file.
struct SourceNames {
  /// The text must outlive it.
  explicit SourceNames(llvm::StringRef text);

  /// What can be said at a position: of each name the binding that counts
  /// there.
  std::vector<const NameBinding *> visibleAt(size_t offset) const;
  /// The binding that a name at a position refers to; null if there is none.
  const NameBinding *find(llvm::StringRef name, size_t offset) const;
  /// The function of that name; null if there is none.
  const FunctionSpan *findFunction(llvm::StringRef name) const;
  /// What `path`, as it is written, is below `pl`: "exp" for `pl.exp`,
  /// "distributed.put" for `pld.put`; nothing if it is something else.
  std::optional<std::string> languagePath(llvm::StringRef path) const;

  std::vector<NameBinding> bindings;
  std::vector<FunctionSpan> functions;
};

/// `pl.row_sum` with the position in or behind it; as far back as it goes, and
/// forward to the end of the word the position is in.
struct DottedWord {
  size_t begin, end;
  llvm::StringRef path;
};
DottedWord wordAt(llvm::StringRef text, size_t offset);

/// The call whose parentheses a position is in.
struct EnclosingCall {
  llvm::StringRef callee;
  /// How many commas stand before the position.
  unsigned argument;
};
std::optional<EnclosingCall> callAround(llvm::StringRef text, size_t offset);

} // namespace tegula

#endif // TEGULA_TOOLS_LSP_SOURCENAMES_H
