// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/object/Link.h"
#include "tegula/backends/cpu/object/KernelImports.h"
#include "test/backends/AnswerLibrary.h"

#include <thread>

using namespace tegula;

/// Links and loads; the message if that fails.
static std::string build(const FileBytes &object,
                         std::shared_ptr<CodeLibrary> &library) {
  auto imports = findImports(textOf(object));
  if (!imports)
    return llvm::toString(imports.takeError());
  auto code = linkSharedLibrary({textOf(object), *imports});
  if (!code)
    return llvm::toString(code.takeError());
  if (Problem problem = CodeLibrary::load(textOf(*code), library))
    return problem.getText();
  return "";
}

TEST(Link, MakesCodeThatCanBeCalled) {
  std::shared_ptr<CodeLibrary> library;
  ASSERT_EQ(build(compileAnswer(42), library), "");
  EXPECT_EQ(answerOf(*library), 42);
  EXPECT_EQ(library->find("question"), nullptr);
}

TEST(Link, KeepsLibrariesOfOneShapeApart) {
  // Descriptors are used again, and symbols have the same names.
  std::vector<std::shared_ptr<CodeLibrary>> libraries(20);
  for (int number = 0; number < 20; ++number)
    ASSERT_EQ(build(compileAnswer(number), libraries[number]), "");
  for (int number = 0; number < 20; ++number)
    EXPECT_EQ(answerOf(*libraries[number]), number);
  libraries[3].reset();
  ASSERT_EQ(build(compileAnswer(99), libraries[3]), "");
  EXPECT_EQ(answerOf(*libraries[3]), 99);
  EXPECT_EQ(answerOf(*libraries[4]), 4);
}

TEST(Link, FindsLibrariesOfWhatIsCalled) {
  FileBytes object = compile("declare double @cbrt(double)\n"
                             "declare ptr @tegulaScratchPush(i64)\n"
                             "declare void @tegulaScratchPop(ptr)\n"
                             "define i32 @answer() {\n"
                             "  %p = call ptr @tegulaScratchPush(i64 8)\n"
                             "  store volatile double 27.0, ptr %p\n"
                             "  %x = load volatile double, ptr %p\n"
                             "  call void @tegulaScratchPop(ptr %p)\n"
                             "  %y = call double @cbrt(double %x)\n"
                             "  %r = fptosi double %y to i32\n"
                             "  ret i32 %r\n"
                             "}\n");
  auto imports = findImports(textOf(object));
  ASSERT_TRUE(bool(imports)) << llvm::toString(imports.takeError());
  ASSERT_EQ(imports->size(), 2u);
  EXPECT_EQ((*imports)[0].functions.size(), 2u);
  EXPECT_EQ((*imports)[1].library, "libm.so.6");
  std::shared_ptr<CodeLibrary> library;
  ASSERT_EQ(build(object, library), "");
  EXPECT_EQ(answerOf(*library), 3);
}

TEST(Link, NamesAFunctionThatNoLibraryHas) {
  FileBytes object = compile("declare i32 @nowhere()\n"
                             "define i32 @answer() {\n"
                             "  %r = call i32 @nowhere()\n"
                             "  ret i32 %r\n"
                             "}\n");
  std::shared_ptr<CodeLibrary> library;
  EXPECT_EQ(build(object, library),
            "compiled code calls nowhere, which no library has");
  auto code = linkSharedLibrary({textOf(object)});
  ASSERT_FALSE(bool(code));
  std::string message = llvm::toString(code.takeError());
  EXPECT_NE(message.find("undefined symbol: nowhere"), std::string::npos)
      << message;
}

TEST(Link, SurvivesBadInput) {
  // Of these the second makes the linker give up at once.
  FileBytes object = compileAnswer(1);
  for (llvm::StringRef bytes : {llvm::StringRef("not an object file"),
                                textOf(object).take_front(100)}) {
    auto code = linkSharedLibrary({bytes});
    ASSERT_FALSE(bool(code));
    EXPECT_EQ(llvm::toString(code.takeError()).rfind("cannot link: ", 0), 0u);
  }
  std::shared_ptr<CodeLibrary> library;
  ASSERT_EQ(build(object, library), "");
  EXPECT_EQ(answerOf(*library), 1);
}

TEST(Link, WorksFromManyThreads) {
  std::vector<std::thread> threads;
  std::vector<std::string> messages(4);
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([number, &messages] {
      for (int round = 0; round < 5; ++round) {
        std::shared_ptr<CodeLibrary> library;
        messages[number] += build(compileAnswer(number), library);
        if (!library || answerOf(*library) != number)
          messages[number] += "wrong answer";
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &message : messages)
    EXPECT_EQ(message, "");
}

TEST(CodeLibrary, SaysWhatCannotBeLoaded) {
  std::shared_ptr<CodeLibrary> library;
  Problem problem = CodeLibrary::load("no library", library);
  ASSERT_TRUE(bool(problem));
  EXPECT_EQ(problem.getText().rfind("cannot load compiled code: ", 0), 0u);
  EXPECT_EQ(library, nullptr);
}
