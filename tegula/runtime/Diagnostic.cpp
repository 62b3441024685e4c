// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Diagnostic.h"
#include "tegula/support/SourceFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace tegula;
using llvm::StringRef;

const char *tegula::getName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  case Severity::Note:
    return "note";
  }
  return "";
}

bool Diagnostic::operator==(const Diagnostic &other) const {
  return severity == other.severity && message == other.message &&
         location.file == other.location.file &&
         location.line == other.location.line &&
         location.column == other.location.column;
}

char KernelError::ID;

void KernelError::log(llvm::raw_ostream &stream) const { stream << text; }

std::error_code KernelError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

/// Line `number` of `text`, without its end; nothing if there is none.
static std::optional<StringRef> findLine(StringRef text, unsigned number) {
  for (; number > 1; --number) {
    size_t end = text.find('\n');
    if (end == StringRef::npos)
      return std::nullopt;
    text = text.drop_front(end + 1);
  }
  return text.take_until([](char c) { return c == '\n' || c == '\r'; });
}

/// The source line and the caret below it.
static std::string formatSource(StringRef line, unsigned column) {
  // Longer lines would hide the message; generated files have them.
  constexpr size_t maxWidth = 160;
  if (column == 0 || line.size() > maxWidth)
    return "";
  std::string caret;
  // Columns count characters: later bytes of a UTF-8 character have no column.
  // Tabs stay tabs so that the caret stands below its location.
  for (char c : line) {
    if ((c & 0xc0) == 0x80)
      continue;
    if (--column == 0)
      break;
    caret += c == '\t' ? '\t' : ' ';
  }
  // One past the end is a location too; more is not.
  if (column > 1)
    return "";
  std::string shown;
  for (char c : line)
    shown += llvm::isPrint(c) || c == '\t' || (c & 0x80) ? c : '?';
  return "  " + shown + "\n  " + caret + "^\n";
}

std::string tegula::formatDiagnostic(const Diagnostic &diagnostic,
                                     SourceFiles &files) {
  const SourceLocation &location = diagnostic.location;
  std::string text;
  if (location.line != 0)
    text = location.file + ":" + llvm::utostr(location.line) + ":" +
           llvm::utostr(location.column) + ": ";
  text += std::string(getName(diagnostic.severity)) + ": " +
          diagnostic.message + "\n";
  if (location.line != 0) {
    Expected<const std::string *> source = files.find(location.file);
    // A line that cannot be shown does not hide the message.
    if (!source)
      llvm::consumeError(source.takeError());
    else if (*source)
      if (std::optional<StringRef> line = findLine(**source, location.line))
        text += formatSource(*line, location.column);
  }
  for (const Diagnostic &note : diagnostic.notes)
    text += formatDiagnostic(note, files);
  return text;
}
