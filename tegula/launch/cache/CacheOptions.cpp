// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/cache/CacheOptions.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

using namespace tegula;

void tegula::warnOnce(std::string_view topic, const std::string &text) {
  static std::mutex warning;
  static std::set<std::string, std::less<>> topics;
  std::lock_guard<std::mutex> lock(warning);
  if (topics.emplace(topic).second)
    std::fprintf(stderr, "tegula: warning: %s\n", text.c_str());
}

Problem tegula::parseCacheMode(std::string_view text,
                               CacheOptions::Mode &mode) {
  if (text == "on")
    mode = CacheOptions::Mode::On;
  else if (text == "readonly")
    mode = CacheOptions::Mode::ReadOnly;
  else if (text == "off")
    mode = CacheOptions::Mode::Off;
  else
    return makeCallProblem("the cache can be on, readonly or off, not '{0}'",
                           text);
  return {};
}

Problem tegula::parseByteSize(std::string_view text, uint64_t &size) {
  std::string_view digits = text;
  unsigned shift = 0;
  if (!digits.empty()) {
    switch (digits.back()) {
    case 'K':
      shift = 10;
      break;
    case 'M':
      shift = 20;
      break;
    case 'G':
      shift = 30;
      break;
    }
    if (shift != 0)
      digits.remove_suffix(1);
  }
  uint64_t number = 0;
  bool isGood = !digits.empty();
  for (char digit : digits)
    isGood = isGood && digit >= '0' && digit <= '9' &&
             !__builtin_mul_overflow(number, 10, &number) &&
             !__builtin_add_overflow(number, digit - '0', &number);
  if (!isGood || number > UINT64_MAX >> shift)
    return makeCallProblem(
        "a size is a number of bytes such as 500M or 1G, not '{0}'", text);
  size = number << shift;
  return {};
}

/// Where the system wants files that can be made again; empty if nowhere.
static std::string getDefaultFolder() {
  const char *shared = std::getenv("XDG_CACHE_HOME");
  if (shared && shared[0] == '/')
    return std::string(shared) + "/tegula";
  const char *home = std::getenv("HOME");
  if (home && home[0] == '/')
    return std::string(home) + "/.cache/tegula";
  return "";
}

CacheOptions CacheOptions::fromEnvironment() {
  CacheOptions options;
  if (const char *mode = std::getenv("TEGULA_CACHE"))
    if (Problem problem = parseCacheMode(mode, options.mode))
      warnOnce("TEGULA_CACHE", "TEGULA_CACHE: " + problem.getText());
  if (const char *size = std::getenv("TEGULA_CACHE_SIZE"))
    if (Problem problem = parseByteSize(size, options.maxBytes))
      warnOnce("TEGULA_CACHE_SIZE", "TEGULA_CACHE_SIZE: " + problem.getText());
  const char *folder = std::getenv("TEGULA_CACHE_DIR");
  options.folder = folder && folder[0] ? folder : getDefaultFolder();
  return options;
}
