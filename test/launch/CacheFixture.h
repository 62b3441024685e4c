// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A cache in a folder of its own, and processes that use it.

#ifndef TEGULA_TEST_LAUNCH_CACHEFIXTURE_H
#define TEGULA_TEST_LAUNCH_CACHEFIXTURE_H

#include "tegula/launch/cache/DiskCache.h"

#include "gtest/gtest.h"
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula {

/// Each test has an empty folder.
class DiskCacheTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/tegula-cache-test-XXXXXX";
    ASSERT_TRUE(mkdtemp(name));
    scratch = name;
    options.folder = scratch + "/cache";
    options.toolchain = "tools 1";
  }
  void TearDown() override { std::filesystem::remove_all(scratch); }

  DiskCache open() const { return DiskCache(options); }

  static CacheEntry entryOf(const std::string &variant) {
    CacheEntry entry;
    entry.program = "program";
    entry.variant = variant;
    entry.kernel = "softmax";
    entry.description = "x: FP32 [M, 128]";
    entry.facts = "facts of " + variant;
    return entry;
  }

  /// Code that says which variant it is; about `size` bytes.
  static std::string codeOf(const std::string &variant, size_t size = 1000) {
    std::string code;
    while (code.size() < size)
      code += variant + ";";
    return code;
  }

  bool store(const std::string &variant, size_t size = 1000) const {
    return open().store(entryOf(variant), codeOf(variant, size)).has_value();
  }

  /// True if the variant is found; what is found must be what was stored.
  bool find(const std::string &variant, size_t size = 1000) const {
    std::optional<CachedCode> found = open().find("program", variant);
    if (!found)
      return false;
    EXPECT_EQ(found->entry.facts, "facts of " + variant);
    std::string wanted = codeOf(variant, size), code(wanted.size(), ' ');
    EXPECT_TRUE(readAll(found->file.get(), code.data(), code.size(), 0));
    EXPECT_EQ(code, wanted);
    return true;
  }

  /// The file of a variant.
  std::string pathOf(const std::string &variant) const {
    CacheEntry entry = entryOf(variant);
    entry.toolchain = options.toolchain;
    return options.folder + "/" + entry.getFileName();
  }

  /// Says that a file was last used so many seconds ago.
  static void age(const std::string &path, int64_t seconds) {
    timespec times[2] = {};
    times[0].tv_sec = times[1].tv_sec = std::time(nullptr) - seconds;
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }

  static int64_t secondsSinceUse(const std::string &path) {
    struct stat status;
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return std::time(nullptr) - status.st_mtime;
  }

  std::vector<std::string> listNames() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto &file :
         std::filesystem::directory_iterator(options.folder, error))
      names.push_back(file.path().filename());
    return names;
  }

  std::string scratch;
  CacheOptions options;
};

/// How a process ended and what it said on its standard error output.
struct ProcessEnd {
  int status = -1;
  std::string errors;
};

/// Runs `body` in a process of its own; it succeeds if `body` returns true.
inline pid_t startProcess(const std::function<bool()> &body, int errors = 2) {
  // Sanitizers flush it where a process ends, and once is enough.
  std::fflush(stdout);
  pid_t process = fork();
  if (process != 0)
    return process;
  dup2(errors, 2);
  _exit(body() ? 0 : 1);
}

/// The same, to its end.
inline ProcessEnd runProcess(const std::function<bool()> &body) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  pid_t process = startProcess(body, ends[1]);
  close(ends[1]);
  ProcessEnd end;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof(buffer))) > 0;)
    end.errors.append(buffer, count);
  close(ends[0]);
  waitpid(process, &end.status, 0);
  return end;
}

} // namespace tegula

#endif // TEGULA_TEST_LAUNCH_CACHEFIXTURE_H
