// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs textual IR in the interpreter and keeps what it reports.

#ifndef TEGULA_TEST_IR_INTERPRETERFIXTURE_H
#define TEGULA_TEST_IR_INTERPRETERFIXTURE_H

#include "tegula/ir/interpreter/Interpreter.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace tegula::pl {

/// A context with our dialects; collects diagnostics.
class InterpreterTest : public ::testing::Test {
protected:
  InterpreterTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
        }) {
    context.loadDialect<PlDialect, mlir::arith::ArithDialect,
                        mlir::func::FuncDialect, mlir::math::MathDialect,
                        mlir::scf::SCFDialect>();
  }

  /// Parses `source` and runs its function @main.
  llvm::LogicalResult run(llvm::StringRef source,
                          llvm::ArrayRef<Argument> arguments,
                          const InterpreterOptions &options = {}) {
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    if (!module)
      return llvm::failure();
    auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
    return interpret(function, arguments, options);
  }

  /// Runs @main, which must work.
  void runs(llvm::StringRef source, llvm::ArrayRef<Argument> arguments) {
    EXPECT_TRUE(succeeded(run(source, arguments))) << messages;
  }

  /// Runs @main, which must fail with exactly this message.
  void fails(llvm::StringRef source, llvm::ArrayRef<Argument> arguments,
             llvm::StringRef message, const InterpreterOptions &options = {}) {
    messages.clear();
    EXPECT_TRUE(failed(run(source, arguments, options)));
    EXPECT_EQ(messages, message.str() + "\n");
  }

  mlir::MLIRContext context;
  std::string messages;
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tegula::pl

#endif // TEGULA_TEST_IR_INTERPRETERFIXTURE_H
