// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/launch/CacheFixture.h"

#include "tegula/launch/cache/KernelCache.h"
#include "tegula/launch/cache/Toolchain.h"

using namespace tegula;

/// The options in an environment of these variables only; what it said if it
/// complained.
static std::string
readEnvironment(std::vector<std::pair<const char *, const char *>> variables) {
  ProcessEnd end = runProcess([&] {
    clearenv();
    for (auto [name, value] : variables)
      setenv(name, value, 1);
    CacheOptions options = CacheOptions::fromEnvironment();
    CacheOptions::fromEnvironment();
    std::fprintf(stderr, "%d %s %llu", static_cast<int>(options.mode),
                 options.folder.c_str(),
                 static_cast<unsigned long long>(options.maxBytes >> 20));
    return true;
  });
  return end.errors;
}

TEST(CacheOptions, ComeFromTheEnvironment) {
  EXPECT_EQ(readEnvironment({{"HOME", "/home/u"}}),
            "0 /home/u/.cache/tegula 1024");
  EXPECT_EQ(readEnvironment({{"HOME", "/home/u"}, {"XDG_CACHE_HOME", "/c"}}),
            "0 /c/tegula 1024");
  EXPECT_EQ(readEnvironment({{"HOME", "/home/u"}, {"XDG_CACHE_HOME", "c"}}),
            "0 /home/u/.cache/tegula 1024");
  EXPECT_EQ(readEnvironment({{"HOME", "/home/u"}, {"TEGULA_CACHE_DIR", "d/e"}}),
            "0 d/e 1024");
  EXPECT_EQ(readEnvironment({}), "0  1024");
  EXPECT_EQ(readEnvironment({{"HOME", "/h"},
                             {"TEGULA_CACHE", "readonly"},
                             {"TEGULA_CACHE_SIZE", "5M"}}),
            "1 /h/.cache/tegula 5");
  EXPECT_EQ(readEnvironment({{"HOME", "/h"}, {"TEGULA_CACHE", "off"}}),
            "2 /h/.cache/tegula 1024");
}

TEST(CacheOptions, WarnAboutValuesThatMeanNothing) {
  EXPECT_EQ(readEnvironment({{"HOME", "/h"}, {"TEGULA_CACHE", "maybe"}}),
            "tegula: warning: TEGULA_CACHE: the cache can be on, readonly or "
            "off, not 'maybe'\n0 /h/.cache/tegula 1024");
  EXPECT_EQ(readEnvironment({{"HOME", "/h"}, {"TEGULA_CACHE_SIZE", "big"}}),
            "tegula: warning: TEGULA_CACHE_SIZE: a size is a number of bytes "
            "such as 500M or 1G, not 'big'\n0 /h/.cache/tegula 1024");
}

TEST(CacheOptions, ReadSizes) {
  uint64_t size = 0;
  EXPECT_FALSE(parseByteSize("0", size));
  EXPECT_EQ(size, 0u);
  EXPECT_FALSE(parseByteSize("17", size));
  EXPECT_EQ(size, 17u);
  EXPECT_FALSE(parseByteSize("3K", size));
  EXPECT_EQ(size, 3072u);
  EXPECT_FALSE(parseByteSize("2G", size));
  EXPECT_EQ(size, uint64_t(2) << 30);
  for (const char *text : {"", "K", "-1", "1.5G", "1KB", "99999999999999999999",
                           "18446744073709551615G"})
    EXPECT_TRUE(parseByteSize(text, size)) << text;
}

TEST(CacheOptions, OfTheDefaultCacheNameTheToolchain) {
  EXPECT_EQ(getDefaultCache()->getOptions().toolchain, describeToolchain());
}

TEST(Toolchain, NamesCompilerAndMachine) {
  const std::string &text = describeToolchain();
  EXPECT_EQ(text, describeToolchain());
  EXPECT_NE(text.find("LLVM 22."), std::string::npos) << text;
  EXPECT_NE(text.find(describeHostCpu()), std::string::npos) << text;
  // "tegula 0.1.0 (" and two hashes of 40 digits.
  size_t start = text.find('(');
  EXPECT_EQ(text.find(')'), start + 82) << text;
  EXPECT_EQ(readBuildId("/no/such/file"), "");
  EXPECT_EQ(readBuildId("/etc/passwd"), "");
}
