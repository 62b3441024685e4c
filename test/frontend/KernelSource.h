// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels as text in tests: what they become, or what is wrong with them.

#ifndef TEGULA_TEST_FRONTEND_KERNELSOURCE_H
#define TEGULA_TEST_FRONTEND_KERNELSOURCE_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "tegula/frontend/Frontend.h"
#include "tegula/frontend/diagnostics/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tegula {

/// Stands before every kernel: lines 1 to 5.
inline const char *const kernelPrologue = "import tegula.language as pl\n"
                                          "import numpy as np\n"
                                          "M = pl.dynamic(\"M\")\n"
                                          "K = pl.dynamic(\"K\")\n"
                                          "T = 64\n";

/// Stands before a source that is only a body: lines 6 and 7.
inline const char *const kernelHeader =
    "@pl.jit\n"
    "def k(x: pl.Tensor[[M, 128], pl.FP32], "
    "out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):\n";

/// A file with the kernel in `source`, which may be only the body of one.
inline std::string kernelFile(const std::string &source) {
  bool isBody = source.front() == ' ';
  return kernelPrologue + (isBody ? kernelHeader + source : source);
}

/// The diagnostics for a kernel, one per line: "8:14: error: ...".
inline std::string diagnose(const std::string &source,
                            const std::string &kernel) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string text;
  auto add = [&](mlir::Diagnostic &diagnostic, const char *kind) {
    auto fileLoc =
        diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
    text += std::to_string(fileLoc.getLine()) + ":" +
            std::to_string(fileLoc.getColumn()) + ": " + kind +
            diagnostic.str() + "\n";
  };
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        add(diagnostic, "error: ");
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          add(note, "note: ");
        return mlir::success();
      });
  auto module = generateModule(context, kernelFile(source), "k.py", kernel);
  EXPECT_FALSE(module) << "the kernel is accepted";
  return text;
}

/// The IR of a kernel; empty after a failure that is shown.
inline std::string generate(const std::string &source,
                            const std::vector<ArgumentSpec> &specs = {},
                            const std::string &kernel = "k") {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context);
  std::string file = kernelFile(source);
  printer.addSource("k.py", file);
  auto module = generateModule(context, file, "k.py", kernel, specs);
  EXPECT_TRUE(module) << printer.format();
  if (!module)
    return "";
  EXPECT_TRUE(succeeded(mlir::verify(*module)));
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

/// Expects each part in `text`, one after the other.
inline void expectInOrder(const std::string &text,
                          const std::vector<std::string> &parts) {
  size_t position = 0;
  for (const std::string &part : parts) {
    size_t found = text.find(part, position);
    ASSERT_NE(found, std::string::npos) << "no '" << part << "' in\n" << text;
    position = found + part.size();
  }
}

} // namespace tegula

#endif // TEGULA_TEST_FRONTEND_KERNELSOURCE_H
