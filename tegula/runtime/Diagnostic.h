// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is wrong with a kernel file, as text for people and as data for
/// editors.

#ifndef TEGULA_RUNTIME_DIAGNOSTIC_H
#define TEGULA_RUNTIME_DIAGNOSTIC_H

#include "tegula/support/Error.h"
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tegula {

class SourceFiles;

/// A location in a file; line and column count from 1, and 0 means unknown.
struct SourceLocation {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// How bad it is.
enum class Severity { Error, Warning, Remark, Note };

/// "error", "warning", ...
const char *getName(Severity severity);

/// One message about a location, with notes about others.
struct Diagnostic {
  Severity severity = Severity::Error;
  SourceLocation location;
  std::string message;
  std::vector<Diagnostic> notes;

  /// True if location and message are the same.
  bool operator==(const Diagnostic &other) const;
};

/// "file:line:column: error: message", the source line and a caret, then the
/// notes. Lines come from `files`.
std::string formatDiagnostic(const Diagnostic &diagnostic, SourceFiles &files);

/// The error of a kernel that cannot be compiled. Its text is complete: every
/// diagnostic as formatDiagnostic shows it, without a final line end.
class KernelError : public llvm::ErrorInfo<KernelError> {
public:
  KernelError(std::vector<Diagnostic> diagnostics, std::string text)
      : diagnostics(std::move(diagnostics)), text(std::move(text)) {}

  const std::vector<Diagnostic> &getDiagnostics() const { return diagnostics; }
  void log(llvm::raw_ostream &stream) const override;
  std::error_code convertToErrorCode() const override;

  /// The name llvm::ErrorInfo asks for.
  static char ID; // NOLINT(readability-identifier-naming)

private:
  std::vector<Diagnostic> diagnostics;
  std::string text;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_DIAGNOSTIC_H
