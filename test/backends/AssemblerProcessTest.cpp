// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/AssemblerProcess.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tegula;

TEST(MemoryFile, HoldsWhatIsWritten) {
  MemoryFile file;
  ASSERT_TRUE(file.write("some "));
  ASSERT_TRUE(file.write("words"));
  EXPECT_EQ(file.read(), "some words");
  file.clear();
  EXPECT_EQ(file.read(), "");
}

TEST(MemoryFile, IsNotTheInputThatWasClosed) {
  int kept = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  ::close(STDIN_FILENO);
  MemoryFile source, messages;
  ASSERT_TRUE(source.write("a text"));
  AssemblerEnd end =
      runAssembler({"cat", source.getPath()}, messages, {&source});
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
  EXPECT_GT(source.get(), STDERR_FILENO);
  EXPECT_TRUE(end.isSuccess());
  EXPECT_EQ(messages.read(), "a text");
}

TEST(Assembler, ReadsItsTextAndSaysWhatItDoes) {
  MemoryFile source, messages;
  ASSERT_TRUE(source.write("a text"));
  AssemblerEnd end =
      runAssembler({"cat", source.getPath()}, messages, {&source});
  EXPECT_TRUE(end.isSuccess());
  EXPECT_EQ(messages.read(), "a text");
}

TEST(Assembler, ThatIsNotThereIsNotStarted) {
  MemoryFile messages;
  AssemblerEnd end = runAssembler({"/no/such/assembler"}, messages, {});
  EXPECT_EQ(end.kind, AssemblerEnd::Kind::NotStarted);
  EXPECT_EQ(end.number, ENOENT);
}

TEST(Assembler, WhoseEndIsTakenByOthersIsUnknown) {
  auto before = ::signal(SIGCHLD, SIG_IGN);
  MemoryFile messages;
  AssemblerEnd end = runAssembler({"false"}, messages, {});
  ::signal(SIGCHLD, before);
  EXPECT_EQ(end.kind, AssemblerEnd::Kind::Unknown);
}
