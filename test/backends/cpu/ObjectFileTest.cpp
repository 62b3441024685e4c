// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM cannot make code of is an error, and not the end of the process.

#include "tegula/backends/cpu/object/ObjectFile.h"
#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/object/LlvmModule.h"
#include "tegula/support/Recovery.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace tegula;

/// What is wrong with the module for the processors that all have; empty if
/// code can be made of it.
static std::string emit(const char *text) {
  std::string message;
  Error ended = runRecovering([&] {
    auto machine = createTargetMachine(cantFail(CpuOptions::forCpu("x86-64")));
    auto *context = new llvm::LLVMContext();
    llvm::SMDiagnostic mistake;
    auto module = llvm::parseAssemblyString(text, mistake, *context);
    ASSERT_TRUE(module) << mistake.getMessage().str();
    module->setDataLayout((*machine)->createDataLayout());
    module->setTargetTriple((*machine)->getTargetTriple());
    llvm::Expected<FileBytes> object = emitObject(*module, **machine);
    message = object ? "" : llvm::toString(object.takeError());
    module.reset();
    delete context;
  });
  return ended ? llvm::toString(std::move(ended)) : message;
}

static const char *good = "define i32 @f() { ret i32 3 }";

TEST(ObjectFile, FatalErrorsOfLlvmAreErrors) {
  EXPECT_EQ(emit(good), "");
  for (unsigned round = 0; round < 3; ++round) {
    std::string message = emit(R"(declare i32 @llvm.x86.rdpid()
define i32 @f() {
  %1 = call i32 @llvm.x86.rdpid()
  ret i32 %1
})");
    EXPECT_EQ(message.rfind("the compiler failed: ", 0), 0u) << message;
    EXPECT_NE(message.find("llvm.x86.rdpid"), std::string::npos) << message;
    EXPECT_EQ(emit(good), "");
  }
}

TEST(ObjectFile, DiagnosticsOfLlvmAreErrors) {
  std::string message = emit(R"(define void @f() {
  call void asm sideeffect "", "{xmm99}"(i32 3)
  ret void
})");
  EXPECT_EQ(message.rfind("cannot make code of the kernel: ", 0), 0u)
      << message;
  EXPECT_NE(message.find("xmm99"), std::string::npos) << message;
  EXPECT_EQ(emit(good), "");
}
