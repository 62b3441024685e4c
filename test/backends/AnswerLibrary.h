// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Small pieces of machine code for tests.

#ifndef TEGULA_TEST_BACKENDS_ANSWERLIBRARY_H
#define TEGULA_TEST_BACKENDS_ANSWERLIBRARY_H

#include "tegula/backends/cpu/object/LlvmModule.h"
#include "tegula/backends/cpu/object/ObjectFile.h"
#include "tegula/launch/image/CodeLibrary.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace tegula {

/// The object file of a module in LLVM's own syntax.
inline FileBytes compile(const std::string &text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  auto machine = llvm::cantFail(createTargetMachine(CpuOptions()));
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple());
  return llvm::cantFail(emitObject(*module, *machine));
}

/// A function `answer` that returns `number`.
inline FileBytes compileAnswer(int number) {
  return compile("define i32 @answer() { ret i32 " + std::to_string(number) +
                 " }");
}

inline llvm::StringRef textOf(const FileBytes &bytes) {
  return {bytes.data(), bytes.size()};
}

/// What the function `answer` of a library returns.
inline int answerOf(const CodeLibrary &library) {
  return reinterpret_cast<int (*)()>(library.find("answer"))();
}

} // namespace tegula

#endif // TEGULA_TEST_BACKENDS_ANSWERLIBRARY_H
