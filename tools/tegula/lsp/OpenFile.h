// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A file that an editor shows, and what can be said about it.

#ifndef TEGULA_TOOLS_LSP_OPENFILE_H
#define TEGULA_TOOLS_LSP_OPENFILE_H

#include "tegula/runtime/Survey.h"
#include "tools/tegula/lsp/SourceNames.h"
#include "tools/tegula/lsp/TextLines.h"

#include "llvm/Support/LSP/Protocol.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tegula {

class SourceFiles;

/// One version of the text at a time.
class OpenFile {
public:
  OpenFile(llvm::lsp::URIForFile uri, std::string text, int64_t version);

  /// Applies changes, one after the other.
  void change(llvm::ArrayRef<llvm::lsp::TextDocumentContentChangeEvent> changes,
              int64_t newVersion);

  /// Lets the compiler look at it; imports come from `files`.
  void survey(std::shared_ptr<SourceFiles> files);

  const llvm::lsp::URIForFile &getUri() const { return uri; }
  const std::string &getText() const { return text; }
  /// True if the text has changed since the compiler looked.
  bool isStale() const { return !isSurveyed; }

  llvm::lsp::PublishDiagnosticsParams listDiagnostics() const;
  std::optional<llvm::lsp::Hover> hover(llvm::lsp::Position position) const;
  llvm::lsp::CompletionList complete(llvm::lsp::Position position) const;
  llvm::lsp::SignatureHelp helpWithCall(llvm::lsp::Position position) const;
  std::vector<llvm::lsp::Location>
  findDefinition(llvm::lsp::Position position) const;
  std::vector<llvm::lsp::InlayHint> listHints(llvm::lsp::Range range) const;
  std::vector<llvm::lsp::DocumentSymbol> listSymbols() const;

private:
  void take(std::string newText);
  /// What a name at a position means; null if nothing is known.
  const NamedLocation *findMeaning(llvm::StringRef name, size_t offset) const;
  llvm::lsp::Diagnostic convert(const Diagnostic &diagnostic) const;

  llvm::lsp::URIForFile uri;
  std::string text;
  int64_t version;
  std::unique_ptr<TextLines> lines;
  std::unique_ptr<SourceNames> names;
  bool isSurveyed = false;
  Survey known;
};

} // namespace tegula

#endif // TEGULA_TOOLS_LSP_OPENFILE_H
