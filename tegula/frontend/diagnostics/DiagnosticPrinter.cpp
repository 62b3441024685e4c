// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/diagnostics/DiagnosticPrinter.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "tegula/support/SourceFiles.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
using llvm::StringRef;

DiagnosticPrinter::DiagnosticPrinter(mlir::MLIRContext &context)
    : handler(&context, [this](mlir::Diagnostic &diagnostic) {
        add(diagnostic);
        return mlir::success();
      }) {}

void DiagnosticPrinter::addSource(StringRef path, StringRef text) {
  sources[path] = text.str();
}

void DiagnosticPrinter::add(const mlir::Diagnostic &diagnostic) {
  numErrors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
  messages.push_back(
      {diagnostic.getLocation(), diagnostic.getSeverity(), diagnostic.str()});
  for (const mlir::Diagnostic &note :
       const_cast<mlir::Diagnostic &>(diagnostic).getNotes())
    add(note);
}

/// The line without its end, or nothing if the file cannot be read.
StringRef DiagnosticPrinter::findLine(StringRef path, unsigned line) {
  auto found = sources.find(path);
  if (found == sources.end()) {
    DiskFiles files;
    Expected<const std::string *> text = files.find(path);
    found = sources.insert({path, text && *text ? **text : ""}).first;
    if (!text)
      llvm::consumeError(text.takeError());
  }
  StringRef rest = found->second;
  for (; line > 1 && !rest.empty(); --line)
    rest = rest.split('\n').second;
  return rest.split('\n').first.rtrim('\r');
}

static StringRef nameOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return "note";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("there are no other severities");
}

/// As much space as the first `count` characters of a line take; tabs stay
/// tabs.
static std::string spaceBefore(StringRef line, unsigned count) {
  std::string space;
  for (char byte : line) {
    // Only the first byte of a character takes a column.
    if ((byte & 0xC0) == 0x80)
      continue;
    if (space.size() == count)
      break;
    space += byte == '\t' ? '\t' : ' ';
  }
  space.resize(std::min<size_t>(count, space.size()));
  return space;
}

std::string DiagnosticPrinter::formatMessage(const Message &message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto fileLoc = message.loc->findInstanceOf<mlir::FileLineColLoc>();
  if (fileLoc)
    os << fileLoc.getFilename().getValue() << ":" << fileLoc.getLine() << ":"
       << fileLoc.getColumn() << ": ";
  os << nameOf(message.severity) << ": " << message.text << "\n";
  if (!fileLoc)
    return text;
  StringRef line = findLine(fileLoc.getFilename(), fileLoc.getLine());
  if (line.empty())
    return text;
  os << line << "\n" << spaceBefore(line, fileLoc.getColumn() - 1) << "^\n";
  return text;
}

std::string DiagnosticPrinter::format() {
  std::string text;
  for (const Message &message : messages)
    text += formatMessage(message);
  return text;
}
