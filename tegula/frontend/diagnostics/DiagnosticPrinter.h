// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shows diagnostics the way compilers do: location, message, the line of the
/// source, and a caret under the column.

#ifndef TEGULA_FRONTEND_DIAGNOSTICS_DIAGNOSTICPRINTER_H
#define TEGULA_FRONTEND_DIAGNOSTICS_DIAGNOSTICPRINTER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace tegula {

/// Collects the diagnostics of a context while it lives. Nothing else sees
/// them.
class DiagnosticPrinter {
public:
  explicit DiagnosticPrinter(mlir::MLIRContext &context);

  /// Lines are shown from this text when a diagnostic is about `path`. Without
  /// it the file is read.
  void addSource(llvm::StringRef path, llvm::StringRef text);

  bool hasErrors() const { return numErrors != 0; }

  /// Everything collected so far:
  /// \code
  /// softmax.py:12:13: error: name 'z' is not defined
  ///         y = z + 1
  ///             ^
  /// \endcode
  std::string format();

private:
  struct Message {
    mlir::Location loc;
    mlir::DiagnosticSeverity severity;
    std::string text;
  };

  void add(const mlir::Diagnostic &diagnostic);
  std::string formatMessage(const Message &message);
  llvm::StringRef findLine(llvm::StringRef path, unsigned line);

  std::vector<Message> messages;
  llvm::StringMap<std::string> sources;
  unsigned numErrors = 0;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_DIAGNOSTICS_DIAGNOSTICPRINTER_H
