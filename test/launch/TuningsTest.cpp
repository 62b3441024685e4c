// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/cache/Tunings.h"

#include "tegula/launch/cache/KernelCache.h"
#include "tegula/launch/call/Program.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>

using namespace tegula;
using testing::HasSubstr;

namespace {

/// A folder of its own for the default cache.
class Tunings : public testing::Test {
protected:
  void SetUp() override {
    before = getDefaultCache()->getOptions();
    folder = std::filesystem::temp_directory_path() /
             ("tegula-tunings-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    use(CacheOptions::Mode::On);
  }
  void TearDown() override {
    std::filesystem::remove_all(folder);
    setDefaultCache(before);
  }

  void use(CacheOptions::Mode mode) {
    CacheOptions options = before;
    options.mode = mode;
    options.folder = folder;
    setDefaultCache(options);
  }
  std::string read() const {
    std::ifstream file(folder / "tuned");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string &text) const {
    std::ofstream(folder / "tuned") << text;
  }
  static std::string textOf(Problem problem) {
    return problem ? problem.getText() : "";
  }

  CacheOptions before;
  std::filesystem::path folder;
};

} // namespace

TEST_F(Tunings, ReadsChoices) {
  size_t choice;
  int64_t number;
  EXPECT_TRUE(readChoice("stream=70368744177664", choice, number));
  EXPECT_EQ(tunableChoices[choice].name, "stream");
  EXPECT_EQ(number, tunableChoices[choice].most);
  for (const char *word :
       {"", "stream", "stream=", "stream=0", "stream=-1", "stream=1x",
        "stream=1 ", "stream=70368744177665", "river=1", "=1",
        "stream=99999999999999999999", "panels=2", "panels=-1"})
    EXPECT_FALSE(readChoice(word, choice, number)) << word;
}

TEST_F(Tunings, AreFoundByTheTextOfTheFile) {
  std::string file = digestTuned("a file");
  EXPECT_EQ(findTuned(file, "f"), "");
  EXPECT_EQ(textOf(keepTuning({file, "f", "share=4"})), "");
  EXPECT_EQ(textOf(keepTuning({file, "g", "share=2,stream=3"})), "");
  EXPECT_EQ(textOf(keepTuning({file, "f", "share=8"})), "");
  EXPECT_EQ(findTuned(file, "f"), "share=8");
  EXPECT_EQ(findTuned(file, "g"), "share=2,stream=3");
  EXPECT_EQ(findTuned(file, "h"), "");
  EXPECT_EQ(findTuned(digestTuned("another"), "f"), "");
  EXPECT_EQ(tuneTarget("", "a file", "f"), "cpu:share=8");
  EXPECT_EQ(tuneTarget("cpu", "a file", "f"), "cpu:share=8");
  EXPECT_EQ(tuneTarget("cpu:no-threads", "a file", "f"), "cpu:no-threads");
  EXPECT_EQ(tuneTarget("interpreter", "a file", "f"), "interpreter");
}

TEST_F(Tunings, AreForgotten) {
  std::string file = digestTuned("a file");
  EXPECT_EQ(textOf(keepTuning({file, "f", "share=4"})), "");
  EXPECT_EQ(textOf(keepTuning({file, "g", "share=5"})), "");
  EXPECT_EQ(textOf(keepTuning({file, "f", ""})), "");
  EXPECT_EQ(findTuned(file, "f"), "");
  EXPECT_EQ(findTuned(file, "g"), "share=5");
  EXPECT_EQ(textOf(forgetTunings()), "");
  EXPECT_EQ(findTuned(file, "g"), "");
  EXPECT_EQ(textOf(forgetTunings()), "");
}

TEST_F(Tunings, AreNotUsedIfTheyAreDamaged) {
  std::string file = digestTuned("a file");
  EXPECT_EQ(textOf(keepTuning({file, "f", "share=4"})), "");
  std::string good = read();
  ASSERT_EQ(findTuned(file, "f"), "share=4");
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] ^= 1;
    write(bad);
    EXPECT_EQ(findTuned(file, "f"), "") << at;
    write(good.substr(0, at));
    EXPECT_EQ(findTuned(file, "f"), "") << at;
  }
  write(good);
  EXPECT_EQ(findTuned(file, "f"), "share=4");
  std::filesystem::permissions(folder / "tuned", std::filesystem::perms::all);
  EXPECT_EQ(findTuned(file, "f"), "");
}

TEST_F(Tunings, FollowTheModeOfTheCache) {
  std::string file = digestTuned("a file");
  EXPECT_EQ(textOf(keepTuning({file, "f", "share=4"})), "");
  use(CacheOptions::Mode::ReadOnly);
  EXPECT_EQ(findTuned(file, "f"), "share=4");
  EXPECT_THAT(textOf(keepTuning({file, "f", "share=5"})),
              HasSubstr("TEGULA_CACHE is not 'on'"));
  use(CacheOptions::Mode::Off);
  EXPECT_EQ(findTuned(file, "f"), "");
}

TEST_F(Tunings, AreUsedByPrograms) {
  std::filesystem::create_directories(folder);
  std::string path = folder / "kernels.py";
  std::ofstream(path) << "a file";
  EXPECT_EQ(textOf(keepTuning({digestTuned("a file"), "f", "share=4"})), "");
  auto targetOf = [&](const std::string &kernel, const std::string &target) {
    Program program;
    program.blocks.push_back({path, 1, "", kernel});
    program.target = target;
    useTuning(program);
    return program.target;
  };
  EXPECT_EQ(targetOf("f", ""), "cpu:share=4");
  EXPECT_EQ(targetOf("f", "cpu"), "cpu:share=4");
  EXPECT_EQ(targetOf("g", ""), "");
  EXPECT_EQ(targetOf("f", "cpu:lines"), "cpu:lines");
  std::ofstream(path) << "another file";
  EXPECT_EQ(targetOf("f", ""), "");
}
