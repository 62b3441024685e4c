// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A text and positions in it, as editors count them: lines from 0, and in a
/// line units of UTF-16. What lies outside of the text is its nearest position.

#ifndef TEGULA_TOOLS_LSP_TEXTLINES_H
#define TEGULA_TOOLS_LSP_TEXTLINES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include <string>
#include <vector>

namespace tegula {

/// Finds positions. The text must outlive it.
class TextLines {
public:
  explicit TextLines(llvm::StringRef text);

  /// The byte that an editor's position is.
  size_t offsetOf(llvm::lsp::Position position) const;
  llvm::lsp::Position positionOf(size_t offset) const;
  llvm::lsp::Range rangeOf(size_t begin, size_t end) const {
    return {positionOf(begin), positionOf(end)};
  }
  /// The byte that the compiler calls by a line and a character, both from 1.
  size_t offsetOf(unsigned line, unsigned character) const;
  /// The line of a byte, from 1.
  unsigned lineOf(size_t offset) const;

private:
  llvm::StringRef lineAt(size_t index) const;

  llvm::StringRef text;
  /// Where each line begins.
  std::vector<size_t> starts;
};

} // namespace tegula

#endif // TEGULA_TOOLS_LSP_TEXTLINES_H
