// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/launch/CacheFixture.h"

#include "tegula/backends/cpu/object/Link.h"
#include "test/backends/AnswerLibrary.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

using namespace tegula;

TEST_F(DiskCacheTest, FindsWhatWasStored) {
  EXPECT_FALSE(find("a"));
  ASSERT_TRUE(store("a"));
  ASSERT_TRUE(store("b"));
  EXPECT_TRUE(find("a"));
  EXPECT_TRUE(find("b"));
  EXPECT_FALSE(find("c"));
  EXPECT_FALSE(open().find("other program", "a"));
  options.toolchain = "tools 2";
  EXPECT_FALSE(find("a"));
}

TEST_F(DiskCacheTest, KeepsEntriesWithoutCode) {
  ASSERT_TRUE(open().store(entryOf("signature"), ""));
  std::optional<CachedCode> found = open().find("program", "signature");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->entry.facts, "facts of signature");
  EXPECT_FALSE(found->file);
}

TEST_F(DiskCacheTest, GivesFilesThatCanBeLoaded) {
  FileBytes object = compileAnswer(42);
  FileBytes code = llvm::cantFail(linkSharedLibrary({textOf(object)}));
  std::optional<CachedCode> stored = open().store(entryOf("a"), textOf(code));
  ASSERT_TRUE(stored);
  std::optional<CachedCode> found = open().find("program", "a");
  ASSERT_TRUE(found);
  std::shared_ptr<CodeLibrary> first, second;
  EXPECT_FALSE(CodeLibrary::load(stored->file, first));
  // What is open stays, whatever happens to its name.
  std::filesystem::remove_all(options.folder);
  EXPECT_FALSE(CodeLibrary::load(found->file, second));
  EXPECT_EQ(answerOf(*first), 42);
  EXPECT_EQ(answerOf(*second), 42);
}

