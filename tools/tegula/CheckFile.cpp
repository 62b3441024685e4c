// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compiler.h"
#include "tegula/support/SourceFiles.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/run/CheckAt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
namespace json = llvm::json;

CommandSpec tegula::describeCheck() {
  CommandSpec spec;
  spec.name = "check";
  spec.operand = "FILE";
  spec.summary = "find mistakes in all kernels of a file, without running them";
  spec.details = "Exits with 1 if there are errors. With --json, prints an "
                 "array of objects "
                 "with file,\nline, column, severity, message and notes; lines "
                 "and columns "
                 "count from 1.\nWith --explain, remarks say what about sizes "
                 "is proved, and what is checked at the call or\nat run "
                 "time. With --at, prints JSON: what is known of the name at "
                 "that position, and what\ncould be written there.\n";
  spec.options = {
      {"json", "", "print the diagnostics as JSON, for editors"},
      {"explain", "", "say what is proved, and what is checked when"},
      {"strict", "", "warnings are errors"},
      {"at", "LINE:COLUMN", "what an editor shows there, as JSON"},
      getTargetOption()};
  return spec;
}

static json::Value toJson(const Diagnostic &diagnostic) {
  json::Array notes;
  for (const Diagnostic &note : diagnostic.notes)
    notes.push_back(toJson(note));
  return json::Object{{"file", json::fixUTF8(diagnostic.location.file)},
                      {"line", diagnostic.location.line},
                      {"column", diagnostic.location.column},
                      {"severity", getName(diagnostic.severity)},
                      {"message", json::fixUTF8(diagnostic.message)},
                      {"notes", std::move(notes)}};
}

/// "add.py: add, scale: no mistakes"
static void printChecked(const KernelSource &source) {
  Expected<std::vector<std::string>> names = listKernels(source);
  if (names && !names->empty())
    llvm::outs() << source.path << ": " << llvm::join(*names, ", ")
                 << ": no mistakes\n";
  llvm::consumeError(names.takeError());
}

Expected<int> tegula::runCheck(const CommandLine &line) {
  // Read once: what comes through a pipe comes only once.
  Expected<KernelSource> source =
      readSource({line.getOperand().str(), /*kernel=*/""});
  if (!source)
    return source.takeError();
  source->target = line.get("target");
  source->isStrict = line.has("strict");
  if (line.has("at"))
    return checkAt(*source, line.get("at"));
  Progress progress("checking");
  std::vector<Diagnostic> diagnostics = checkSource(
      *source, line.has("explain") ? Explain::Facts : Explain::Mistakes);
  progress.clear();
  bool hasErrors = llvm::any_of(diagnostics, [](const Diagnostic &entry) {
    return entry.severity == Severity::Error;
  });
  if (line.has("json")) {
    json::Array array;
    for (const Diagnostic &diagnostic : diagnostics)
      array.push_back(toJson(diagnostic));
    llvm::outs() << llvm::formatv("{0:2}\n", json::Value(std::move(array)));
    return hasErrors ? 1 : 0;
  }
  // What was asked for is the output; mistakes are not.
  for (const Diagnostic &diagnostic : diagnostics) {
    bool isFact =
        line.has("explain") && (diagnostic.severity == Severity::Remark ||
                                diagnostic.severity == Severity::Note);
    (isFact ? llvm::outs() : llvm::errs())
        << formatDiagnostic(diagnostic, *source->files);
  }
  if (!hasErrors)
    printChecked(*source);
  return hasErrors ? 1 : 0;
}
