// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The halves of a module find each other, and end together.

#include "tegula/backends/cpu/object/EmitObjects.h"
#include "tegula/backends/cpu/object/KernelImports.h"
#include "tegula/launch/threads/StopRequest.h"
#include "tegula/support/Recovery.h"
#include "test/backends/AnswerLibrary.h"

#include "llvm/Support/Threading.h"

using namespace tegula;

/// Makes code in halves; the message of what goes wrong.
static std::string emitHalves(const std::string &text,
                              std::vector<FileBytes> &objects) {
  std::string message;
  Error ended = runRecovering([&] {
    auto *context = new llvm::LLVMContext();
    llvm::SMDiagnostic mistake;
    auto module = llvm::parseAssemblyString(text, mistake, *context);
    ASSERT_TRUE(module) << mistake.getMessage().str();
    CpuOptions options = cantFail(CpuOptions::forCpu("x86-64"));
    auto machine = cantFail(createTargetMachine(options));
    module->setDataLayout(machine->createDataLayout());
    module->setTargetTriple(machine->getTargetTriple());
    auto found = emitObjects(*module, *machine, options, /*leastHalved=*/0);
    if (found)
      objects = std::move(*found);
    else
      message = llvm::toString(found.takeError());
    module.reset();
    delete context;
  });
  return ended ? llvm::toString(std::move(ended)) : message;
}

// Of each kind: a constant and a variable that both halves use, a function
// that is called from the other half, a function of a library.
static const char *shared = R"(
@table = internal constant [2 x i32] [i32 20, i32 1]
@counter = internal global i32 0
declare double @cbrt(double)

define internal i32 @count(i32 %n) {
  %p = getelementptr i32, ptr @table, i32 0
  %step = load i32, ptr %p
  %old = load i32, ptr @counter
  %new = add i32 %old, %step
  %more = add i32 %new, %n
  store i32 %more, ptr @counter
  %x = sitofp i32 %more to double
  %y = call double @cbrt(double %x)
  ret i32 %more
}

define i32 @answer() {
  %one = call i32 @count(i32 0)
  %two = call i32 @count(i32 1)
  %p = getelementptr i32, ptr @table, i32 1
  %last = load i32, ptr %p
  %c = load i32, ptr @counter
  %r = add i32 %c, %last
  ret i32 %r
}
)";

TEST(EmitObjects, HalvesFindEachOther) {
  std::vector<FileBytes> objects;
  ASSERT_EQ(emitHalves(shared, objects), "");
  bool isAlone = llvm::hardware_concurrency().compute_thread_count() < 2;
  ASSERT_EQ(objects.size(), isAlone ? 1u : 2u);
  std::vector<llvm::StringRef> views;
  for (const FileBytes &object : objects)
    views.push_back(textOf(object));
  auto imports = findImports(views);
  ASSERT_TRUE(bool(imports)) << llvm::toString(imports.takeError());
  ASSERT_EQ(imports->size(), 1u);
  EXPECT_EQ((*imports)[0].library, "libm.so.6");
  auto code = linkSharedLibrary({views, *imports});
  ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError());
  std::shared_ptr<CodeLibrary> library;
  Problem problem = CodeLibrary::load(textOf(*code), library);
  ASSERT_FALSE(problem) << problem.getText();
  EXPECT_EQ(answerOf(*library), 42);
  EXPECT_EQ(library->find("count"), nullptr);
}

TEST(EmitObjects, FatalErrorsOfEitherHalfAreErrors) {
  const char *fatal = "define i32 @f() {\n"
                      "  %1 = call i32 @llvm.x86.rdpid()\n"
                      "  ret i32 %1\n}\n"
                      "declare i32 @llvm.x86.rdpid()\n";
  const char *small = "define i32 @g() { ret i32 3 }\n";
  const char *large = "define i32 @g(i32 %a) {\n"
                      "  %b = mul i32 %a, %a\n  %c = mul i32 %b, %a\n"
                      "  ret i32 %c\n}\n";
  for (const char *other : {small, large}) {
    std::vector<FileBytes> objects;
    std::string message = emitHalves(std::string(fatal) + other, objects);
    EXPECT_EQ(message.rfind("the compiler failed: ", 0), 0u) << message;
    EXPECT_EQ(message.rfind("the compiler failed: "), 0u) << message;
    EXPECT_TRUE(objects.empty());
  }
}

TEST(EmitObjects, StopsBothHalves) {
  setStopQuestion([] { return true; });
  std::vector<FileBytes> objects;
  std::string message = emitHalves(shared, objects);
  setStopQuestion(nullptr);
  EXPECT_EQ(message, "stopped while compiling");
}

TEST(EmitObjects, OneLargeFunctionIsNotHalved) {
  std::string large = "define i32 @f(i32 %a) {\n";
  for (int i = 0; i < 20; ++i)
    large += "  %v" + std::to_string(i) + " = mul i32 %a, " +
             std::to_string(i + 3) + "\n";
  large += "  ret i32 %v19\n}\ndefine i32 @g() { ret i32 3 }\n";
  std::vector<FileBytes> objects;
  EXPECT_EQ(emitHalves(large, objects), "");
  EXPECT_EQ(objects.size(), 1u);
}
