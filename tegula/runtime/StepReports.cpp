// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/StepReports.h"

#include "tegula/frontend/diagnostics/StaticPrint.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/SourceFiles.h"

#include "mlir/IR/Diagnostics.h"

using namespace tegula;
using mlir::failed;
using mlir::success;

static Severity toSeverity(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return Severity::Error;
  case mlir::DiagnosticSeverity::Warning:
    return Severity::Warning;
  case mlir::DiagnosticSeverity::Remark:
    return Severity::Remark;
  case mlir::DiagnosticSeverity::Note:
    return Severity::Note;
  }
  llvm_unreachable("every severity is handled");
}

static Diagnostic toDiagnostic(mlir::Diagnostic &from) {
  Diagnostic to;
  auto named = mlir::dyn_cast<mlir::NameLoc>(from.getLocation());
  bool isSaid = named && named.getName() == staticPrintName;
  to.severity = isSaid ? Severity::Note : toSeverity(from.getSeverity());
  to.message = from.str();
  if (auto fileLoc = from.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
    to.location = {fileLoc.getFilename().str(), fileLoc.getLine(),
                   fileLoc.getColumn()};
  for (mlir::Diagnostic &note : from.getNotes())
    to.notes.push_back(toDiagnostic(note));
  return to;
}

std::vector<Diagnostic>
StepReports::collect(llvm::function_ref<llvm::LogicalResult()> step) {
  std::vector<Diagnostic> diagnostics;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        diagnostics.push_back(toDiagnostic(diagnostic));
        return success();
      });
  bool hasFailed = failed(step());
  bool hasError = llvm::any_of(diagnostics, [](const Diagnostic &entry) {
    return entry.severity == Severity::Error;
  });
  // A failure that says nothing is a mistake of ours; it must not look like
  // success.
  if (hasFailed && !hasError)
    diagnostics.push_back({Severity::Error,
                           {source.path, 0, 0},
                           "cannot compile '" + source.path + "'",
                           {}});
  return diagnostics;
}

Error StepReports::attempt(llvm::function_ref<llvm::LogicalResult()> step) {
  bool hasFailed = false;
  std::vector<Diagnostic> diagnostics = collect([&] {
    hasFailed = failed(step());
    return success(!hasFailed);
  });
  if (hasFailed)
    return makeKernelError(std::move(diagnostics));
  for (Diagnostic &diagnostic : diagnostics) {
    // A note that is about nothing else is what the author wants said.
    bool isWarning = diagnostic.severity == Severity::Warning ||
                     diagnostic.severity == Severity::Note;
    (isWarning ? warnings : remarks).push_back(std::move(diagnostic));
  }
  return Error::success();
}

Error StepReports::makeKernelError(std::vector<Diagnostic> diagnostics) {
  std::string text;
  for (const Diagnostic &diagnostic : diagnostics)
    text += formatDiagnostic(diagnostic, *source.files);
  return llvm::make_error<KernelError>(std::move(diagnostics),
                                       llvm::StringRef(text).rtrim().str());
}

std::vector<KernelWarning> StepReports::listWarnings(bool isQuiet) const {
  std::vector<KernelWarning> list;
  for (const Diagnostic &warning : warnings) {
    if (isQuiet && warning.severity == Severity::Warning)
      continue;
    if (warning.severity == Severity::Note) {
      list.push_back({"", 0, warning.message, warning.message});
      continue;
    }
    std::string message = warning.message;
    for (const Diagnostic &note : warning.notes)
      message += "\n  " + note.message;
    std::string text = formatDiagnostic(warning, *source.files);
    list.push_back({warning.location.file, warning.location.line,
                    std::move(message), llvm::StringRef(text).rtrim().str()});
  }
  return list;
}
