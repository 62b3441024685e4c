// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/lsp/OpenFile.h"
#include "tegula/support/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using llvm::StringRef;
using namespace llvm::lsp;

OpenFile::OpenFile(URIForFile uri, std::string newText, int64_t version)
    : uri(std::move(uri)), version(version) {
  take(std::move(newText));
}

void OpenFile::take(std::string newText) {
  text = std::move(newText);
  lines = std::make_unique<TextLines>(text);
  names = std::make_unique<SourceNames>(text);
  isSurveyed = false;
}

void OpenFile::change(llvm::ArrayRef<TextDocumentContentChangeEvent> changes,
                      int64_t newVersion) {
  version = newVersion;
  std::string changed = text;
  for (const TextDocumentContentChangeEvent &each : changes) {
    if (!each.range) {
      changed = each.text;
      continue;
    }
    TextLines changedLines(changed);
    size_t begin = changedLines.offsetOf(each.range->start);
    size_t end = std::max(begin, changedLines.offsetOf(each.range->end));
    changed.replace(begin, end - begin, each.text);
  }
  take(std::move(changed));
}

void OpenFile::survey(std::shared_ptr<SourceFiles> files) {
  isSurveyed = true;
  if (text.size() > DiskFiles::maxBytes) {
    known = {};
    known.diagnostics.push_back({Severity::Warning,
                                 {uri.file().str(), 1, 1},
                                 "this file is larger than any kernel file, "
                                 "4 MiB, and is not looked at",
                                 {}});
    return;
  }
  KernelSource source;
  source.path = uri.file().str();
  source.text = text;
  source.files = std::move(files);
  Survey found = surveySource(source);
  // Of a file with mistakes in its syntax nothing is generated: what was known
  // of its names still helps.
  if (found.names.empty())
    found.names = std::move(known.names);
  known = std::move(found);
  // Ordinary Python is not asked to have kernels.
  llvm::erase_if(known.diagnostics, [](const tegula::Diagnostic &entry) {
    return StringRef(entry.message).starts_with("there is no kernel in");
  });
}

static DiagnosticSeverity convert(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return DiagnosticSeverity::Error;
  case Severity::Warning:
    return DiagnosticSeverity::Warning;
  case Severity::Remark:
  case Severity::Note:
    return DiagnosticSeverity::Information;
  }
  llvm_unreachable("all severities are handled");
}

llvm::lsp::Diagnostic
OpenFile::convert(const tegula::Diagnostic &diagnostic) const {
  llvm::lsp::Diagnostic shown;
  shown.severity = ::convert(diagnostic.severity);
  shown.source = "tegula";
  shown.message = diagnostic.message;
  const SourceLocation &location = diagnostic.location;
  if (location.file != uri.file()) {
    shown.message +=
        " (in " + location.file + ":" + std::to_string(location.line) + ")";
  } else {
    size_t begin = lines->offsetOf(location.line, location.column);
    size_t end = wordAt(text, begin).end;
    shown.range = lines->rangeOf(begin, std::max(begin + 1, end));
  }
  std::vector<DiagnosticRelatedInformation> related;
  for (const auto &note : diagnostic.notes) {
    llvm::Expected<URIForFile> other = URIForFile::fromFile(note.location.file);
    if (!other) {
      llvm::consumeError(other.takeError());
      continue;
    }
    Position start(std::max<int>(note.location.line, 1) - 1,
                   std::max<int>(note.location.column, 1) - 1);
    if (*other == uri)
      start = lines->positionOf(
          lines->offsetOf(note.location.line, note.location.column));
    related.emplace_back(Location(*other, Range(start)), note.message);
  }
  if (!related.empty())
    shown.relatedInformation = std::move(related);
  return shown;
}

PublishDiagnosticsParams OpenFile::listDiagnostics() const {
  PublishDiagnosticsParams shown(uri, version);
  for (const tegula::Diagnostic &diagnostic : known.diagnostics)
    if (diagnostic.severity != Severity::Remark)
      shown.diagnostics.push_back(convert(diagnostic));
  return shown;
}

std::vector<InlayHint> OpenFile::listHints(Range range) const {
  std::vector<InlayHint> hints;
  for (const NamedLocation &name : known.names) {
    if (!name.isBound || name.location.file != uri.file())
      continue;
    size_t begin = lines->offsetOf(name.location.line, name.location.column);
    StringRef rest = StringRef(text).drop_front(begin);
    // The text may have changed since; a variable may say its type itself.
    if (!rest.consume_front(name.name) || rest.ltrim(' ').starts_with(":"))
      continue;
    InlayHint hint(InlayHintKind::Type,
                   lines->positionOf(begin + name.name.size()));
    if (hint.position < range.start || range.end < hint.position)
      continue;
    hint.label = ": " + name.what;
    hints.push_back(std::move(hint));
  }
  return hints;
}

std::vector<DocumentSymbol> OpenFile::listSymbols() const {
  std::vector<DocumentSymbol> symbols;
  for (const NameBinding &binding : names->bindings) {
    if (binding.function >= 0 || binding.kind == NameBinding::Kind::Import)
      continue;
    size_t end = binding.offset + binding.name.size();
    Range word = lines->rangeOf(binding.offset, end);
    SymbolKind kind =
        binding.kind == NameBinding::Kind::Function ? SymbolKind::Function
        : binding.kind == NameBinding::Kind::Class  ? SymbolKind::Class
                                                    : SymbolKind::Variable;
    Range whole = word;
    for (const FunctionSpan &span : names->functions)
      if (kind == SymbolKind::Function && span.begin < binding.offset &&
          span.name.data() == binding.name.data())
        whole = lines->rangeOf(span.begin, std::max(end, span.end));
    symbols.emplace_back(binding.name, kind, whole, word);
  }
  return symbols;
}
