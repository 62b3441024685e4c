// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels on seven integers, run by the interpreter: the body of a kernel and
/// what it must leave in `out`.

#ifndef TEGULA_TEST_FRONTEND_INTEGERPROGRAM_H
#define TEGULA_TEST_FRONTEND_INTEGERPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tegula/ir/interpreter/Interpreter.h"
#include "test/frontend/KernelSource.h"
#include <gmock/gmock.h>

namespace tegula {

/// One program.
struct IntegerProgram {
  const char *name;
  const char *body;
  /// What is in `out` afterwards, with M = 7 and the `x` below.
  std::vector<int64_t> expected;
  /// Functions the kernel calls.
  const char *helpers = "";
};

inline void PrintTo(const IntegerProgram &program, std::ostream *os) {
  *os << program.name;
}

inline std::string nameOf(const testing::TestParamInfo<IntegerProgram> &info) {
  return info.param.name;
}

/// The file of a program.
inline std::string fileOf(const IntegerProgram &program) {
  return std::string(kernelPrologue) + program.helpers +
         "@pl.jit\n"
         "def k(x: pl.Tensor[[M], pl.INT64], "
         "out: pl.InOut[pl.Tensor[[M], pl.INT64]]):\n" +
         program.body;
}

/// Runs a program; empty if it fails, and `messages` says why.
inline std::vector<int64_t> runProgram(const IntegerProgram &program,
                                       std::string &messages) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context);
  std::string file = fileOf(program);
  printer.addSource("k.py", file);
  auto module = generateModule(context, file, "k.py", "k");
  std::vector<int64_t> x = {5, -3, 8, 0, 2, -7, 11}, out(7);
  pl::InterpreterOptions options;
  options.maxSteps = 100000;
  bool isRight =
      module && succeeded(mlir::verify(*module)) &&
      succeeded(pl::interpret(
          *module->getOps<mlir::func::FuncOp>().begin(),
          {TensorView(x.data(), {7}), TensorView(out.data(), {7})}, options));
  messages = printer.format();
  return isRight ? out : std::vector<int64_t>();
}

inline void expectProgram(const IntegerProgram &program) {
  std::string messages;
  std::vector<int64_t> out = runProgram(program, messages);
  EXPECT_THAT(out, testing::ElementsAreArray(program.expected)) << messages;
}

} // namespace tegula

#endif // TEGULA_TEST_FRONTEND_INTEGERPROGRAM_H
