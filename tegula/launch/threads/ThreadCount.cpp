// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/threads/ThreadCount.h"

#include "tegula/launch/threads/UsableCores.h"
#include "tegula/launch/threads/WipedOnFork.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>

using namespace tegula;

std::optional<int> tegula::readThreadSetting(std::string_view text) {
  auto isSpace = [](char c) { return std::strchr(" \t\r\n", c) != nullptr; };
  while (!text.empty() && isSpace(text.front()))
    text.remove_prefix(1);
  int count = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), count);
  bool isWhole =
      end == text.data() + text.size() || *end == ',' || isSpace(*end);
  bool isPositive = !text.empty() && text.front() != '-';
  if (error == std::errc::result_out_of_range && isPositive)
    count = mostThreads;
  else if (error != std::errc())
    return std::nullopt;
  if (!isWhole || count < 1)
    return std::nullopt;
  return std::min(count, mostThreads);
}

static int findThreads() {
  const char *setting = std::getenv("OMP_NUM_THREADS");
  if (std::optional<int> asked = readThreadSetting(setting ? setting : ""))
    return *asked;
  return static_cast<int>(
      std::clamp<int64_t>(countUsableCores(), 1, mostThreads));
}

/// 0 as long as nobody has asked.
static WipedOnFork<std::atomic<int>> known;

int tegula::countThreads() {
  if (int count = known->load(std::memory_order_relaxed))
    return count;
  int count = findThreads();
  known->store(count, std::memory_order_relaxed);
  return count;
}
