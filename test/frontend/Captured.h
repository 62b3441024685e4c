// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Programs with captured names, made by hand for tests.

#ifndef TEGULA_TEST_FRONTEND_CAPTURED_H
#define TEGULA_TEST_FRONTEND_CAPTURED_H

#include "mlir/IR/MLIRContext.h"
#include "tegula/frontend/Frontend.h"
#include "tegula/frontend/diagnostics/DiagnosticPrinter.h"
#include "tegula/launch/call/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace tegula {

using Captured = CapturedValue::Kind;

inline CapturedValue capturedInt(int64_t value) {
  return {Captured::Int, value};
}
inline CapturedValue capturedSymbol(int64_t index) {
  return {Captured::Symbol, index};
}
inline CapturedValue capturedFunction(int64_t index) {
  return {Captured::Function, index};
}
inline CapturedValue capturedText(Captured kind, std::string text) {
  return {kind, 0, 0, std::move(text)};
}
/// `import tegula.language as pl`
inline const std::pair<std::string, CapturedValue> capturedLanguage = {
    "pl", {Captured::Language}};

/// The IR of a program, or "line:column: message" for every error.
inline std::string generateProgram(const Program &program,
                                   llvm::ArrayRef<ArgumentSpec> specs = {}) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string text;
  llvm::raw_string_ostream os(text);
  auto add = [&](mlir::Diagnostic &diagnostic) {
    auto fileLoc =
        diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
    os << fileLoc.getFilename().getValue() << ":" << fileLoc.getLine() << ":"
       << fileLoc.getColumn() << ": " << diagnostic.str() << "\n";
  };
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        add(diagnostic);
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          add(note);
        return mlir::success();
      });
  if (auto module = generateModule(context, program, specs))
    module->print(os);
  return text;
}

} // namespace tegula

#endif // TEGULA_TEST_FRONTEND_CAPTURED_H
