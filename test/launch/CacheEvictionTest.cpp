// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/launch/CacheFixture.h"

using namespace tegula;

namespace {

class CacheEviction : public DiskCacheTest {};

} // namespace

TEST_F(CacheEviction, RemovesWhatWasNotUsedForLongest) {
  for (int number = 0; number < 10; ++number) {
    ASSERT_TRUE(store(std::to_string(number), 4000));
    age(pathOf(std::to_string(number)), 100000 - 1000 * number);
  }
  // The oldest is used again.
  EXPECT_TRUE(find("0", 4000));
  EXPECT_LT(secondsSinceUse(pathOf("0")), 100);
  options.maxBytes = 6 * 8192;
  ASSERT_TRUE(store("new", 4000));
  for (int number = 1; number < 6; ++number)
    EXPECT_FALSE(find(std::to_string(number), 4000)) << number;
  for (const char *kept : {"0", "6", "7", "8", "9", "new"})
    EXPECT_TRUE(find(kept, 4000)) << kept;
}

TEST_F(CacheEviction, NotesUseSeldom) {
  ASSERT_TRUE(store("a"));
  age(pathOf("a"), 600);
  EXPECT_TRUE(find("a"));
  EXPECT_GT(secondsSinceUse(pathOf("a")), 500);
  age(pathOf("a"), 7200);
  EXPECT_TRUE(find("a"));
  EXPECT_LT(secondsSinceUse(pathOf("a")), 100);
}

TEST_F(CacheEviction, StaysBelowTheLimit) {
  options.maxBytes = 256 << 10;
  auto fill = [&](int start) {
    for (int number = start; number < start + 100; ++number)
      if (!store(std::to_string(number), 7000))
        return false;
    return true;
  };
  std::vector<pid_t> processes;
  for (int number = 0; number < 4; ++number)
    processes.push_back(
        startProcess([&, number] { return fill(1000 * number); }));
  for (pid_t process : processes) {
    int status = -1;
    waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }
  // Nobody else evicts now.
  ASSERT_TRUE(fill(10000));
  uint64_t total = 0;
  for (const CacheRecord &record : open().list()) {
    EXPECT_EQ(record.state, CacheRecord::State::Good);
    total += record.fileSize;
  }
  EXPECT_LE(total, options.maxBytes * 17 / 16);
  EXPECT_GT(total, options.maxBytes / 2);
  EXPECT_TRUE(find("10099", 7000));
}

TEST_F(CacheEviction, KeepsNothingThatIsTooLarge) {
  options.maxBytes = 10000;
  ASSERT_TRUE(store("small"));
  EXPECT_FALSE(store("large", 20000));
  EXPECT_TRUE(find("small"));
}

TEST_F(CacheEviction, RemovesWhatItIsAskedTo) {
  for (const char *variant : {"a", "b", "c"})
    ASSERT_TRUE(store(variant));
  std::ofstream(pathOf("b"), std::ios::trunc) << "damaged";
  std::vector<CacheRecord> records = open().list();
  ASSERT_EQ(records.size(), 3u);
  for (const CacheRecord &record : records)
    if (record.state == CacheRecord::State::Damaged) {
      EXPECT_FALSE(open().remove(record));
      EXPECT_FALSE(open().remove(record));
    }
  EXPECT_TRUE(find("a"));
  EXPECT_TRUE(find("c"));
  EXPECT_EQ(open().list().size(), 2u);
}

TEST_F(CacheEviction, ReplacesWhateverHasTheNameOfItsBook) {
  std::string book = options.folder + "/growth";
  auto makeFifo = [&] { return mkfifo(book.c_str(), 0600) == 0; };
  auto makeFolder = [&] { return mkdir(book.c_str(), 0700) == 0; };
  auto makeLink = [&] { return symlink("/dev/zero", book.c_str()) == 0; };
  auto makeLoop = [&] { return symlink("growth", book.c_str()) == 0; };
  for (const std::function<bool()> &make : std::vector<std::function<bool()>>{
           makeFifo, makeFolder, makeLink, makeLoop}) {
    std::filesystem::remove_all(options.folder);
    ASSERT_EQ(mkdir(options.folder.c_str(), 0700), 0);
    ASSERT_TRUE(make());
    ProcessEnd end = runProcess([&] {
      alarm(10);
      return store("a") && find("a") && store("b");
    });
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.errors, "");
    EXPECT_TRUE(std::filesystem::is_regular_file(
        std::filesystem::symlink_status(book)));
  }
}