TEST_F(DiskCacheTest, MakesFoldersForTheUserOnly) {
  options.folder = scratch + "/some/where/else";
  umask(0);
  ASSERT_TRUE(store("a"));
  umask(022);
  for (const char *folder : {"/some", "/some/where", "/some/where/else"}) {
    struct stat status;
    ASSERT_EQ(stat((scratch + folder).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u) << folder;
  }
  struct stat status;
  ASSERT_EQ(stat(pathOf("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(DiskCacheTest, TakesDamagedEntriesForMissing) {
  ASSERT_TRUE(store("a", 100));
  std::ifstream stream(pathOf("a"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  auto write = [&](std::string_view content) {
    std::ofstream(pathOf("a"), std::ios::binary | std::ios::trunc) << content;
  };
  for (size_t size = 0; size < bytes.size(); size += 7) {
    write(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(find("a", 100)) << "cut to " << size;
  }
  for (size_t index = 0; index < bytes.size(); index += 3) {
    std::string flipped = bytes;
    flipped[index] ^= 1 << index % 8;
    write(flipped);
    ASSERT_FALSE(find("a")) << "changed at " << index;
  }
  write(bytes + "more");
  EXPECT_FALSE(find("a"));
  ASSERT_EQ(open().list().size(), 1u);
  EXPECT_EQ(open().list()[0].state, CacheRecord::State::Damaged);
  // The next compile puts a good one in its place.
  ASSERT_TRUE(store("a"));
  EXPECT_TRUE(find("a"));
}

TEST_F(DiskCacheTest, TakesAnEntryUnderAnotherNameForMissing) {
  ASSERT_TRUE(store("a"));
  std::filesystem::rename(pathOf("a"), pathOf("b"));
  EXPECT_FALSE(find("b"));
}

TEST_F(DiskCacheTest, ReadsOnlyWhenAskedTo) {
  ASSERT_TRUE(store("a"));
  age(pathOf("a"), 100000);
  options.mode = CacheOptions::Mode::ReadOnly;
  EXPECT_TRUE(find("a"));
  EXPECT_GT(secondsSinceUse(pathOf("a")), 50000);
  EXPECT_FALSE(store("b"));
  options.mode = CacheOptions::Mode::Off;
  EXPECT_FALSE(find("a"));
  EXPECT_FALSE(store("b"));
  options.mode = CacheOptions::Mode::On;
  EXPECT_TRUE(find("a"));
  EXPECT_FALSE(find("b"));
  options.folder.clear();
  EXPECT_FALSE(find("a"));
  EXPECT_FALSE(store("a"));
}

TEST_F(DiskCacheTest, DoesNotTrustWhatOthersCanWrite) {
  ASSERT_TRUE(store("a"));
  auto warns = [&] {
    ProcessEnd end = runProcess([&] { return !find("a") && !find("a"); });
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(std::count(end.errors.begin(), end.errors.end(), '\n'), 1);
    EXPECT_NE(end.errors.find("is not used: it belongs to another user"),
              std::string::npos)
        << end.errors;
  };
  ASSERT_EQ(chmod(pathOf("a").c_str(), 0620), 0);
  warns();
  ASSERT_EQ(chmod(pathOf("a").c_str(), 0600), 0);
  ASSERT_EQ(chmod(options.folder.c_str(), 0777), 0);
  warns();
  ASSERT_EQ(chmod(options.folder.c_str(), 0700), 0);
  EXPECT_TRUE(find("a"));
  if (geteuid() == 0) {
    ASSERT_EQ(chown(pathOf("a").c_str(), 65534, 65534), 0);
    warns();
  }
}

TEST_F(DiskCacheTest, DoesNotFollowLinks) {
  ASSERT_TRUE(store("a"));
  std::filesystem::rename(pathOf("a"), scratch + "/elsewhere");
  std::filesystem::create_symlink(scratch + "/elsewhere", pathOf("a"));
  EXPECT_FALSE(find("a"));
  std::filesystem::remove(pathOf("a"));
  std::filesystem::create_directory(pathOf("a"));
  EXPECT_FALSE(find("a"));
}

TEST_F(DiskCacheTest, WarnsOnceWhereItCannotWrite) {
  ASSERT_EQ(chmod(scratch.c_str(), 0755), 0);
  ProcessEnd end = runProcess([&] {
    if (geteuid() == 0)
      return setuid(65534) == 0 && !store("a") && !store("b") && !find("a");
    return chmod(scratch.c_str(), 0500) == 0 && !store("a") && !store("b") &&
           !find("a");
  });
  chmod(scratch.c_str(), 0700);
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(end.errors, "tegula: warning: cannot keep compiled kernels in '" +
                            options.folder + "': Permission denied\n");
}

TEST_F(DiskCacheTest, LeavesNothingWhenTheDiskIsFull) {
  ASSERT_TRUE(store("a"));
  ProcessEnd end = runProcess([&] {
    // Of the reasons for which no more can be written, the one that can be had
    // everywhere; unless it is seen to, it ends the process.
    rlimit limit = {5000, 5000};
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 && !store("big", 100000) &&
           store("small") && find("a");
  });
  EXPECT_EQ(end.status, 0);
  EXPECT_NE(end.errors.find("File too large"), std::string::npos) << end.errors;
  EXPECT_FALSE(find("big"));
  EXPECT_TRUE(find("small"));
  EXPECT_EQ(listNames().size(), 3u); // two entries and the growth
}

/// In a process that sees a small file system mounted on `folder`: the status
/// of `body`, or nothing where that is not allowed.
static std::optional<int> runOnMount(const std::string &folder,
                                     const char *options, unsigned long flags,
                                     const std::function<bool()> &body) {
  constexpr int notAllowed = 77;
  ProcessEnd end = runProcess([&] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", folder.c_str(), "tmpfs", flags, options) != 0)
      _exit(notAllowed);
    return body();
  });
  if (WEXITSTATUS(end.status) == notAllowed)
    return std::nullopt;
  return end.status;
}

TEST_F(DiskCacheTest, WorksOnAFullDisk) {
  std::optional<int> status = runOnMount(scratch, "size=64k", 0, [&] {
    bool isGood = store("a", 8000) && !store("big", 100000) && find("a", 8000);
    for (const std::string &name : listNames())
      isGood &= name[0] != '.';
    return isGood && store("b", 8000) && find("b", 8000);
  });
  if (!status)
    GTEST_SKIP() << "cannot mount anything";
  EXPECT_EQ(*status, 0);
}

TEST_F(DiskCacheTest, WorksWhereNothingMayBeExecuted) {
  FileBytes object = compileAnswer(42);
  FileBytes code = llvm::cantFail(linkSharedLibrary({textOf(object)}));
  std::optional<int> status = runOnMount(scratch, "", MS_NOEXEC, [&] {
    std::optional<CachedCode> stored = open().store(entryOf("a"), textOf(code));
    std::shared_ptr<CodeLibrary> library;
    return stored && !CodeLibrary::load(stored->file, library) &&
           answerOf(*library) == 42;
  });
  if (!status)
    GTEST_SKIP() << "cannot mount anything";
  EXPECT_EQ(*status, 0);
}

TEST_F(DiskCacheTest, LetsManyProcessesWriteAtOnce) {
  std::vector<pid_t> processes;
  for (int number = 0; number < 8; ++number)
    processes.push_back(startProcess([&, number] {
      bool isGood = true;
      for (int round = 0; round < 40; ++round) {
        std::string variant = std::to_string((round + number) % 10);
        isGood &= store(variant, 20000);
        // It may be another's, but must be whole.
        isGood &= find(variant, 20000);
      }
      return isGood && !testing::Test::HasFailure();
    }));
  for (pid_t process : processes) {
    int status = -1;
    waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(listNames().size(), 11u);
  for (const CacheRecord &record : open().list())
    EXPECT_EQ(record.state, CacheRecord::State::Good);
}

TEST_F(DiskCacheTest, SurvivesProcessesThatAreKilled) {
  ASSERT_TRUE(store("warm"));
  for (int number = 0; number < 20; ++number) {
    pid_t process = startProcess([&] {
      for (int round = 0;; ++round)
        store(std::to_string(round % 3), 3000000);
      return true;
    });
    usleep(3000 + 1500 * number);
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  for (const CacheRecord &record : open().list())
    EXPECT_EQ(record.state, CacheRecord::State::Good);
  // What was left half written goes, in time.
  for (const std::string &name : listNames())
    if (name[0] == '.')
      age(options.folder + "/" + name, 10000);
  std::ofstream(options.folder + "/.tmp-1-2-3") << "half";
  std::ofstream(options.folder + "/.tmp-1-2-4") << "half";
  age(options.folder + "/.tmp-1-2-3", 10000);
  options.maxBytes = 16 << 20;
  ASSERT_TRUE(store("last", 2000000));
  std::vector<std::string> temporaries;
  for (const std::string &name : listNames())
    if (name[0] == '.')
      temporaries.push_back(name);
  EXPECT_EQ(temporaries, std::vector<std::string>({".tmp-1-2-4"}));
}
