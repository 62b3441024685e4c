// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/assembler/AssemblerProcess.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
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

static pid_t owner;
static std::atomic<bool> isHandledElsewhere = false;

/// Runs programs while signals come that this process handles, and so does the
/// group it is in: 0, or what went wrong.
static int runAmongSignals() {
  ::setpgid(0, 0);
  owner = ::getpid();
  ::signal(SIGUSR1, [](int) {
    if (::getpid() != owner)
      isHandledElsewhere = true;
  });
  std::atomic<bool> isOver = false;
  std::thread sender([&] {
    while (!isOver)
      ::kill(0, SIGUSR1);
  });
  int problem = 0;
  for (int i = 0; i < 100 && problem == 0; ++i) {
    MemoryFile messages;
    if (!runAssembler({"true"}, messages, {}).isSuccess())
      problem = 2;
    if (isHandledElsewhere)
      problem = 3;
  }
  isOver = true;
  sender.join();
  return problem;
}

TEST(Assembler, RunsNoHandlerOfThisProcess) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(runAmongSignals());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
