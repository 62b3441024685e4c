// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/File.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <sys/stat.h>

using namespace tegula;
namespace fs = llvm::sys::fs;

namespace {

/// A folder of its own for each test, removed afterwards.
class File : public testing::Test {
protected:
  File() { fs::createUniqueDirectory("tegula-file", folder); }
  ~File() override { fs::remove_directories(folder); }

  std::string pathOf(const char *name) {
    llvm::SmallString<128> path = folder;
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  int countFiles() {
    std::error_code code;
    int count = 0;
    for (fs::directory_iterator it(folder, code), end; it != end;
         it.increment(code))
      ++count;
    return count;
  }

  llvm::SmallString<128> folder;
};

} // namespace

static std::string errorOf(Expected<std::string> text) {
  return text ? "" : llvm::toString(text.takeError());
}

TEST_F(File, ReadsWhatWasWritten) {
  std::string bytes("a\0b\r\n", 5);
  ASSERT_FALSE(writeFilesAtomically({{pathOf("x"), bytes}}));
  Expected<std::string> text = readFile(pathOf("x"), 100);
  ASSERT_TRUE(static_cast<bool>(text));
  EXPECT_EQ(*text, bytes);
  EXPECT_EQ(countFiles(), 1);
}

TEST_F(File, NamesWhatCannotBeRead) {
  EXPECT_EQ(errorOf(readFile("/no/such/file", 1)),
            "cannot read '/no/such/file': No such file or directory");
  EXPECT_EQ(errorOf(readFile(folder, 1)),
            "cannot read '" + folder.str().str() + "': it is a directory");
  ASSERT_FALSE(writeFilesAtomically({{pathOf("x"), "12345"}}));
  EXPECT_EQ(errorOf(readFile(pathOf("x"), 4)),
            "cannot read '" + pathOf("x") +
                "': it has 5 bytes, the limit is 4");
}

TEST_F(File, WritesAllFilesOrNone) {
  Error error = writeFilesAtomically(
      {{pathOf("good"), "1"}, {pathOf("missing/bad"), "2"}});
  std::string message = llvm::toString(std::move(error));
  EXPECT_NE(message.find("cannot write '" + pathOf("missing/bad") + "'"),
            std::string::npos)
      << message;
  EXPECT_EQ(countFiles(), 0);
}

TEST_F(File, KeepsTheOldFileWhenAnotherFails) {
  ASSERT_FALSE(writeFilesAtomically({{pathOf("good"), "old"}}));
  llvm::consumeError(writeFilesAtomically(
      {{pathOf("good"), "new"}, {folder.str().str(), "2"}}));
  Expected<std::string> text = readFile(pathOf("good"), 100);
  ASSERT_TRUE(static_cast<bool>(text));
  EXPECT_EQ(*text, "old");
}

TEST_F(File, FollowsLinksAndKeepsThem) {
  ASSERT_FALSE(writeFilesAtomically({{pathOf("x"), "old"}}));
  ASSERT_FALSE(fs::create_link("x", pathOf("link")));
  ASSERT_FALSE(writeFilesAtomically({{pathOf("link"), "new"}}));
  EXPECT_TRUE(fs::is_symlink_file(pathOf("link")));
  EXPECT_EQ(llvm::cantFail(readFile(pathOf("x"), 100)), "new");
  EXPECT_EQ(countFiles(), 2);
}

TEST_F(File, ReplacesNothingThatIsNoFile) {
  std::string pipe = pathOf("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(llvm::toString(writeFilesAtomically({{pipe, "1"}})),
            "cannot write '" + pipe + "': it is not a regular file");
  EXPECT_EQ(llvm::toString(writeFilesAtomically({{"/dev/null", "1"}})),
            "cannot write '/dev/null': it is not a regular file");
  EXPECT_EQ(countFiles(), 1);
}

TEST_F(File, StopsReadingWhatHasNoEnd) {
  EXPECT_EQ(errorOf(readFile("/dev/zero", 100000)),
            "cannot read '/dev/zero': it has more than 100000 bytes, the "
            "limit");
}

TEST_F(File, SaysBeforehandWhatCannotBeWritten) {
  auto problemOf = [](const std::string &path) {
    Error error = checkWritable(path);
    return error ? llvm::toString(std::move(error)) : "";
  };
  EXPECT_EQ(problemOf(pathOf("x")), "");
  EXPECT_EQ(countFiles(), 0);
  EXPECT_EQ(problemOf(pathOf("none/x")), "cannot write '" + pathOf("none/x") +
                                             "': No such file or directory");
  EXPECT_EQ(problemOf(folder.str().str()),
            "cannot write '" + folder.str().str() + "': it is a directory");
}
